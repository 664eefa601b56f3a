"""`glasswood demo` runs and proves what it read."""

import pytest

from glasswood.cli import main


def test_the_demo_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    assert "leaves equal" in capsys.readouterr().out
