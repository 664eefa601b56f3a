"""`glasswood report`: one page from a model file and a table."""

from pathlib import Path

import pytest

from glasswood.cli import main


def test_a_model_file_and_a_table_become_a_page(titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "report.html"
    command = ["report", *titanic, "--target", "survived", "--title", "A <title>", "--weight", "pclass"]
    assert main([*command, "-o", str(out)]) == 0
    text = out.read_text(encoding="utf-8")
    assert "A &lt;title&gt;" in text and len(text) < 2_000_000
    assert capsys.readouterr().out.startswith(f"{out}: ")


def test_what_could_not_be_shown_is_named(titanic, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", *titanic, "--examples", "0", "-o", str(tmp_path / "r.html")]) == 0
    assert "Rules, Examples could not be shown" in capsys.readouterr().out
    assert main(["report", *titanic, "--quiet", "-o", str(tmp_path / "r.html")]) == 0
    assert "<title>model.txt (LightGBM)</title>" in (tmp_path / "r.html").read_text(encoding="utf-8")
    assert capsys.readouterr().out == ""


def test_a_page_must_be_named(titanic) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["report", *titanic])
    assert stop.value.code == 2
