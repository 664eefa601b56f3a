"""Collective: every member gets the same sums, lists and errors."""

from typing import Any

import numpy as np
import pytest

from glasswood.errors import OptionError, TableError
from glasswood.team import ALONE, Exchange, add_up, agree, gather, gather_json, largest, sum_blocks
from tests.team.members import run_team


@pytest.mark.parametrize("size", [1, 2, 5])
def test_what_members_give_arrives_by_rank(size: int) -> None:
    def work(team: Exchange) -> Any:
        return [bytes(part) for part in gather(team, bytes([team.rank]))], gather_json(team, {"rank": team.rank})

    for parts, told in run_team(size, work):
        assert parts == [bytes([rank]) for rank in range(size)]
        assert told == [{"rank": rank} for rank in range(size)]


@pytest.mark.parametrize("size", [1, 3])
def test_sums_and_largest_numbers_are_those_of_all_members(size: int) -> None:
    numbers = np.random.default_rng(0).integers(-9, 9, (size, 2, 3))

    def work(team: Exchange) -> Any:
        return add_up(team, numbers[team.rank]), largest(team, numbers[team.rank].ravel())

    for sums, most in run_team(size, work):
        np.testing.assert_array_equal(sums, numbers.sum(axis=0))
        np.testing.assert_array_equal(most, numbers.max(axis=0).ravel())


def test_each_member_gets_its_block_of_the_sum() -> None:
    numbers, sizes = np.arange(30).reshape(3, 10), [4, 0, 6]
    blocks = run_team(3, lambda team: sum_blocks(team, numbers[team.rank].copy(), sizes).copy())
    np.testing.assert_array_equal(np.concatenate(blocks), numbers.sum(axis=0))
    assert [len(block) for block in blocks] == sizes


def test_an_error_of_one_member_is_raised_by_all() -> None:
    raised: list[str] = []

    def check(team: Exchange) -> None:
        if team.rank == 1:
            raise TableError("y is missing in row 3")

    def work(team: Exchange) -> None:
        try:
            agree(team, lambda: check(team))
        except TableError as error:
            raised.append(str(error))

    run_team(3, work)
    assert raised == ["part 1: y is missing in row 3"] * 3


def test_one_who_is_alone_raises_its_error_as_it_is() -> None:
    def fail() -> None:
        raise OptionError("no")

    with pytest.raises(OptionError, match=r"^no$"):
        agree(ALONE, fail)
    assert agree(ALONE, lambda: 7) == 7
