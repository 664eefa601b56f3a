"""Bindings of trees by level: they require the right order of calls, check data of other machines, stop at Ctrl-C."""

import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from glasswood import _native
from tests.native.boosting_cases import NO_NUMBERS, NONE, OPTIONS, N, P, binned, numbers, statistics

RECORD = struct.Struct("<4BIIid4q4Q")
LEVEL = struct.Struct("<II4q")


class Growing:
    """A tree of one rank whose root is open."""

    def __init__(self) -> None:
        self.tree = _native.LevelTree(*binned(), _native.NodeRules(**OPTIONS), 0, 1)
        self.stats = statistics()
        self.tree.begin(self.stats, np.arange(N, dtype=np.uint32), numbers(0, 1, 2))

    def filled(self) -> Any:
        out = np.empty(self.tree.segments().sum(), dtype=np.int64)
        self.tree.fill(out, 1)
        return out

    def scanned(self) -> bytes:
        return self.tree.scan(self.filled(), 1)


class GrowingWide(Growing):
    """The same where feature 1 is a category of nine levels in two bytes: rows have 0, 3, 6 or no value."""

    def __init__(self, rows: slice = slice(N), rank: int = 0, n_ranks: int = 1) -> None:
        codes = [0, 3, 6, 9] * 3
        category = {"is_category": np.array([False, True, False]), "n_wide": np.array([0, 9, 0], dtype=np.uint16)}
        rules = _native.NodeRules(**{**OPTIONS, **category})
        self.tree = _native.LevelTree(*binned(), rules, rank, n_ranks, np.array([codes], dtype=np.uint16))
        self.stats = _native.RowStatistics(True)
        grad = np.where(np.isin(codes, (3, 9)), -1.0, 1.0)
        self.stats.set(grad, np.ones(N), NONE, NO_NUMBERS, 0, 0, 1)
        self.tree.begin(self.stats, np.arange(N, dtype=np.uint32)[rows], numbers(1))
        self.sizes = self.tree.segments()

    def sent(self) -> list[bytes]:
        self.own = self.filled()
        return self.tree.levels(1)


def test_levels_of_a_category_of_two_bytes_are_sent_in_one_layout() -> None:
    growing = GrowingWide()
    (sent,) = growing.sent()
    assert LEVEL.size == 40
    records = [LEVEL.unpack(sent[at : at + 40]) for at in range(0, len(sent), 40)]
    # missing values first, with the number of levels that follow; then level and rows
    assert [record[:2] for record in records] == [(3, 3), (0, 3), (3, 3), (6, 3)]
    np.testing.assert_array_equal(np.sum([record[2:] for record in records], axis=0), growing.own[1:5])
    split = growing.tree.scan(growing.own, 1, [sent])
    assert len(split) == RECORD.size + 8  # nine levels, missing and unseen fit one word
    missing_left, left = RECORD.unpack(split[:88])[1], int.from_bytes(split[88:], "little")
    assert missing_left == 0 and left & 0b1001001001 == 0b0001000001  # 3 and missing go right
    with pytest.raises(ValueError, match="no whole number of entries"):
        growing.tree.choose(split[:-1], 1)
    growing.tree.choose(split, 1)


def test_levels_of_several_ranks_are_added_up() -> None:
    whole = GrowingWide()
    sent = whole.sent()
    split = whole.tree.scan(whole.own, 1, sent)
    members = [GrowingWide(slice(4), 0, 2), GrowingWide(slice(4, N), 1, 2)]
    found = [member.sent() for member in members]
    owner = int(len(found[0][1]) > 0)
    sizes = members[0].sizes
    own = sum(member.own for member in members)[sum(sizes[:owner]) :][: sizes[owner]]
    assert members[owner].tree.scan(own, 1, [sent[owner] for sent in found]) == split


@pytest.mark.parametrize(
    ("levels", "message"),
    [
        ([], "levels of 0 ranks, expected 1"),
        ([b"x" * 41], "levels have no whole number of entries"),
        ([b""], "a list of levels that is damaged"),
        ([LEVEL.pack(1, 0, 0, 0, 0, 0)], "damaged"),  # the level is missing
        ([LEVEL.pack(0, 0, 0, 0, 0, 0) * 2], "more lists of levels than open nodes"),
        ([LEVEL.pack(1, 0, 0, 0, 0, 0) + LEVEL.pack(9, 1, 0, 0, 0, 0)], "damaged"),  # no such level
        ([LEVEL.pack(2, 0, 0, 0, 0, 0) + LEVEL.pack(4, 1, 0, 0, 0, 0) * 2], "damaged"),  # twice
    ],
)
def test_levels_that_do_not_fit_are_refused(levels: list[bytes], message: str) -> None:
    growing = GrowingWide()
    growing.sent()
    with pytest.raises(ValueError, match=message):
        growing.tree.scan(growing.own, 1, levels)


def test_a_block_holds_the_rows_the_sums_of_the_root_and_its_cells() -> None:
    growing = Growing()
    block = growing.filled()
    cells = block[5:].reshape(3, 5, 4)
    assert block[0] == N and len(block) == 1 + 4 + 3 * 5 * 4
    np.testing.assert_array_equal(cells.sum(axis=1), np.tile(block[1:5], (3, 1)))


def test_a_record_has_one_layout() -> None:
    growing = Growing()
    records = growing.scanned()
    assert len(records) % RECORD.size == 0 and RECORD.size == 88
    version, missing_left, unseen_left, unused, node, feature, bin_, gain, *rest = RECORD.unpack(records[:88])
    assert (version, missing_left in (0, 1), unseen_left, unused, node) == (1, True, 0, 0, 0)
    assert feature < P and 0 <= bin_ < 4 and gain > 0
    assert rest[4] & 0b1111 == 2 ** (bin_ + 1) - 1  # these bins go left
    assert growing.tree.choose(records, 1) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({0: 2}, "a split record of version 2, expected 1"),
        ({1: 2}, "damaged"),
        ({2: 2}, "damaged"),
        ({3: 1}, "damaged"),
        ({4: 1}, "a split record of node 1, which is not open"),
        ({5: P}, "a split record of feature 3, which this tree does not use"),
        ({6: 4}, "damaged"),
        ({6: -1}, "damaged"),
        ({7: np.nan}, "damaged"),
        ({7: 0.0}, "damaged"),
    ],
)
def test_records_that_do_not_fit_are_refused(change: dict[int, Any], message: str) -> None:
    growing = Growing()
    fields = list(RECORD.unpack(growing.scanned()[:88]))
    for place, value in change.items():
        fields[place] = value
    with pytest.raises(ValueError, match=message):
        growing.tree.choose(RECORD.pack(*fields), 1)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda g: g.tree.scan(np.zeros(65, dtype=np.int64), 1), "cannot call scan now; the next step is fill"),
        (lambda g: g.tree.choose(b"", 1), "cannot call choose now; the next step is fill"),
        (lambda g: g.tree.levels(1), "cannot call levels now; the next step is fill"),
        (lambda g: g.tree.leaf_sums(1), "cannot call leaf_sums now; the next step is fill"),
        (lambda g: g.tree.finish(NO_NUMBERS), "cannot call finish now; the next step is fill"),
        (lambda g: g.tree.fill(np.zeros(64, dtype=np.int64), 1), "out has 64 entries, expected 65"),
        (lambda g: g.tree.scan(g.filled()[1:], 1), "own has 64 entries, expected 65"),
        (lambda g: (g.filled(), g.tree.segments()), "cannot call segments now; the next step is scan"),
        (lambda g: g.tree.choose(g.scanned()[1:], 1), "no whole number of entries"),
        (lambda g: g.tree.begin(statistics(N - 1), numbers(0), numbers(0)), "stats has 11 entries, expected 12"),
        (lambda g: g.tree.begin(g.stats, numbers(N), numbers(0)), "rows must hold numbers from 0 to 12"),
        (lambda g: g.tree.begin(g.stats, numbers(0), numbers(P)), "columns must hold numbers from 0 to 3"),
        (lambda g: g.tree.begin(g.stats, numbers(0), numbers(1, 0)), "columns must ascend"),
        (lambda g: _native.LevelTree(*binned(), _native.NodeRules(**OPTIONS), 2, 2), "rank must be less than n_ranks"),
        (lambda g: _native.LevelTree(*binned(N, 2), _native.NodeRules(**OPTIONS), 0, 1), "rules has 3 entries"),
    ],
)
def test_a_tree_takes_nothing_that_is_out_of_turn_or_does_not_fit(call: Callable[[Growing], Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call(Growing())


def test_statistics_stay_as_they_are_while_a_tree_grows() -> None:
    growing = Growing()
    growing.stats.set(np.ones(N), np.ones(N), NONE, NO_NUMBERS, 0, 0, 1)
    with pytest.raises(ValueError, match="set again while the tree was growing"):
        growing.tree.segments()


def test_a_tree_without_records_is_its_root() -> None:
    growing = Growing()
    growing.scanned()
    assert growing.tree.choose(b"", 1) == 0
    assert growing.tree.leaf_sums(1).size == 0
    with pytest.raises(ValueError, match="leaf_sums has 1 entries, expected 0"):
        growing.tree.finish(np.zeros(1, dtype=np.int64))
    tree = growing.tree.finish(NO_NUMBERS)
    assert tree.arrays()["feature"].tolist() == [-1] and tree.arrays()["weight"].tolist() == [N]
    with pytest.raises(ValueError, match="the next step is begin"):
        growing.tree.segments()


def test_units_come_from_the_numbers_of_all_ranks() -> None:
    grad, hess = np.linspace(-1, 1, N), np.ones(N)
    stats = _native.RowStatistics(True)
    largest = _native.largest_statistics(grad, hess, NONE, 1)
    np.testing.assert_array_equal(largest, [1.0, 1.0, 1.0, 1.0])
    rough = _native.rough_statistics(grad, hess, NONE, largest, 1)
    parts = [_native.rough_statistics(grad[s], hess[s], NONE, largest, 1) for s in (slice(5), slice(5, 5), slice(5, N))]
    np.testing.assert_array_equal(sum(parts), rough)
    units = stats.units(largest, rough, N)
    assert np.all(np.frexp(units)[0] == 0.5)  # powers of two
    for wrong, message in ((units[:3], "units has 3 entries"), (units * 0, "units must be at least")):
        with pytest.raises(ValueError, match=message):
            stats.set_part(grad, hess, NONE, NO_NUMBERS, 0, 0, wrong, N, 1)
    with pytest.raises(ValueError, match="n_table must be at least 12"):
        stats.set_part(grad, hess, NONE, NO_NUMBERS, 0, 0, units, N - 1, 1)
    with pytest.raises(ValueError, match="largest has 2 entries"):
        stats.units(largest[:2], rough, N)


@pytest.mark.serial
def test_a_level_of_a_large_table_stops_at_control_c(control_c: Callable[[int], None]) -> None:
    n, p = 2**17, 32
    rules = _native.NodeRules(
        **OPTIONS
        | {
            "n_bins": np.full(p, 4, dtype=np.uint16),
            "is_category": np.zeros(p, dtype=bool),
            "monotone": np.zeros(p, dtype=np.int32),
        }
    )
    tree = _native.LevelTree(*binned(n, p), rules, 0, 1)
    stats = statistics(n)
    tree.begin(stats, np.arange(n, dtype=np.uint32), np.arange(p, dtype=np.uint32))
    control_c(2)
    with pytest.raises(KeyboardInterrupt):
        tree.fill(np.empty(tree.segments().sum(), dtype=np.int64), 2)
    with pytest.raises(ValueError, match="the next step is begin"):
        tree.segments()
    tree.begin(stats, np.arange(n, dtype=np.uint32), np.arange(p, dtype=np.uint32))
    assert tree.segments().sum() == 1 + 4 + p * 5 * 4
