"""Tables for notebooks: short, escaped, and with a note about omitted rows."""

import numpy as np

from glasswood.results._html import Bar, html_table, number


def test_foreign_text_is_escaped() -> None:
    shown = html_table("<b>", ["<i>"], [["<script>"]])
    assert "<b>" not in shown
    assert "<i>" not in shown
    assert "<script>" not in shown


def test_long_tables_say_how_much_is_left_out() -> None:
    assert "88 more" in html_table("t", ["x"], [[float(k)] for k in range(100)])
    assert "more" not in html_table("t", ["x"], [[1.0]])


def test_numbers_are_short() -> None:
    assert [number(x) for x in (1234567.0, 0.123456, np.nan)] == ["1,234,567", "0.1235", "–"]


def test_bars_start_at_zero() -> None:
    shown = html_table(
        "t", ["x"], [[Bar(-1.0, 2.0)], [Bar(2.0, 2.0)], [Bar(1.0, 2.0, signed=False)], [Bar(np.nan, 2.0)]]
    )
    assert "left:25.0%;width:25.0%" in shown
    assert "left:50.0%;width:50.0%" in shown
    assert "left:0.0%;width:50.0%" in shown
