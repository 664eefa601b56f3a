"""Records: ratios, goals and their words."""

from pathlib import Path

import pytest

from benchmarks import record
from benchmarks.record import Goal, Record, Report


@pytest.mark.parametrize(
    ("goal", "ours", "theirs", "met"),
    [
        (Goal("share", 0.5), 1.0, 2.0, True),
        (Goal("share", 0.5), 1.1, 2.0, False),
        (Goal("factor", 60), 1.0, 60.0, True),
        (Goal("factor", 60), 1.0, 58.0, False),
        (Goal("at most", 2.0), 2.1, None, False),
        (Goal("at least", 0.98), 0.9803, None, True),
    ],
)
def test_a_goal_is_met_or_not(goal: Goal, ours: float, theirs: float | None, met: bool) -> None:
    assert Record("work", ours, "peer", theirs, goal).met is met


def test_a_missed_goal_is_said_in_the_table() -> None:
    cells = Record("pairs", 0.022, "treemind", 1.276, Goal("factor", 60)).cells()
    assert cells == ["pairs", "1", "treemind", "1.28 s", "22 ms", "58×", "≥ 60×", "NO"]


def test_a_ratio_is_our_time_divided_by_the_time_of_the_peer() -> None:
    assert Record("predict", 0.026, "LightGBM", 1.9, Goal("share", 0.05)).cells()[4:] == [
        "26 ms",
        "0.014",
        "≤ 0.05",
        "yes",
    ]


def test_all_ratios_of_a_work_are_written_alike() -> None:
    with_goal = Record("path", 0.1, "woodelf", 2.0, Goal("factor", 20))
    without = Record("path", 0.1, "shap, scaled from 2,000 rows", 10.0)
    other = Record("path, another model", 0.1, "shap", 10.0)
    lines = record.markdown([with_goal, without, other]).splitlines()[2:]
    assert [line.split(" | ")[5] for line in lines] == ["20×", "100×", "0.01"]


def test_a_report_comes_back_from_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "RESULTS", tmp_path)
    report = Report("works", quick=True)
    report.add(Record("a", 1.0, "peer", 2.0, Goal("share", 0.7), threads=2))
    report.add(Record("b", 3.0, unit="GB"))
    head, records = record.load(report.save())
    assert records == report.records
    assert head["mode"] == "quick" and "numpy" in head["versions"]
