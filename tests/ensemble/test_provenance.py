"""The certificate reads as a sentence."""

from glasswood.ensemble import Parity


def test_parity_says_what_was_compared() -> None:
    assert (
        str(Parity(1500, True, 2.5e-16, 1e-12))
        == "checked on 1,500 rows: leaves equal, largest difference in raw 2.5e-16"
    )
    assert "no leaf numbers" in str(Parity(10, None, 0.0, 0.0))
    assert str(Parity(1, True, 0.0, 0.0, "something else")).endswith("; the library predicted something else")
