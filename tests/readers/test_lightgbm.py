"""LightGBM's text: small files, refusals, and damaged files."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lightgbm as lgb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import glasswood as gw
from glasswood.ensemble import OWN_TABLE
from glasswood.readers.lightgbm import read_file, recognises
from glasswood.readers.lightgbm._objective import link_of
from tests.readers.lightgbm_texts import old_text
from tests.readers.mutate import mutations

QUIET: dict[str, Any] = {
    "verbose": -1,
    "num_threads": 1,
    "num_leaves": 5,
    "min_data_in_leaf": 2,
    "min_data_per_group": 2,
}

TEXT = """tree
version=v4
num_class=1
num_tree_per_iteration=1
label_index=0
max_feature_idx=2
objective=regression
feature_names=a b c
feature_infos=[0:9] none 5:1:-1:70
tree_sizes=1 2

Tree=0
num_leaves=3
num_cat=1
split_feature=0 2
split_gain=8 2.5
threshold=1.5 0
decision_type=10 1
left_child=1 -1
right_child=-2 -3
leaf_value=10 20 30
leaf_weight=1 2 3
leaf_count=1 2 3
internal_value=0 0
internal_weight=6 4
internal_count=6 4
cat_boundaries=0 3
cat_threshold=32 0 64
is_linear=0
shrinkage=1


Tree=1
num_leaves=1
num_cat=0
split_feature=
split_gain=
threshold=
decision_type=
left_child=
right_child=
leaf_value=0.25
leaf_weight=
leaf_count=6
internal_value=
internal_weight=
internal_count=
is_linear=0
shrinkage=1


end of trees

feature_importances:
a=1

parameters:
[categorical_feature: 2]
end of parameters

pandas_categorical:null
"""


def with_line(key: str, value: str) -> bytes:
    changed, n = re.subn(rf"(?m)^{key}=.*$", f"{key}={value}", TEXT, count=1)
    assert n == 1
    return changed.encode()


def test_a_small_text_is_read_correctly() -> None:
    ensemble = read_file(TEXT.encode(), "small")
    assert ensemble.tree_start.tolist() == [0, 5, 6]
    assert ensemble.feature.tolist() == [0, 2, -1, -1, -1, -1]
    assert ensemble.leaf_id.tolist() == [-1, -1, 0, 2, 1, 0]
    assert ensemble.value[ensemble.feature < 0, 0].tolist() == [10, 30, 20, 0.25]
    assert ensemble.weight.tolist() == [6, 4, 1, 3, 2, 6]
    assert ensemble.gain[:2].tolist() == [8, 2.5]
    assert ensemble.missing_left.tolist() == [True, False, False, False, False, False]
    assert ensemble.features.categories == (None, None, (1, 5, 70))
    assert ensemble.features.missing_routed.tolist() == [True, False, False]
    # the set holds 5 and 70, the second and third label
    X = np.array([[1.5, 0, 5], [1.5, 0, 70], [1.5, 0, 1], [1.5, 0, 4], [1.5, 0, np.nan], [1.6, 0, 5], [np.nan, 0, 70]])
    assert ensemble.predict_raw(X).tolist() == [10.25, 10.25, 30.25, 30.25, 30.25, 20.25, 10.25]
    assert ensemble.source.library == "LightGBM"
    assert ensemble.source.weight_kind == "rows"


def test_a_tree_without_splits_may_have_no_row_count() -> None:
    ensemble = read_file(TEXT.replace("leaf_count=6", "leaf_count=").encode(), "before 4.6")
    assert ensemble.weight[:5].tolist() == [6, 4, 1, 3, 2]
    assert np.isnan(ensemble.weight[5])


def test_lines_may_end_as_on_windows() -> None:
    assert read_file(TEXT.replace("\n", "\r\n").encode(), "small") == read_file(TEXT.encode(), "small")


def test_a_text_is_known_by_its_content() -> None:
    assert recognises(TEXT.encode())
    assert not recognises(b"{}")
    assert not recognises(b"tree\nof life")


def test_predict_reads_tiny_numbers_as_zero() -> None:
    z = float(np.float32(1e-35))
    positive = read_file(with_line("threshold", f"{z!r} 0"), "small")
    assert positive.threshold[0] == z
    assert read_file(with_line("threshold", "0 0"), "small").threshold[0] == z
    negative = read_file(with_line("threshold", f"{-z!r} 0"), "small")
    assert negative.threshold[0] == np.nextafter(-z, -np.inf)
    assert negative.stated_threshold[0] == -z


@pytest.mark.parametrize(
    ("objective", "link"),
    [
        ("regression", "identity"),
        ("regression sqrt", "none"),
        ("binary sigmoid:1", "logit"),
        ("binary sigmoid:2.5", "logit (scale 2.5)"),
        ("cross_entropy", "logit"),
        ("poisson", "log"),
        ("binary sigmoid:-1", "none"),
        ("binary sigmoid:x", "none"),
        ("of my own", "none"),
        ("", "none"),
    ],
)
def test_the_objective_says_the_link(objective: str, link: str) -> None:
    assert str(link_of(objective, 1)) == link


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("num_leaves", "1000000000000", "numbers in 'split_feature'"),
        ("num_leaves", "-3", "no leaf"),
        ("num_leaves", "three", "not a whole number"),
        ("left_child", "0 -1", "not a tree"),
        ("left_child", "1 -4", "outside its tree"),
        ("right_child", "-2 -1", "not a tree"),
        ("right_child", "-2 2", "outside its tree"),
        ("split_feature", "0 3", "feature that does not exist"),
        ("split_feature", "0", "tree 0 has 1 numbers"),
        ("threshold", "1.5 7", "set that does not exist"),
        ("threshold", "nan 0", "no threshold"),
        ("threshold", "1.5 x", "not a number"),
        ("leaf_value", "10 nan 30", "finite"),
        ("leaf_count", "1 -2 3", "negative"),
        ("decision_type", "14 1", "unknown missing type"),
        ("cat_boundaries", "0 4", "do not fit"),
        ("cat_boundaries", "1 3", "do not fit"),
        ("cat_threshold", "32 0 4294967296", "32 bits"),
        ("num_tree_per_iteration", "7", "whole iterations"),
        ("num_tree_per_iteration", "99999999999", "no number"),
        ("max_feature_idx", "99999999", "do not fit together"),
        ("feature_infos", "[0:9] none 5:one", "garbled"),
        ("num_cat", "1 1", "one number a tree"),
        ("num_leaves", "3_0", "not a whole number"),
        ("leaf_value", "1_0 20 30", "not a number"),
        ("num_leaves", "9" * 30, "not a whole number"),
        ("left_child", "1 -" + "9" * 30, "not a whole number"),
        ("left_child", "1 --1", "not a whole number"),
        ("left_child", "1 1-1", "not a whole number"),
        ("left_child", "- 1", "not a whole number"),
        ("left_child", "1 -", "not a whole number"),
        ("left_child", "1 1.0", "not a whole number"),
        ("left_child", "1 +1", "not a whole number"),
        ("left_child", "1  1", "3 numbers in 'left_child'"),
        ("left_child", " 1", "single spaces"),
        ("left_child", " ", "single spaces"),
        ("Tree", "1", "tree 0 is numbered '1'"),
        ("Tree", "", "tree 0 is numbered ''"),
    ],
)
def test_errors_of_a_file_are_reported(key: str, value: str, message: str) -> None:
    with pytest.raises(gw.ModelFileError, match=message):
        read_file(with_line(key, value), "small")


@pytest.mark.parametrize(
    ("before", "stray", "message"),
    [
        ("split_gain=8", "hello\n", "tree 0 has a line 'hello'"),
        ("split_gain=8", "\n", "tree 0 has a line ''"),
        ("split_gain=8", "num_leaves=3\n", "tree 0 has two lines 'num_leaves'"),
        ("objective=", "num_class=1\n", "the header has two lines 'num_class'"),
        ("[categorical_feature", "Tree=2\n", "'Tree=2' stands among the parameters"),
        ("Tree=1", "Tree=1\n", "tree 2 is numbered '1'"),
    ],
)
def test_a_stray_line_is_named(before: str, stray: str, message: str) -> None:
    assert TEXT.count(before) == 1
    with pytest.raises(gw.ModelFileError, match=re.escape(message)):
        read_file(TEXT.replace(before, stray + before).encode(), "small")


def test_a_file_cut_off_behind_its_trees_is_refused() -> None:
    with pytest.raises(gw.ModelFileError, match="'end of parameters' is missing"):
        read_file(TEXT.partition("end of parameters")[0].encode(), "cut")
    with pytest.raises(gw.ModelFileError, match="cut off"):
        read_file(TEXT.partition("end of trees")[0].encode(), "cut")


def test_an_old_text_is_read_as_lightgbm_reads_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.choice([0, 3, 40], 300), rng.normal(size=300)])
    X[::7, 1] = np.nan
    model = lgb.train(QUIET, lgb.Dataset(X, X[:, 0] + np.nan_to_num(X[:, 1]), categorical_feature=[0]), 4)
    text = old_text(model.model_to_string())
    assert "end of trees" not in text and "parameters" not in text
    (tmp_path / "old.txt").write_text(text)
    ensemble = gw.read(tmp_path / "old.txt", X)
    assert ensemble.source.parity.leaves_equal is True
    assert ensemble.source.version == "text format v2"
    np.testing.assert_allclose(ensemble.predict_raw(X), model.predict(X), rtol=1e-12)
    with pytest.raises(gw.ModelFileError, match="cut off"):
        read_file(text.partition("feature importances")[0].encode(), "cut")


@pytest.mark.parametrize(
    "labels", ["[" * 100_000, "[[[1]]]", "[[null]]", "7", '[["a", "a"]]', "[[1, 2]]"], ids=range(6)
)
def test_labels_that_do_not_fit_are_refused(labels: str) -> None:
    content = TEXT.replace("pandas_categorical:null", f"pandas_categorical:{labels}").encode()
    with pytest.raises((gw.ModelFileError, gw.UnsupportedModelError)):
        read_file(content, "small")


def test_linear_trees_are_refused() -> None:
    X = np.random.default_rng(0).normal(size=(100, 2))
    with pytest.raises(gw.UnsupportedModelError, match="linear_tree"):
        gw.read(lgb.train({**QUIET, "linear_tree": True}, lgb.Dataset(X, X[:, 0]), 2))


def test_what_is_not_one_fitted_model_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="not fitted"):
        gw.read(lgb.LGBMRegressor())
    with pytest.raises(gw.UnsupportedModelError, match="one of its boosters"):
        gw.read(lgb.CVBooster())


def test_labels_that_lightgbm_cannot_write_are_refused() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"band": pd.cut(rng.normal(size=100), 3), "x": rng.normal(size=100)})
    with pytest.raises(gw.UnsupportedModelError, match="turn intervals or dates into text"):
        gw.read(lgb.train(QUIET, lgb.Dataset(frame, frame["x"]), 2, keep_training_booster=True))


def test_columns_that_lightgbm_does_not_take_from_arrow_are_not_tried(capfd: pytest.CaptureFixture[str]) -> None:
    X = pd.DataFrame({"a": np.arange(60.0), "c": pd.Categorical(np.tile(["x", "y", "z"], 20))})
    model = lgb.LGBMRegressor(n_estimators=3, min_child_samples=5, verbose=-1).fit(X, X["a"] + X["c"].cat.codes)
    arrow = pa.Table.from_pandas(X, preserve_index=False)
    for table in (arrow, arrow.set_column(1, "c", arrow["c"].cast("string")), pl.from_pandas(X)):
        asked_with = gw.read(model, table).source.parity.asked_with
        assert "from Arrow, LightGBM takes plain numbers, and column 'c' has the type" in asked_with
    assert capfd.readouterr() == ("", "")  # LightGBM itself prints "Unsupported Arrow type"


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "uint8", "uint16", "uint32", "uint64", "float32", "bool"])
def test_numbers_of_every_width_are_asked_with_from_arrow(dtype: str) -> None:
    X = pd.DataFrame({"a": np.arange(60.0), "b": np.tile([0.0, 1.0], 30)})
    model = lgb.LGBMRegressor(n_estimators=3, min_child_samples=5, verbose=-1).fit(X, X["a"] + 9 * X["b"])
    frame = X.astype({"b": dtype})
    for table in (pa.Table.from_pandas(frame, preserve_index=False), pl.from_pandas(frame)):
        assert gw.read(model, table).source.parity.asked_with == OWN_TABLE


def test_labels_that_could_belong_to_several_columns_are_refused() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"o": pd.Categorical(rng.choice([1, 2], 100), ordered=True), "x": rng.normal(size=100)})
    with pytest.raises(gw.UnsupportedModelError, match="which belong together"):
        gw.read(lgb.train(QUIET, lgb.Dataset(frame, frame["x"]), 2))


@pytest.fixture(scope="module")
def real_files() -> Iterator[list[bytes]]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"c": pd.Categorical(rng.choice(list("abcd"), 200)), "x": rng.normal(size=200)})
    X = np.column_stack([rng.choice([0, 3, 40], 200), rng.normal(size=200)])
    y = frame["x"] + (frame["c"] == "a")
    models = [
        lgb.train(QUIET, lgb.Dataset(frame, y), 3),
        lgb.train(QUIET, lgb.Dataset(X, y, categorical_feature=[0]), 3),
        lgb.train({**QUIET, "objective": "multiclass", "num_class": 3}, lgb.Dataset(X, rng.integers(0, 3, 200)), 2),
    ]
    # most mutations should hit the trees, not the long list of parameters
    yield [
        re.sub(r"(?s)(parameters:).*(\[categorical_feature)", r"\1\n\2", m.model_to_string()).encode() for m in models
    ]


def test_damaged_files_raise_the_right_error_or_are_read(real_files: list[bytes]) -> None:
    outcomes = {"read": 0, "refused": 0}
    for k, content in enumerate(real_files):
        read_file(content, "whole")
        for damaged in mutations(content, 1000, seed=k):
            try:
                read_file(damaged, "damaged")._validate()
                outcomes["read"] += 1
            except (gw.ModelFileError, gw.UnsupportedModelError):
                outcomes["refused"] += 1
    assert min(outcomes.values()) > 300


def test_a_damaged_file_on_disk_is_a_model_file_error(real_files: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "cut.txt").write_bytes(real_files[0][:1500])
    with pytest.raises(gw.ModelFileError, match=r"cut\.txt"):
        gw.read(tmp_path / "cut.txt")
