"""Ticks are round, inside the range, and few."""

from hypothesis import given
from hypothesis import strategies as st

from glasswood.web.panels._ticks import ticks


def test_ticks_are_round_numbers() -> None:
    assert ticks(-0.76, 1.21, 5) == [[-0.5, "−0.5"], [0.0, "0"], [0.5, "0.5"], [1.0, "1"]]
    assert ticks(0.0, 1.6e7, 4) == [[0.0, "0"], [5e6, "5 M"], [1e7, "10 M"], [1.5e7, "15 M"]]
    assert [text for _, text in ticks(2_000_000.0, 2_000_040.0, 2)] == ["2,000,000", "2,000,020", "2,000,040"]


@given(st.floats(-1e9, 1e9), st.floats(1e-6, 1e9), st.integers(2, 9))
def test_ticks_lie_in_the_range(low: float, span: float, most: int) -> None:
    found = [place for place, _ in ticks(low, low + span, most)]
    assert len(found) <= most + 1
    assert all(low - 1e-6 * span <= place <= low + span * (1 + 1e-6) or abs(low) > 1e5 * span for place in found)
    assert found == sorted(found)


def test_a_range_of_no_width_has_one_tick() -> None:
    assert ticks(2.0, 2.0) == [[2.0, "2"]]
    assert ticks(float("nan"), 1.0) == []
