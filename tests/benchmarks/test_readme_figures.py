"""The figures of the README are those of the saved runs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
UNITS = {"s": 1.0, "ms": 1e-3}
ATTRIBUTIONS, EFFECTS, BOOSTING = "attributions", "effects", "boosting"
# the beginning of a row, the file and work of its records, and the peers in their order
TASKS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "predict 100,000 × 30, LightGBM": ("predict", "predict 100,000 × 30, LightGBM 300 × 31 leaves", ("LightGBM",)),
    "predict, XGBoost": ("predict", "predict 100,000 × 30, XGBoost 300 × depth 6", ("XGBoost",)),
    "predict, CatBoost": ("predict", "predict 100,000 × 30, CatBoost 300 × depth 6", ("CatBoost",)),
    "predict, forest": ("predict", "predict 100,000 × 30, scikit-learn forest, 100 deep trees", ("scikit-learn",)),
    "read 1,000 trees": ("read", "read 1,000 trees × 31 leaves of LightGBM", ("LightGBM dump_model()",)),
    "exact partial dependence": (EFFECTS, "12 effects, exact at every threshold", ("woodelf",)),
    "all 190 pair tables": (EFFECTS, "190 pairs by treemind's formula, 300 trees", ("treemind 0.2.0",)),
    "exact Shapley values": (ATTRIBUTIONS, "path, LightGBM 300 × 31", ("LightGBM", "woodelf")),
    "the same over 20,000": (ATTRIBUTIONS, "20,000 background rows, XGBoost", ("woodelf",)),
    "their pair interactions": (
        ATTRIBUTIONS,
        "interactions by path, XGBoost",
        ("woodelf", "XGBoost, scaled from 200 rows"),
    ),
    "all 66 exact pair": (EFFECTS, "66 pairs, exact, and H²", ()),
    "boost 1,000,000": (
        BOOSTING,
        "boost 1,000,000 × 100, 6 levels, 255 bins, 20 trees: prep + fit",
        ("catboost", "lightgbm", "xgboost"),
    ),
    "boost 100,000": (
        BOOSTING,
        "boost 100,000 × 100, 5 levels, 64 bins, 200 trees, 50% of rows and columns: prep + fit",
        ("lightgbm", "catboost", "xgboost"),
    ),
    "SIRUS rules": ("rules", "fit, 10,000 × 20", ("woodtapper",)),
    "nearest training rows": (
        "examples",
        "5 nearest of 1,000 queries × 10,000 rows × 100 trees",
        ("woodtapper 0.1.0",),
    ),
}


def records(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((ROOT / "benchmarks" / "results" / f"{name}.json").read_text())["records"]
    return found


def cells(head: str) -> list[list[str]]:
    """Cells of the table whose first line begins like this."""
    lines = README[README.index(head) :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip().replace("**", "") for cell in line.strip("|").split("|")] for line in lines]


def is_shown(shown: str, value: float) -> bool:
    """Whether a number as written is this value, to its last digit or half a percent."""
    decimals = len(shown.partition(".")[2])
    return abs(float(shown.replace(",", "")) - value) <= max(0.5 * 10.0**-decimals * (1 + 1e-9), 0.005 * value)


def test_the_real_tables_are_those_of_the_saved_run() -> None:
    saved = {
        (record["work"].split(",")[0], record["threads"]): record
        for record in records("real")
        if record["work"].endswith("31 leaves")
    }
    found = cells("| table | rows × columns |")
    for table, _, *by_threads in found:
        for threads, (times, share) in enumerate((by_threads[:2], by_threads[2:]), 1):
            record = saved[table.split(",")[0], threads]
            theirs, ours, unit = re.fullmatch(r"([\d,.]+), ([\d,.]+) (m?s)", times).groups()  # type: ignore[union-attr]
            assert is_shown(theirs, record["theirs"] / UNITS[unit]) and is_shown(ours, record["ours"] / UNITS[unit])
            assert record["peer"] == "LightGBM" and is_shown(share, record["ours"] / record["theirs"])
    assert 2 * len(found) == len(saved)


def test_the_count_of_rows_is_that_of_the_saved_run() -> None:
    ratios = [r["ours"] / r["theirs"] for r in records("real") if r["peer"] != "our one thread"]
    said = r"we reach it in (\d+) of (\d+) rows, are faster in (\d+), and slower in (\d+)"
    reached, of, faster, slower = map(int, re.findall(said, README)[0])
    assert (of, faster, slower) == (len(ratios), sum(r < 1 for r in ratios), sum(r > 1 for r in ratios))
    assert reached == sum(r <= 0.6 for r in ratios)


@pytest.mark.parametrize("row", cells("| task | threads | peer |"), ids=lambda row: row[0][:24])
def test_other_tasks_are_those_of_the_saved_runs(row: list[str]) -> None:
    task, threads, peer, ours, ratio = row
    ((name, work, peers),) = [known for start, known in TASKS.items() if task.startswith(start)]
    saved = [r for r in records(name) if r["work"] == work and r["threads"] == int(threads)]
    by_peer = {record["peer"]: record for record in reversed(saved)}  # the first of equal ones
    chosen = [by_peer[known] for known in peers or (None,)]
    number, unit = ours.split()
    assert is_shown(number, chosen[0]["ours"] / UNITS[unit])
    theirs = re.findall(r"([\d,.]*\d) (m?s)\b", peer)
    assert len(theirs) == len(peers)
    for (number, unit), record in zip(theirs, chosen, strict=False):
        assert is_shown(number, record["theirs"] / UNITS[unit])
    factors = [record["theirs"] / record["ours"] for record in chosen if record["theirs"]]
    if ratio.startswith("0."):  # a share of the fastest peer's time
        assert is_shown(ratio.split()[0], 1 / min(factors))
    else:
        shown = re.findall(r"[\d,]+", ratio)
        assert all(is_shown(text, factor) for text, factor in zip(shown, factors, strict=True))
