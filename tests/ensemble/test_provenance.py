"""The certificate reads as a sentence."""

import pytest

from glasswood.ensemble import Parity, fit_outputs


def test_parity_says_what_was_compared() -> None:
    assert (
        str(Parity(1500, True, 2.5e-16, 1e-12))
        == "checked on 1,500 rows: leaves equal, largest difference in raw 2.5e-16"
    )
    assert "no leaf numbers" in str(Parity(10, None, 0.0, 0.0))
    assert str(Parity(1, True, 0.0, 0.0, "something else")).endswith("; the library predicted something else")


@pytest.mark.parametrize(("n_classes", "n_outputs", "fits"), [(1, 1, True), (2, 1, True), (3, 1, False), (3, 3, True)])
def test_two_classes_may_have_one_output(n_classes: int, n_outputs: int, fits: bool) -> None:
    assert fit_outputs(range(n_classes), n_outputs) is fits
