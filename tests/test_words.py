"""Words: one of a thing is not several."""

from glasswood._words import counted, with_minus


def test_one_has_no_plural() -> None:
    assert [counted(n, "row") for n in (0, 1, 2, 12_345)] == ["0 rows", "1 row", "2 rows", "12,345 rows"]


def test_every_hyphen_of_a_number_is_a_minus() -> None:
    assert with_minus("-1.5e-07") == "−1.5e−07" and with_minus("3") == "3"
