"""The background on the command line."""

import pytest

from glasswood.cli import main


def test_a_weight_needs_its_background(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["attributions", *titanic, "--weight", "mass"]) == 1
    assert "--background" in capsys.readouterr().err


def test_an_unknown_weight_is_named(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    assert main(["attributions", model, rows, "--background", rows, "--weight", "nobody"]) == 1
    assert "has no column 'nobody'" in capsys.readouterr().err
