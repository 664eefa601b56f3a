"""Tables are matched with the features of a model."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.ensemble._align import align
from glasswood.ensemble._schema import FeatureSchema
from glasswood.errors import TableError
from glasswood.tables import read_table


def schema(categories, *, named=True, coded=()):
    """Schema of features given as name → labels, or None for a number."""
    n = len(categories)
    return FeatureSchema(
        names=tuple(categories),
        named=named,
        categories=tuple(categories.values()),
        coded=np.array([name in coded for name in categories], dtype=bool),
        missing_routed=np.ones(n, dtype=bool),
        zero_is_missing=np.zeros(n, dtype=bool),
    )


NUMBERS = FeatureSchema.numeric(["a", "b", "c"])
ONE = schema({"x": None})


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_float_matrix_goes_through_untouched(dtype, order):
    X = np.asarray(np.arange(6).reshape(2, 3), dtype=dtype, order=order)
    rows = align(X, NUMBERS)
    assert rows.data is X
    assert rows.n_rows == 2
    assert align(read_table(X), NUMBERS).data is X


def test_other_matrices_are_converted_once():
    X = np.arange(6, dtype=">f4").reshape(2, 3)
    for given_X in (X, X.astype(int), X.tolist()):
        data = align(given_X, NUMBERS).data
        assert data.dtype.isnative
        assert np.array_equal(data, X)


def test_a_pandas_block_in_the_models_order_is_a_view():
    frame = pd.DataFrame(np.arange(6.0).reshape(2, 3), columns=list("abc"))
    assert np.shares_memory(align(frame, NUMBERS).data, frame.to_numpy())


MAKERS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
every_frame = pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS.keys())


@every_frame
def test_columns_are_matched_by_name(make):
    rows = align(make({"c": [5.0, 6.0], "a": [1.0, 2.0], "b": [3.0, 4.0]}), NUMBERS)
    assert [column.tolist() for column in rows.data] == [[1, 2], [3, 4], [5, 6]]


@settings(max_examples=30)
@given(order=st.permutations(range(3)), kind=st.sampled_from(list(MAKERS)))
def test_a_permuted_frame_gives_the_same_rows(order, kind):
    columns = {"a": [1.5, 2.5], "b": [3.0, 4.0], "c": ["u", "v"]}
    features = schema({"a": None, "b": None, "c": ("v", "u")})
    names = list(columns)
    frame = MAKERS[kind]({names[j]: columns[names[j]] for j in order})
    assert [c.tolist() for c in align(frame, features).data] == [[1.5, 2.5], [3.0, 4.0], [1, 0]]


@every_frame
@pytest.mark.parametrize(
    ("names", "message"),
    [
        ("ab", r"the table lacks 'c'; rename, add or drop columns"),
        ("abcz", r"the model does not know the column 'z'; drop it"),
        ("abcyz", r"does not know the columns 'y', 'z'; drop them"),
        ("abC", r"the table lacks 'c' \(did you mean 'C'\?\); the model does not know the column 'C'"),
    ],
)
def test_missing_and_extra_columns_are_named(make, names, message):
    with pytest.raises(TableError, match=message):
        align(make({name: [1.0] for name in names}), NUMBERS)


def test_a_near_miss_is_suggested():
    features = FeatureSchema.numeric(["income", "age"])
    with pytest.raises(TableError, match=r"'income' \(did you mean 'incme'\?\)"):
        align(pd.DataFrame({"age": [1.0], "incme": [1.0]}), features)


def test_long_lists_of_names_are_cut():
    features = FeatureSchema.numeric([f"f{j}" for j in range(40)])
    with pytest.raises(TableError, match="'f7' and 32 more") as caught:
        align(pd.DataFrame({"z": [1.0]}), features)
    assert "f10" not in str(caught.value)


@pytest.mark.parametrize(
    ("X", "features"),
    [
        (np.zeros((1, 4)), NUMBERS),
        (pd.DataFrame(np.zeros((1, 4))), NUMBERS),
        (pd.DataFrame(np.zeros((1, 4)), columns=list("pqrs")), FeatureSchema.numeric("abc", named=False)),
    ],
)
def test_without_names_the_width_must_fit(X, features):
    with pytest.raises(TableError, match=r"the model has 3 features \(a, b, c\), the table has 4 columns"):
        align(X, features)


def test_without_names_columns_are_matched_by_position():
    frame = pd.DataFrame({"z": [1.0], "y": [2.0], "x": [3.0]})
    assert np.array_equal(align(frame, FeatureSchema.numeric("abc", named=False)).data, [[1, 2, 3]])
    assert align(pd.DataFrame(np.ones((1, 3))), NUMBERS).n_rows == 1


def test_a_number_feature_refuses_text():
    for frame in (
        pd.DataFrame({"x": ["u", "v"]}),
        pl.DataFrame({"x": ["u", "v"]}),
        pd.DataFrame({"x": ["u", "v"]}, dtype="category"),
    ):
        with pytest.raises(TableError, match="feature 'x' holds text but the model splits it as a number"):
            align(frame, ONE)


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (pd.DataFrame({"x": pd.Categorical([3, None, 1])}), [3, np.nan, 1]),
        (pd.DataFrame({"x": pd.Categorical([0.5, None, 1.5])}), [0.5, np.nan, 1.5]),
        (pd.DataFrame({"x": pd.Categorical([True, None, False])}), [1, np.nan, 0]),
        (pd.DataFrame({"x": [True, False, True]}), [1, 0, 1]),
        (pl.DataFrame({"x": [True, None, False]}), [1, np.nan, 0]),
        (pl.DataFrame({"x": [None, None]}, schema={"x": pl.String}), [np.nan, np.nan]),
        (pl.DataFrame({"x": [np.inf, -np.inf]}), [np.inf, -np.inf]),
    ],
)
def test_a_number_feature_takes_anything_that_is_a_number(frame, expected):
    data = align(frame, ONE).data
    assert np.array_equal(np.ravel(data), expected, equal_nan=True)


TEXT = schema({"x": ("u", "v", "w")})
COUNTS = schema({"x": (10, 20.5, True)})


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": ["w", None, "u", "zz"]}),
        pd.DataFrame({"x": pd.Categorical(["w", None, "u", "zz"], categories=["zz", "w", "u"])}),
        pd.DataFrame({"x": pd.Series(["w", None, "u", "zz"], dtype=object)}),
        pl.DataFrame({"x": ["w", None, "u", "zz"]}),
        pl.DataFrame({"x": pl.Series(["w", None, "u", "zz"], dtype=pl.Categorical)}),
        pl.DataFrame({"x": pl.Series(["w", None, "u", "zz"], dtype=pl.Enum(["w", "zz", "u"]))}),
        pa.table({"x": ["w", None, "u", "zz"]}),
        pa.table({"x": pa.array(["w", None, "u", "zz"]).dictionary_encode()}),
        np.array([["w"], [None], ["u"], ["zz"]], dtype=object),
    ],
)
def test_text_is_looked_up_among_the_labels(frame):
    (codes,) = align(frame, TEXT).data
    assert codes.dtype == np.int32
    assert codes.tolist() == [2, -1, 0, 3]


def test_codes_of_the_same_labels_are_used_as_they_are():
    table = read_table(pd.DataFrame({"x": pd.Categorical(["w", "u"], categories=["u", "v", "w"])}))
    assert align(table, TEXT).data[0] is table.columns[0].codes


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_numbers_are_looked_up_among_the_labels(dtype):
    X = np.array([[10, 20.5, 1, np.nan, 11, np.inf, -np.inf, 0]], dtype=dtype).T
    (codes,) = align(X, COUNTS).data
    assert codes.dtype == np.int32
    assert codes.tolist() == [0, 1, 2, -1, 3, 3, 3, 3]
    (codes,) = align(X, TEXT).data
    assert codes.tolist() == [3, 3, 3, -1, 3, 3, 3, 3]


def test_infinity_can_be_a_label():
    (codes,) = align(np.array([[np.inf], [-np.inf]]), schema({"x": (np.inf, 1)})).data
    assert codes.tolist() == [0, 2]


def test_nan_among_the_labels_is_never_found():
    (codes,) = align(np.array([[1.0], [np.nan], [2.0]]), schema({"x": (np.nan, 2, 1)})).data
    assert codes.tolist() == [2, -1, 1]


def test_a_category_of_numbers_and_plain_numbers_find_the_same_codes():
    plain = align(pd.DataFrame({"x": [20.5, 10.0, 7.0]}), COUNTS).data[0]
    category = align(pd.DataFrame({"x": pd.Categorical([20.5, 10.0, 7.0])}), COUNTS).data[0]
    assert plain.tolist() == category.tolist() == [1, 0, 3]


label = st.one_of(st.integers(-3, 3), st.floats(-3, 3, width=16), st.text("ab", max_size=1), st.booleans())


@settings(max_examples=100)
@given(labels=st.lists(label, unique=True, max_size=6), values=st.lists(st.integers(-4, 4), max_size=6))
def test_number_lookup_is_dict_lookup(labels, values):
    position = {known: code for code, known in enumerate(labels)}
    X = np.array(values, dtype=float).reshape(-1, 1)
    (codes,) = align(X, schema({"x": tuple(labels)})).data
    assert codes.tolist() == [position.get(value, len(labels)) for value in values]


CODED = schema({"x": (0, 1, 2)}, coded=("x",))


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"x": pd.Categorical(["p", None, "q", "s"], categories=["p", "r", "q", "s"])}),
        pl.DataFrame({"x": pl.Series(["p", None, "q", "s"], dtype=pl.Enum(["p", "r", "q", "s"]))}),
        pd.DataFrame({"x": pd.Categorical([7, None, 2, 0], categories=[7, 8, 2, 0])}),
        np.array([[0], [np.nan], [2], [3]]),
        np.array([[0], [np.nan], [2], [1e12]], dtype=np.float32),
    ],
)
def test_if_the_model_kept_no_labels_the_codes_of_the_caller_are_used(frame):
    (codes,) = align(frame, CODED).data
    assert codes.dtype == np.int32
    assert codes.tolist() == [0, -1, 2, 3]


def test_a_negative_number_is_a_code_the_model_has_never_seen():
    assert align(np.array([[-1.0], [1.0]]), CODED).data[0].tolist() == [3, 1]


@pytest.mark.parametrize("value", [0.5, np.inf, -0.5])
def test_a_fraction_is_not_a_whole_number_category(value):
    with pytest.raises(TableError, match=f"feature 'x' must hold categories, found {value} in row 1"):
        align(np.array([[1.0], [value]]), schema({"x": (1, 5, 7)}))


@pytest.mark.parametrize("value", [0.5, np.inf])
def test_a_code_must_be_a_whole_number(value):
    with pytest.raises(TableError, match=f"feature 'x' must hold categories, found {value} in row 1"):
        align(np.array([[1.0], [value]]), CODED)


@pytest.mark.parametrize(
    "frame", [pd.DataFrame({"x": ["p"]}), pl.DataFrame({"x": pl.Series(["p"], dtype=pl.Categorical)})]
)
def test_text_has_no_codes(frame):
    with pytest.raises(TableError, match="feature 'x' holds text but the model kept only the codes"):
        align(frame, CODED)


def test_a_model_without_features_takes_tables_without_columns():
    none = FeatureSchema.numeric([])
    assert align(np.zeros((3, 0)), none).n_rows == 3
    assert align(pd.DataFrame(index=range(3)), none).n_rows == 3


def test_numbers_and_categories_can_be_combined():
    features = schema({"t": ("u", "v"), "n": None})
    rows = align(pd.DataFrame({"n": np.array([1.5, 2.5], dtype="f4"), "t": ["v", "u"]}), features)
    assert [column.dtype for column in rows.data] == [np.int32, np.float32]
    assert [column.tolist() for column in rows.data] == [[1, 0], [1.5, 2.5]]


def test_integers_beyond_2_to_the_53_are_matched_as_integers():
    ids = [2**53 + 1, 2**53 + 2, 2**60 + 1, 2**60 + 2]
    features = schema({"id": tuple(ids)})
    for values in (np.array(ids), np.array(ids, dtype=np.uint64), np.array(ids, dtype=object)):
        assert align(pd.DataFrame({"id": values}), features).data[0].tolist() == [0, 1, 2, 3]
        assert align(values.reshape(-1, 1), features).data[0].tolist() == [0, 1, 2, 3]
    # a float does not match an integer that it would have to be rounded to
    assert align(np.array([[2.0**60], [2.0**53 + 2]]), features).data[0].tolist() == [4, 1]
    assert align(pd.DataFrame({"id": [2**60, 2**60 + 2]}), features).data[0].tolist() == [4, 3]


def test_integers_too_large_for_any_float_are_ordinary_labels():
    features = schema({"id": (10**400, 5)})
    assert align(pd.DataFrame({"id": [5.0, 6.0]}), features).data[0].tolist() == [1, 2]
