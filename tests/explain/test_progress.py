"""Progress: a bar when asked for, silence otherwise."""

import pytest

from glasswood.explain._progress import Progress


def test_a_bar_is_drawn_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("work", 4, show=True) as bar:
        bar.step(2)
    drawn = capsys.readouterr()
    assert "2/4" in drawn.err
    assert drawn.out == ""


def test_without_a_total_steps_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("rows", None, show=True) as bar:
        bar.step()
    assert "rows 1" in capsys.readouterr().err


def test_silence_is_the_default(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("work", 4, show=False) as bar:
        bar.step()
    assert capsys.readouterr().err == ""
