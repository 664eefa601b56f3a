"""The command line: how it exits and how it explains itself."""

import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import glasswood
import glasswood as gw
from glasswood.cli import main
from glasswood.cli._commands import COMMANDS


def test_a_refused_file_exits_with_one_and_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "model.gw").write_text("nothing")
    assert main(["inspect", str(tmp_path / "model.gw")]) == 1
    assert "model.gw" in capsys.readouterr().err


def test_a_wrong_call_exits_with_two(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["nonsense"])
    assert stop.value.code == 2
    assert "usage" in capsys.readouterr().err


def test_python_dash_m_is_the_command() -> None:
    shown = subprocess.run(
        [sys.executable, "-m", "glasswood", "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert shown.strip() == f"glasswood {glasswood.__version__}"


@pytest.mark.parametrize("command", COMMANDS, ids=[command.name for command in COMMANDS])
def test_every_command_explains_itself(command, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command.name, "--help"])
    assert stop.value.code == 0
    shown = capsys.readouterr().out
    assert all(line in shown for line in command.examples)
    with pytest.raises(SystemExit):
        main(["--help"])
    assert command.name in capsys.readouterr().out


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom glasswood.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print([m for m in ('sklearn', 'pandas', 'polars', 'pyarrow', 'matplotlib', 'scipy') if m in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip().endswith("[]")


def test_a_stopped_command_says_so(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("glasswood.readers.read", stop)
    assert main(["inspect", "model.txt"]) == 130
    assert "stopped" in capsys.readouterr().err


def test_a_reader_that_has_seen_enough_is_no_error(tmp_path: Path) -> None:
    gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0]], [1.0, 2.0]).ensemble_.save(tmp_path / "tree.gw")
    command = [sys.executable, "-m", "glasswood", "inspect", str(tmp_path / "tree.gw")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert (process.returncode, said) == (141, "")


def test_a_page_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pd.DataFrame({"x0": [0.0, 1.0]}).to_csv(tmp_path / "rows.csv", index=False)
    gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0]], [1.0, 2.0]).ensemble_.save(tmp_path / "tree.gw")
    (tmp_path / "page.html").mkdir()
    page = str(tmp_path / "page.html")
    assert main(["report", str(tmp_path / "tree.gw"), str(tmp_path / "rows.csv"), "-o", page, "--quiet"]) == 1
    assert f"glasswood: {page}: Is a directory" in capsys.readouterr().err
