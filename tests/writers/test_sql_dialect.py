"""Numbers as databases read them."""

import sqlite3
import sys

import numpy as np
import pytest

from glasswood.writers import DIALECTS

# SQLite 3.40 takes the shortest digits of these for the double beside
BETWEEN = (0.3744935453302424, 0.8043448494107031, 0.00027792211430722037, 2.4242289876211008e-09, 107570.26586505459)


def read_by_sqlite(literals: list[str]) -> list[float]:
    with sqlite3.connect(":memory:") as database:
        return [number for (number,) in database.execute(" UNION ALL ".join(f"SELECT {text}" for text in literals))]


def test_sqlite_reads_every_number_as_it_was() -> None:
    drawn = np.random.default_rng(0).normal(size=400) * 10.0 ** np.random.default_rng(1).integers(-9, 9, 400)
    numbers = [*BETWEEN, *(-x for x in BETWEEN), 0.0, sys.float_info.max, -2.5, *drawn.tolist()]
    write = DIALECTS["sqlite"].number
    found = [
        value for k in range(0, len(numbers), 100) for value in read_by_sqlite([*map(write, numbers[k : k + 100])])
    ]
    assert found == numbers


@pytest.mark.parametrize("number", [0.1, 0.5, 34.25, 1e22])
def test_numbers_that_are_safe_keep_their_shortest_digits(number: float) -> None:
    assert float(DIALECTS["sqlite"].number(number)) == number
    assert DIALECTS["sqlite"].number(number).split("e")[0] == repr(number).split("e")[0]
