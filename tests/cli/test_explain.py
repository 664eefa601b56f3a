"""`glasswood explain`: one row, from the baseline to raw."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from tests.cli.example import FEATURES, read_back


def test_a_row_is_explained_as_by_the_library(titanic, tmp_path: Path) -> None:
    model, rows = titanic
    command = ["explain", model, rows, "--row", "17", "--background", rows, "--weight", "mass", "--quiet"]
    assert main([*command, "-o", str(tmp_path / "row.csv")]) == 0
    passengers = pd.read_csv(rows)
    X = passengers[FEATURES]
    expected = gw.attributions(gw.read(model), X, background=X, sample_weight=passengers["mass"])[17].to_frame()
    found = read_back(tmp_path / "row.csv")
    assert found["feature"].tolist() == expected["feature"].tolist()
    np.testing.assert_array_equal(found["attribution"], expected["attribution"])
    fare = found.loc[found["feature"] == "fare", "number"].item()
    assert fare == passengers["fare"][17]


def test_the_screen_shows_the_steps(lightgbm_titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *lightgbm_titanic, "--row", "0"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].count("probability") == 2 and lines[1].split() == ["feature", "value", "attribution", "cumulated"]
    assert len(lines) == 3 + len(FEATURES) and lines[-1].startswith("method: path, nodes weighed by ")
    model, rows = lightgbm_titanic
    assert main(["explain", model, rows, "--row", "0", "--background", rows, "--weight", "mass"]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last == f"method: interventional over 1,309 rows of {rows}, weighed by mass"


def test_a_page_has_the_picture_and_a_document_the_row(titanic, tmp_path: Path) -> None:
    for end in ("html", "json"):
        assert main(["explain", *titanic, "--row", "3", "--quiet", "-o", str(tmp_path / f"row.{end}")]) == 0
    content = (tmp_path / "row.html").read_text()
    assert "data:image/png" in content and "Row 3: baseline" in content
    assert json.loads((tmp_path / "row.json").read_text())["row"] == 3


@pytest.mark.parametrize("row", ["1309", "-1"])
def test_a_row_beyond_the_table_is_refused(titanic, row: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *titanic, f"--row={row}"]) == 1
    assert f"there is no row {row}" in capsys.readouterr().err


def test_a_method_that_lacks_its_rows_is_refused(titanic, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", *titanic, "--row", "0", "--method", "interventional"]) == 1
    assert "pass background" in capsys.readouterr().err
