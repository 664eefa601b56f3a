"""The bar is drawn on stderr, only if asked, and every item is returned."""

import pytest

from glasswood._progress import Progress, progress_bar


def test_it_gives_every_item_and_draws_the_last(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar(range(3), "growing", show=True) as items:
        assert list(items) == [0, 1, 2]
    shown = capsys.readouterr()
    assert shown.out == "" and "growing" in shown.err and "3/3" in shown.err and shown.err.endswith("\n")


def test_it_is_silent_by_default_and_after_an_interrupt(capsys: pytest.CaptureFixture[str]) -> None:
    with progress_bar([1, 2], "growing", show=False) as items:
        assert sum(items) == 3
    assert capsys.readouterr().err == ""
    with pytest.raises(KeyboardInterrupt), progress_bar([1, 2], "growing", show=True) as items:
        raise KeyboardInterrupt
    assert capsys.readouterr().err.endswith("\n")


def test_it_says_what_begins_and_covers_what_was_on_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("panels", 2, show=True) as outer:
        outer.step()
        with Progress("rows", 3, show=True):
            assert "rows" in capsys.readouterr().err
    drawn = capsys.readouterr().err
    with Progress("x", 3, show=True):
        pass
    assert len(capsys.readouterr().err.strip("\r\n")) == 79 and drawn.endswith("\n")


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


def test_items_are_counted_one_by_one(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("nodes", 4, show=True) as bar:
        assert list(bar.over(iter("ab"))) == ["a", "b"]
        assert list(bar.over([1, 2])) == [1, 2]
    assert "4/4" in capsys.readouterr().err


def test_it_tells_how_long_the_steps_that_are_left_take(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = iter([100.0, 100.0, 130.0, 150.0])  # made, entered, first and last step
    monkeypatch.setattr("glasswood._progress.time.monotonic", lambda: next(now))
    with Progress("boosting", 9, show=True, done=3, left=True) as bar:
        assert "left" not in capsys.readouterr().err  # nothing is known yet
        bar.step(2)
        assert "5/9 30.0 s, 60 s left" in capsys.readouterr().err  # what was done before took none of the time
        bar.step(4)
        assert "9/9 50.0 s " in capsys.readouterr().err
