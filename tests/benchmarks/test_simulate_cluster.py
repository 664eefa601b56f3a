"""The model of large clusters: its parts add up, and its table is the one of the documentation."""

from pathlib import Path

import pytest

from benchmarks.simulate_cluster import Cluster, table

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "cluster.md"


def test_a_tree_is_computing_bytes_and_waiting() -> None:
    one = Cluster(workers=100)
    assert one.tree_ms == one.compute_ms + one.bytes_ms + one.waiting_ms
    assert one.compute_ms == pytest.approx(1e7 * 387e-6 / (16 * 0.65))
    assert one.bytes == pytest.approx(32 * 100 * 255 * 4 * 8 * 0.99)
    assert one.efficiency == pytest.approx(0.93, abs=0.005)
    alone = Cluster(workers=1)
    assert alone.tree_ms == alone.compute_ms and alone.efficiency == 1


def test_the_page_shows_the_table_of_the_model() -> None:
    assert table(Cluster(), [1, 10, 30, 100, 300, 1000, 3000]) in PAGE.read_text(encoding="utf-8")
