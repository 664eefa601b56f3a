"""Keys of CTR tables: levels and combinations are recovered from the keys alone."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.catboost import _ctr_keys
from glasswood.readers.catboost._ctr_keys import decode_tables
from glasswood.readers.catboost._model_content import CategoryFeature, Combination, Ctr, CtrTable, ModelContent
from tests.readers.ctr_documents import key_of

HASH = st.integers(0, 2**32 - 1)


def signed(known: int) -> int:
    return known if known < 2**31 else known - 2**32


def ctr(combination: Combination, keys: list[int]) -> Ctr:
    table = CtrTable(keys=np.array(sorted(keys), dtype=np.uint64), counts=np.ones((len(keys), 1)), denominator=1)
    return Ctr(combination, "Counter", table, 0, (0.0, 1.0), 0.0, 1.0, np.zeros(1, dtype=np.float32))


def parts_of(n_categories: int, *ctrs: Ctr, split_off: tuple[int, ...] = ()) -> ModelContent:
    none = np.zeros(0)
    categories = tuple(
        CategoryFeature(c, c, f"c{c}", split_off if c == 0 else (), (), len(split_off) if c == 0 else 0)
        for c in range(n_categories)
    )
    return ModelContent(
        dimension=1, scale=1.0, bias=np.zeros(1), floats=(), categories=categories, info={}, leaf_weights=none,
        tree_sizes=none.astype(np.int64), splits=none.astype(np.int64), steps=None, leaf_of=none.astype(np.int64),
        leaf_values=none, ctrs=ctrs,
    )  # fmt: skip


@given(st.lists(HASH, min_size=1, max_size=6, unique=True), st.lists(HASH, min_size=1, max_size=6, unique=True), HASH)
@settings(max_examples=60)
def test_levels_and_combinations_are_found_again(first: list[int], second: list[int], split_off: int) -> None:
    both = Combination((0, 1), ((0, 0.5),), ((0, first[0]),))
    combined = list(itertools.product(first, second, (0, 1), (0, 1)))
    keys = {key_of([signed(a), signed(b), x, e]): (a, b, x, e) for a, b, x, e in combined}
    single = ctr(Combination((0,), (), ()), [key_of([signed(a)]) for a in first])
    several = ctr(both, list(keys))
    # only one category has its own table; the levels of the other follow
    parts, decoded = decode_tables(parts_of(2, several, single, split_off=(split_off,)))
    assert parts.categories[0].hashes == (split_off, *sorted(set(first) - {split_off}))
    assert parts.categories[1].hashes == tuple(sorted(second))
    found = decoded[id(several.table)]
    for key, own in zip(several.table.keys[found.key].tolist(), found.parts.tolist(), strict=True):
        assert keys[key] == tuple(own)
    assert set(found.key.tolist()) == set(range(len(keys)))


def test_a_level_that_only_a_combination_has_seen_is_found() -> None:
    """With counter_calc_method Full, CatBoost also counts rows of the evaluation table."""
    single = [ctr(Combination((c,), (), ()), [key_of([1])]) for c in range(2)]
    pair = ctr(Combination((0, 1), (), ()), [key_of([1, 1]), key_of([2, 1]), key_of([1, 3])])
    parts, _ = decode_tables(parts_of(2, *single, pair))
    assert {parts.categories[0].hashes, parts.categories[1].hashes} == {(1, 2), (1, 3)}


def test_levels_that_the_file_does_not_tell_are_refused() -> None:
    pair = ctr(Combination((0, 1), (), ()), [key_of([1, 1])])
    with pytest.raises(UnsupportedModelError, match=r"'c0', 'c1'.*does not tell their levels; .*max_ctr_complexity=1"):
        decode_tables(parts_of(2, pair))


def test_a_key_of_unknown_levels_is_refused() -> None:
    with pytest.raises(UnsupportedModelError, match="does not belong to known levels"):
        decode_tables(parts_of(1, ctr(Combination((0,), (), ()), [12345])))


def test_too_many_combinations_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    pair = ctr(Combination((0, 1), (), ()), [key_of([1, 1])])
    single = ctr(Combination((0,), (), ()), [key_of([level]) for level in range(50)])
    decode_tables(parts_of(2, single, pair))
    monkeypatch.setattr(_ctr_keys, "_MAX_WORK", 64 * 40)
    with pytest.raises(UnsupportedModelError, match="too many combinations of levels"):
        decode_tables(parts_of(2, single, pair))


def test_tests_without_end_take_no_memory() -> None:
    borders = tuple((0, float(k)) for k in range(200))
    with pytest.raises(UnsupportedModelError, match="too many combinations"):
        decode_tables(parts_of(1, ctr(Combination((0,), borders, ()), [1])))


@pytest.mark.parametrize("categories", [(), (0, 0), (5,)])
def test_a_ctr_without_categories_is_refused(categories: tuple[int, ...]) -> None:
    with pytest.raises(ModelFileError, match="a CTR is taken over a category"):
        decode_tables(parts_of(1, ctr(Combination(categories, (), ()), [1])))
