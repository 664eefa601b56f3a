"""The command of a benchmark file: which rows run, what is kept, and what a child process answers."""

import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parent.parent.parent / "benchmarks"
FILE = """
from command import ask_child, run_command
from record import Record

def work(report):
    report.add(Record("asked", ask_child(__file__, "2", "3")["product"]))

def child(a, b):
    print("what a library prints on the way")
    return {"product": int(a) * int(b)}

if __name__ == "__main__":
    run_command("tried", None, {"first row": work, "second row": lambda report: 1 / 0}, child)
"""


def test_chosen_rows_run_and_a_child_answers_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bench_tried.py").write_text(FILE)
    command = [sys.executable, str(tmp_path / "bench_tried.py"), "FIRST"]
    monkeypatch.setenv("PYTHONPATH", str(BENCHMARKS))
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said.splitlines()[-1] == "asked  1  6 s" and "written" not in said


def test_a_call_afresh_forgets_what_was_derived(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import bench_effects

    import glasswood as gw

    ensemble = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0]], [0.0, 1.0]).ensemble_
    call = bench_effects.afresh(ensemble, lambda: gw.effects(ensemble))
    call()
    first = ensemble._derived["grid"]
    call()
    assert ensemble._derived["grid"] is not first
