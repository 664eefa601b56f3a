"""`make bench` runs every benchmark, and its page shows the saved runs."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = ROOT / "benchmarks"
    monkeypatch.syspath_prepend(str(folder))
    return folder


def test_every_benchmark_is_part_of_make_bench(benchmarks: Path) -> None:
    import all as every

    assert {f"bench_{name}" for name in every.TITLES} == {path.stem for path in benchmarks.glob("bench_*.py")}


def test_the_page_shows_the_saved_runs(benchmarks: Path) -> None:
    import all as every

    assert every.PAGE.read_text() == every.page()


def test_every_table_says_threads_goals_machine_and_versions(benchmarks: Path) -> None:
    import all as every

    sections = every.page().split("\n## ")[1:]
    for section in sections:
        assert "| work | threads | peer | peer's | ours | ratio | goal | met |" in section
        assert re.search(r"<small>(full|quick) run on .+ cores, load .+; python [\d.]+, glasswood [\d.]+", section)


def test_a_machine_without_a_gpu_keeps_the_saved_run(benchmarks: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import all as every

    monkeypatch.setattr(every, "find_spec", lambda name: None)
    assert [name for name in every.TITLES if not every.can_run(name)] == ["gpu"]


def test_the_page_of_accuracy_is_that_of_the_saved_scores(benchmarks: Path) -> None:
    from compare_boosting import PAGE, accuracy_page

    assert PAGE.read_text() == accuracy_page()


def test_the_page_of_credibility_is_that_of_the_saved_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    from credibility_page import page

    assert (ROOT / "docs" / "credibility.md").read_text() == page()


def test_the_page_of_defaults_is_that_of_the_saved_scores(benchmarks: Path) -> None:
    from defaults_scores import PAGE, Known, defaults_page, our_defaults

    assert PAGE.read_text() == defaults_page(Known())
    ours = our_defaults()
    assert {
        name: ours[name] for name in ("max_depth", "min_samples_leaf", "l2", "max_bins", "subsample", "colsample")
    } == {
        "max_depth": 6,
        "min_samples_leaf": 1,
        "l2": 1.0,
        "max_bins": 255,
        "subsample": 1.0,
        "colsample": 0.8,
    }
