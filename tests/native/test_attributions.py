"""The kernels of attributions: trees with tables, deep and wide ones give what the definition says, with the same bits
for any number of rows and threads and for every CPU level."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import Ensemble, align
from tests.native.attribution_cases import CASES, chain, larger
from tests.reference import attributions as reference
from tests.reference.built import built
from tests.reference.effect_cases import Case, as_frame, random_case
from tests.reference.effects import encode
from tests.reference.ensembles import Recipe, random_columns, random_ensemble

LIMITS = {"table": (12, 62), "deep": (0, 62), "wide": (0, 0)}  # which way is used for trees with short paths
LEVELS = ("plain", "v3", "v4")


class Explained:
    """What the kernels compute, with a background of `columns` or without."""

    def __init__(
        self,
        e: Ensemble,
        columns: Any,
        *,
        background: Any = None,
        weight: NDArray[np.float64] | None = None,
        way: str = "table",
        pairs: bool = True,
        features: list[int] | None = None,
        n_threads: int = 1,
        kept: bool = False,
    ) -> None:
        model = _native.AttributionModel(e._trees(), e.weight, e.features.missing_routed, *LIMITS[way])
        rows = None
        if background is not None:
            rows = _native.AttributionBackground(model)
            rows.append(background, weight)
            rows.close()
        n, p, k = len(columns[0]), len(e.features), e.n_outputs
        chosen = np.array(range(p) if features is None else features, dtype=np.int32)
        self.base = model.mean(rows, n_threads)
        values = np.zeros(n * p * k)
        tables = _native.AttributionTables(model, rows, 1 << 30, n_threads) if kept else None
        model.add_values(columns, rows, tables, values, n_threads)
        self.values = values.reshape(n, p, k)
        if pairs:
            found = np.zeros(n * len(chosen) ** 2 * k)
            model.write_pairs(columns, rows, chosen, values, found, n_threads)
            self.pairs = found.reshape(n, len(chosen), len(chosen), k)


def check(case: Case, way: str, n_rows: int) -> None:
    e, columns = case.ensemble, align(case.X, case.ensemble.features).data
    by_path = Explained(e, columns, way=way)
    by_rows = Explained(e, columns, background=columns, weight=case.weight, way=way)
    for r, row in enumerate(case.rows[:n_rows]):
        for found, game in (
            (by_path, reference.by_path(e, row)),
            (by_rows, reference.by_rows(e, row, case.rows, case.w)),
        ):
            np.testing.assert_allclose(found.base, game.base, rtol=0, atol=1e-12)
            np.testing.assert_allclose(found.values[r], game.values, rtol=0, atol=1e-12)
            np.testing.assert_allclose(found.pairs[r], game.pairs, rtol=0, atol=1e-12)


@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), n_leaves=st.sampled_from([2, 9, 20, 40]), n_features=st.integers(1, 6))
def test_every_way_equals_the_definition(seed: int, n_leaves: int, n_features: int) -> None:
    case = random_case(seed, n_leaves=n_leaves, n_features=n_features)
    for way in LIMITS:
        check(case, way, 2)


@settings(max_examples=3)
@given(seed=st.integers(0, 2**32))
def test_deep_paths_equal_the_definition(seed: int) -> None:
    # nine features on a path: sets of failed features are listed, not tabulated
    case = random_case(seed, n_leaves=12, n_features=9, n_trees=2, shapes=("chain",), n_category_features=2)
    for way in LIMITS:
        check(case, way, 1)


def max_on_a_path(e: Ensemble) -> int:
    """Distinct features on the longest path."""
    path: dict[int, frozenset[int]] = {int(root): frozenset() for root in e.tree_start[:-1]}
    for node in range(e.n_nodes):
        for child in (e.left[node], e.right[node]):
            if e.feature[node] >= 0:
                path[int(child)] = path[node] | {int(e.feature[node])}
    return max(map(len, path.values()))


@pytest.mark.parametrize("n_features", [1, 8, 9, 12, 13, 16, 17, 20, 30, 66, 90])
def test_long_paths_add_up_and_agree(n_features: int) -> None:
    e, columns = chain(n_features)
    raw = e._plan().predict_raw(columns)
    found = {}
    for way in ("deep", "wide") if n_features < 60 else ("table",):
        for background in (None, [column[:40] for column in columns]):
            got = Explained(e, columns, background=background, way=way, pairs=n_features <= 20)
            np.testing.assert_allclose(got.values.sum(axis=1) + got.base, raw, rtol=0, atol=1e-12)
            found[way, background is None] = got
    for by_shares in (False, True):
        if n_features < 60:
            deep, wide = found["deep", by_shares], found["wide", by_shares]
            np.testing.assert_allclose(deep.values, wide.values, rtol=0, atol=1e-13)
            if n_features <= 20:
                np.testing.assert_allclose(deep.pairs, wide.pairs, rtol=0, atol=1e-13)
                np.testing.assert_allclose(deep.pairs.sum(axis=2), deep.values, rtol=0, atol=1e-13)


def test_the_chains_are_as_long_as_they_say() -> None:
    assert max_on_a_path(chain(90)[0]) > 62 and 12 < max_on_a_path(chain(30)[0]) < 62


@pytest.mark.parametrize("way", ["table", "deep"])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("weighted", [False, True])
def test_bits_do_not_depend_on_neighbours_threads_or_order(name: str, way: str, weighted: bool) -> None:
    e, columns = larger(name, 2500)
    rng = np.random.default_rng(1)
    weight = rng.random(2500) ** 4 if weighted else None
    for background in (None, columns):
        options: dict[str, Any] = {"background": background, "weight": weight, "way": way, "pairs": False}
        everyone = Explained(e, columns, **options)
        for some in (slice(0, 1), slice(3, 66), slice(100, 2149)):
            part = Explained(e, [column[some] for column in columns], **options)
            np.testing.assert_array_equal(part.values, everyone.values[some])
        np.testing.assert_array_equal(Explained(e, columns, **options, n_threads=3).values, everyone.values)
        np.testing.assert_array_equal(Explained(e, columns, **options, kept=True).values, everyone.values)
        if background is not None:
            order = rng.permutation(2500)
            options["background"] = [column[order] for column in columns]
            options["weight"] = None if weight is None else weight[order]
            moved = Explained(e, columns, **options)
            np.testing.assert_array_equal(moved.values, everyone.values)
            np.testing.assert_array_equal(moved.base, everyone.base)


@pytest.mark.parametrize("way", ["table", "deep", "wide"])
def test_bits_of_pairs_do_not_depend_on_neighbours_or_threads(way: str) -> None:
    e, columns = larger("one output", 200, n_features=6)
    for background in (None, [column[:150] for column in columns]):
        everyone = Explained(e, columns, background=background, way=way)
        part = Explained(e, [column[20:29] for column in columns], background=background, way=way)
        np.testing.assert_array_equal(part.pairs, everyone.pairs[20:29])
        threads = Explained(e, columns, background=background, way=way, n_threads=2)
        np.testing.assert_array_equal(threads.pairs, everyone.pairs)
        np.testing.assert_array_equal(everyone.pairs, everyone.pairs.swapaxes(1, 2))


@pytest.mark.parametrize("way", ["table", "deep", "wide"])
def test_pairs_of_some_features_are_those_of_all(way: str) -> None:
    e, columns = larger("one output", 60, n_features=6)
    for background in (None, columns):
        everyone = Explained(e, columns, background=background, way=way)
        some = Explained(e, columns, background=background, way=way, features=[4, 1])
        np.testing.assert_allclose(some.pairs, everyone.pairs[:, [4, 1]][:, :, [4, 1]], rtol=0, atol=1e-13)


@pytest.fixture
def restore_level() -> Iterator[None]:
    level = _native.cpu_level()
    yield
    _native.use_cpu_level(level)


@pytest.mark.parametrize("name", CASES)
def test_levels_agree_to_the_bit(name: str, restore_level: None) -> None:
    e, columns = larger(name, 300)
    long, rows = chain(24)
    found: list[list[NDArray[np.float64]]] = []
    for level in LEVELS:
        _native.use_cpu_level(level)
        made = [
            Explained(e, columns, background=background, way=way).values
            for way in ("table", "deep")
            for background in (None, columns)
        ]
        made += [Explained(long, rows, background=background, pairs=False).values for background in (None, rows)]
        found.append(made)
    for other in found[1:]:
        for mine, its in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(mine, its)


def test_few_and_many_rows_of_a_deep_model_take_other_ways_to_the_same_bits() -> None:
    """Subset sums are faster for many rows, lists of sets for one; both are sums of whole numbers."""
    rng = np.random.default_rng(3)
    recipe = Recipe(n_trees=1, n_features=14, n_leaves=900, n_thresholds=40, shapes=("grown",), odd=False)
    e = built(random_ensemble(rng, recipe))
    columns = random_columns(rng, e._arrays() | {"n_levels": e.features.n_levels}, 3000)
    everyone = Explained(e, columns, background=columns, way="deep", pairs=False)
    one = Explained(e, [column[5:6] for column in columns], background=columns, way="deep", pairs=False)
    np.testing.assert_array_equal(one.values, everyone.values[5:6])
    raw = e._plan().predict_raw(columns)
    np.testing.assert_allclose(everyone.values.sum(axis=1) + everyone.base, raw, rtol=0, atol=1e-12)


@pytest.mark.parametrize("way", ["deep", "table"])
@pytest.mark.parametrize("n_rows", [1, 63, 64, 65, 2047, 2048, 2049, 16_384, 16_385])
def test_stretches_of_rows_meet(n_rows: int, way: str) -> None:
    e, columns = larger("categories", 16_385, n_features=5)
    whole = Explained(e, columns, way=way, pairs=False)
    part = Explained(e, [column[:n_rows] for column in columns], way=way, pairs=False)
    np.testing.assert_array_equal(part.values, whole.values[:n_rows])


@settings(max_examples=50)
@given(weight=st.lists(st.floats(0, 1e300, allow_subnormal=True), min_size=1, max_size=30).filter(lambda w: max(w) > 0))
def test_weights_of_any_size_are_shares(weight: list[float]) -> None:
    e, columns = larger("one output", 30, n_features=3)
    given_weight = np.array(weight)
    some = [column[: len(weight)] for column in columns]
    found = Explained(e, columns, background=some, weight=given_weight, pairs=False)
    share = given_weight / given_weight.max()
    expected = share @ e._plan().predict_raw(some) / share.sum()
    np.testing.assert_allclose(found.base, expected, rtol=1e-12, atol=1e-12)


def test_whole_weights_are_repeated_rows() -> None:
    e, columns = larger("categories", 60)
    weight = np.random.default_rng(0).integers(0, 4, 60).astype(float)
    weighted = Explained(e, columns, background=columns, weight=weight)
    repeated = Explained(e, columns, background=[np.repeat(column, weight.astype(int)) for column in columns])
    np.testing.assert_allclose(weighted.values, repeated.values, rtol=0, atol=1e-14)
    np.testing.assert_allclose(weighted.pairs, repeated.pairs, rtol=0, atol=1e-14)


def test_the_kernels_refuse_what_does_not_fit() -> None:
    e, columns = larger("one output", 10, n_features=3)
    model = _native.AttributionModel(e._trees(), e.weight, e.features.missing_routed)
    other = _native.AttributionModel(e._trees(), e.weight, e.features.missing_routed)
    rows = _native.AttributionBackground(other)
    values = np.zeros(10 * 3)
    with pytest.raises(ValueError, match="no row"):
        rows.close()
    rows.append(columns, None)
    with pytest.raises(ValueError, match="not closed"):
        other.mean(rows)
    with pytest.raises(ValueError, match="not closed"):
        rows.state()
    rows.close()
    with pytest.raises(ValueError, match="is closed"):
        rows.append(columns, None)
    with pytest.raises(ValueError, match="another model"):
        model.add_values(columns, rows, None, values)
    with pytest.raises(ValueError, match="another model"):
        model.add_values(columns, None, _native.AttributionTables(other, None, 1 << 20), values)
    with pytest.raises(ValueError, match="out has 30 entries"):
        model.add_values([column[:5] for column in columns], None, None, values)
    with pytest.raises(ValueError, match="does not exist"):
        model.write_pairs(columns, None, np.array([3], np.int32), values, np.zeros(10))
    with pytest.raises(ValueError, match="cells has"):
        _native.AttributionBackground(model).restore(np.zeros(3, np.uint8), 10, np.zeros(0))


def test_tables_that_would_not_fit_are_not_kept() -> None:
    e, _ = larger("one output", 10)
    model = _native.AttributionModel(e._trees(), e.weight, e.features.missing_routed)
    assert _native.AttributionTables(model, None, 100).n_bytes == 0
    tables = _native.AttributionTables(model, None, 1 << 30)
    assert tables.n_bytes > 10_000


def test_rows_of_cells_are_the_reference_of_the_reference() -> None:
    """The cells the definition works on are those of the rows."""
    case = random_case(5, n_features=3, n_trees=4)
    columns = align(case.X, case.ensemble.features).data
    as_columns = [columns[:, f] for f in range(3)] if isinstance(columns, np.ndarray) else columns
    assert encode(case.ensemble, as_columns) == case.rows
    assert as_frame(case.ensemble, as_columns).shape == case.X.shape
