"""Places: a row of a member is named by its partition."""

import pytest

from glasswood.dask._places import with_places
from glasswood.errors import OptionError, TableError

PLACED = {"tcp://a": [0, 3], "tcp://b": [1, 2]}
DEALT = [{"tcp://a": [1], "tcp://b": [0]}]
N_ROWS = [[10, 20, 0, 30], [5, 6]]


@pytest.mark.parametrize(
    ("message", "wanted"),
    [
        ("part 0: y is missing in row 9; fill it in", "partition 0: y is missing in row 9; fill it in"),
        ("part 0: y is missing in row 10; fill it in", "partition 3: y is missing in row 0; fill it in"),
        ("part 1: found -1 in row 19", "partition 1: found -1 in row 19"),
        ("y is infinite in row 12", "partition 3: y is infinite in row 2"),  # the only member
        ("eval0: part 1: y is missing in row 4", "eval0: partition 0: y is missing in row 4"),
        ("part 1: sample_weight holds text", "worker tcp://b: sample_weight holds text"),
        ("row_id must differ from row to row; 3 stands for 2 rows", None),
        ("max_depth must be a whole number", None),
    ],
)
def test_rows_are_named_by_their_partition(message: str, wanted: str | None) -> None:
    for kind in (TableError, OptionError):
        found = with_places(kind(message), PLACED, DEALT, N_ROWS)
        assert type(found) is kind and str(found) == (wanted or message)


def test_a_row_that_was_counted_after_others_were_set_aside_is_not_looked_up() -> None:
    counted, read = TableError("part 0: found -1 in row 9"), TableError("part 0: y is missing in row 9")
    assert str(with_places(counted, PLACED, DEALT, N_ROWS, set_aside=True)) == "worker tcp://a: found -1 in row 9"
    assert str(with_places(read, PLACED, DEALT, N_ROWS, set_aside=True)) == "partition 0: y is missing in row 9"
