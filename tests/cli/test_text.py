"""Tables on the screen."""

import numpy as np

from glasswood.cli._text import importance_table, text_table
from glasswood.results import Importance


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


def test_importances_have_a_line_per_feature_and_output() -> None:
    sd, size = np.array([[2.0, 1.0], [0.5, 0.25]]), np.array([[1.5, 0.75], [0.25, 0.125]])
    several = Importance(features=("b", "a"), sd=sd, mean_abs=size, method="path", outputs=("no", "yes"))
    assert importance_table(several).splitlines() == [
        "feature  output    sd  mean |effect|",
        "b        no         2            1.5",
        "b        yes        1           0.75",
        "a        no       0.5           0.25",
        "a        yes     0.25          0.125",
    ]
    one = Importance(
        features=("b",), sd=sd[:1, 0], mean_abs=size[:1, 0], method="path", outputs=("y",), of="attribution"
    )
    assert importance_table(one) == "feature  mean |attribution|  sd\nb                       1.5   2"
