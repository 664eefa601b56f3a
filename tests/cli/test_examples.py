"""`glasswood examples`: the neighbours of rows of the table, or of another file."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


def test_neighbours_of_rows_are_those_of_the_library(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    command = ["examples", model, rows, "--rows", "4,7-8", "-k", "3", "--target", "survived", "--method", "boosted"]
    assert main([*command, "-o", str(tmp_path / "near.csv")]) == 0
    passengers = pd.read_csv(rows)
    index = gw.examples(model, passengers[FEATURES], passengers["survived"], method="boosted")
    expected = index.nearest(passengers[FEATURES].iloc[[4, 7, 8]], k=3).to_frame()
    found = read_back(tmp_path / "near.csv")
    assert found["row"].tolist() == expected["row"].tolist() and found["target"].tolist() == expected["target"].tolist()
    np.testing.assert_array_equal(found["similarity"], expected["similarity"])


def test_the_screen_shows_a_table(lightgbm_titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", *lightgbm_titanic, "--rows", "0", "--target", "survived"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["query", "rank", "row", "similarity", "target"] and len(lines) == 6


def test_queries_may_come_from_another_file(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    pd.read_csv(rows).iloc[[3]].to_parquet(tmp_path / "new.parquet")
    for end in ("json", "html"):
        command = [
            "examples",
            model,
            rows,
            "--queries",
            str(tmp_path / "new.parquet"),
            "--min-rows-per-leaf",
            "5",
            "--quiet",
        ]
        assert main([*command, "-o", str(tmp_path / f"near.{end}")]) == 0
    assert len(json.loads((tmp_path / "near.json").read_text())["queries"]) == 1
    assert "what differs is bold" in (tmp_path / "near.html").read_text()


def test_a_row_beyond_the_table_is_refused(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", *titanic, "--rows", "1309"]) == 1
    assert "there is no row 1309" in capsys.readouterr().err


@pytest.mark.parametrize("rows", ["x", "5-2", "-1", "1,,2", ""])
def test_text_that_names_no_rows_is_a_wrong_call(titanic, rows: str) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["examples", *titanic, f"--rows={rows}"])
    assert stop.value.code == 2


def test_a_query_without_neighbours_is_noted(titanic) -> None:
    with pytest.warns(gw.NoNeighbourWarning, match="1 of 1 queries share no leaf"):
        assert main(["examples", *titanic, "--rows", "0", "--min-rows-per-leaf", "5000"]) == 0


def test_a_long_list_of_rows_is_refused_before_it_is_made(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", *titanic, "--rows", "0,5-99999999999999"]) == 1
    assert "there is no row 99999999999999" in capsys.readouterr().err


@pytest.mark.parametrize("rows", ["²", "1-²", "x", "3-1", ""])
def test_rows_that_are_no_numbers_are_refused(titanic, rows: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["examples", *titanic, "--rows", rows])
    assert f"{rows!r} names no rows" in capsys.readouterr().err
