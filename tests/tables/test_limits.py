"""Limits name what they refuse."""

import pytest

from glasswood.errors import TableError
from glasswood.tables import TableLimits

LIMITS = TableLimits(rows=10, columns=5, cells=20, memory=2**20)


@pytest.mark.parametrize(
    ("n_rows", "n_columns", "said"), [(11, 1, "more than 10 rows"), (1, 6, "6 columns; at most 5"), (7, 3, "20 cells")]
)
def test_a_size_beyond_a_limit_is_refused(n_rows: int, n_columns: int, said: str) -> None:
    with pytest.raises(TableError, match=said):
        LIMITS.check_size(n_rows, n_columns)


def test_sizes_at_the_limit_are_accepted() -> None:
    LIMITS.check_size(10, 2)
    LIMITS.check_size(4, 5)
    LIMITS.check_memory(2**20)
    with pytest.raises(TableError, match="more than 1 MB of memory"):
        LIMITS.check_memory(2**20 + 1)
