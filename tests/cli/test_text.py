"""Tables on the screen."""

from glasswood.cli._text import text_table


def test_numbers_are_aligned_right_and_text_left() -> None:
    assert (
        text_table({"name": ["a", "long"], "n": [1, 200], "x": [0.5, None]})
        == "name    n  x\na       1  0.5\nlong  200  –"
    )


def test_long_tables_say_how_many_rows_are_left_out() -> None:
    assert text_table({"n": list(range(50))}, most=2).splitlines()[-1] == "… 48 more"


def test_a_table_of_no_rows_is_its_header() -> None:
    assert text_table({"a": [], "b": []}) == "a  b"


def test_a_name_with_a_line_break_stays_on_its_line() -> None:
    assert text_table({"feature": ["größe\nin cm"], "a\tb": [1]}) == "feature       a\\tb\ngröße\\nin cm     1"
