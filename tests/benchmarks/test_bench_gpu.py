"""The tables of the page on GPUs are those of the saved run."""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "how-to" / "gpu.md").read_text(encoding="utf-8")
RECORDS = {
    record["work"]: record
    for record in json.loads((ROOT / "benchmarks" / "results" / "gpu.json").read_text())["records"]
}
WHAT = {"squared error": "", "squared error, `cred_std`": ", cred_std", "logistic": ", logistic"}
WORKS = {
    "prediction, trees of 31 leaves": "predict {} × 30, 300 trees of 31 leaves",
    "effects of 30 features, 5 levels, 64 bins": "effects of {} × 30, 300 trees of 5 levels",
    "435 pairs, 5 levels, 64 bins": "435 pairs of {} × 30, 300 trees of 5 levels",
    "attributions, 5 levels, 64 bins": "attributions of {} × 30, 300 trees of 5 levels",
}


def rows_below(head: str) -> list[list[str]]:
    """Cells of the table whose first line begins like this."""
    lines = PAGE[PAGE.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def seconds(record: Any) -> str:
    return f"{record['ours']:.2f} s" if record else ""


def test_the_table_of_boosting_is_that_of_the_saved_run() -> None:
    found = rows_below("| rows | bins | what |")
    for rows, bins, what, ours, theirs, ratio, from_numpy, from_cupy, trees in found:
        work = f"boost {rows} × 100, 6 levels, {bins}{WHAT[what]}"
        record = RECORDS[f"{work}, per round"]
        assert (ours, theirs) == (f"{record['ours'] * 1e3:.2f} ms", f"{record['theirs'] * 1e3:.0f} ms")
        assert ratio == f"{record['theirs'] / record['ours']:.0f}"
        assert from_numpy == seconds(RECORDS.get(f"{work}, 200 rounds from a NumPy array"))
        assert from_cupy == seconds(RECORDS.get(f"{work}, 200 rounds from a CuPy array"))
        (known,) = re.findall(r"have the hash (\w+) on both", record["note"])
        assert trees == f"`{known}`"
    assert len(found) == sum(work.endswith("per round") for work in RECORDS)


def test_the_table_of_rows_is_that_of_the_saved_run() -> None:
    found = rows_below("| rows | what | GPU | CPU | ratio |")
    for rows, what, ours, theirs, ratio in found:
        record = RECORDS[WORKS[what].format(rows)]
        assert ours == f"{record['ours'] * 1e3:.1f} ms"
        measured = record["theirs"] is not None
        assert theirs == (f"{record['theirs'] * 1e3:.0f} ms" if measured else "not measured")
        assert ratio == (f"{record['theirs'] / record['ours']:.0f}" if measured else "")
    assert len(found) == sum(not work.startswith("boost") for work in RECORDS)
