"""Output: the suffix of a name decides the format, and a wrong one is a wrong call."""

import argparse
import json
from pathlib import Path

import pytest

from glasswood.cli._output import Output, add_output, shows_progress, write_output
from glasswood.errors import TableError
from glasswood.tables import make_frame

OUTPUT = Output(
    text=lambda: "on the screen",
    frame=lambda: make_frame({"a": [1.5]}),
    document=lambda: {"é": [1, None]},
    page=lambda: "<p>page</p>",
    more=((".sql", lambda: "SELECT 1"),),
)


def test_every_suffix_has_its_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_output(OUTPUT, None)
    assert capsys.readouterr().out == "on the screen\n"
    written = {}
    for end in ("csv", "json", "html", "sql"):
        write_output(OUTPUT, tmp_path / f"out.{end}")
        written[end] = (tmp_path / f"out.{end}").read_text(encoding="utf-8")
    assert written == {"csv": "a\n1.5\n", "json": '{"é":[1,null]}\n', "html": "<p>page</p>", "sql": "SELECT 1"}
    assert json.loads(written["json"]) == {"é": [1, None]}


def test_wrong_suffixes_and_folders_are_wrong_calls(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_output(parser, ".sql")
    assert parser.parse_args(["-o", str(tmp_path / "x.SQL")]).file == tmp_path / "x.SQL"
    for name in ("x.doc", "nowhere/x.csv"):
        with pytest.raises(SystemExit) as stop:
            parser.parse_args(["-o", str(tmp_path / name)])
        assert stop.value.code == 2
    assert "does not exist" in capsys.readouterr().err


def test_a_path_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "taken.html").mkdir()
    with pytest.raises(TableError, match=r"taken\.html"):
        write_output(OUTPUT, tmp_path / "taken.html")


def test_a_bar_is_shown_only_on_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    assert shows_progress(argparse.Namespace(quiet=False))
    assert not shows_progress(argparse.Namespace(quiet=True))
