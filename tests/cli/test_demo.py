"""`glasswood demo` runs, says what it found and writes its page."""

from pathlib import Path

import pytest

from glasswood.cli import main


def test_the_demo_writes_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "-o", str(tmp_path / "here.html")]) == 0
    assert "1,309 passengers" in capsys.readouterr().out
    assert (tmp_path / "here.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_a_page_is_an_html_file() -> None:
    with pytest.raises(SystemExit):
        main(["demo", "-o", "report.txt"])
