"""Fingerprint: it tells values and order, and neither the cut of the rows nor the form in which words are kept."""

from typing import Any

import numpy as np
import pandas as pd

from glasswood.dask._fingerprint import fingerprint_of, joined_fingerprint

N = 40
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "a": np.where(RNG.random(N) < 0.2, np.nan, RNG.normal(size=N)),
        "k": RNG.integers(0, 5, N),
        "town": RNG.choice(["Ayr", "Bath", None], N),
        "mixed": [(1, "1")[k % 2] for k in range(N)],
    }
)
Y = FRAME["a"].fillna(0.0)


def told(frame: Any, y: Any, cuts: list[int], *, ordered: bool = True) -> str:
    """Fingerprint of a frame that is cut before these rows."""
    ends = list(zip([0, *cuts], [*cuts, len(frame)], strict=True))
    numbers = [fingerprint_of(frame.iloc[a:b], y.iloc[a:b], ordered=ordered) for a, b in ends]
    return joined_fingerprint(numbers, [b - a for a, b in ends], ordered=ordered)


def test_the_cut_and_the_form_of_words_do_not_count() -> None:
    known = told(FRAME, Y, [])
    assert known == told(FRAME, Y, [0, 7, 7, 30]) == told(FRAME, Y, list(range(N)))
    assert known == told(FRAME.astype({"town": "category", "k": "Int64"}), Y, [10])
    assert known == told(FRAME.set_axis(RNG.permutation(N)), Y, [10])  # nor does the index


def test_every_value_and_its_place_counts() -> None:
    known = told(FRAME, Y, [10])
    for name, value in (("a", 1.0), ("k", 9), ("town", "Cork"), ("mixed", "2")):
        for row in (0, N - 1):
            other = FRAME.copy()
            other.loc[row, name] = value
            assert told(other, Y, [10]) != known
    assert told(FRAME[["k", "a", "town", "mixed"]], Y, [10]) != known
    swapped = np.r_[1, 0, 2:N]
    assert told(FRAME.iloc[swapped], Y.iloc[swapped], [10]) != known
    assert told(FRAME, Y + 1.0, [10]) != known


def test_rows_with_numbers_of_their_own_may_come_in_any_order() -> None:
    shuffled = FRAME.assign(number=range(N)).iloc[RNG.permutation(N)]
    known = told(FRAME.assign(number=range(N)), Y, [10], ordered=False)
    assert told(shuffled, Y.loc[shuffled.index], [5, 6], ordered=False) == known
    assert told(shuffled.assign(number=range(N)), Y.loc[shuffled.index], [5, 6], ordered=False) != known


def test_arrays_are_told_by_their_values() -> None:
    X = FRAME[["a", "k"]].to_numpy()
    known = fingerprint_of(X, Y.to_numpy(), ordered=True)
    assert known == fingerprint_of(FRAME[["a", "k"]], Y, ordered=True)
    assert known == fingerprint_of(X + 0.0, np.where(Y == 0, -0.0, Y), ordered=True)
    assert fingerprint_of(X[:0], Y.to_numpy()[:0], ordered=True) == 0
