"""`glasswood compare`: what `gw.compare` says, on the screen and in files."""

import json
from pathlib import Path

import pandas as pd
import pytest

import glasswood as gw
from glasswood.cli import main
from glasswood.web.page._text import number, signed
from tests.cli.example import FEATURES, read_back


@pytest.fixture(scope="module")
def other(titanic, tmp_path_factory: pytest.TempPathFactory) -> str:
    rows = pd.read_csv(titanic[1])
    X = rows[FEATURES[:3]].astype({"sex": "category"})
    path = tmp_path_factory.mktemp("compare") / "other.gw"
    gw.BoostingClassifier(n_estimators=5, max_depth=2).fit(X, rows["survived"]).ensemble_.save(path)
    return str(path)


def test_the_screen_shows_numbers_features_and_rules(
    lightgbm_titanic, other: str, capsys: pytest.CaptureFixture[str]
) -> None:
    model, rows = lightgbm_titanic
    assert main(["compare", model, other, rows, "--target", "survived", "--weight", "mass"]) == 0
    said = capsys.readouterr().out
    for line in ("Difference of raw, first model minus second", "log loss, difference", "Where they differ", "fare"):
        assert line in said


def test_files_hold_what_the_library_gives(titanic, other: str, tmp_path: Path) -> None:
    model, rows = titanic
    for end in ("csv", "json", "html"):
        assert main(["compare", model, other, rows, "-o", str(tmp_path / f"change.{end}")]) == 0
    table = pd.read_csv(rows)[FEATURES]
    expected = gw.compare(model, other, table)
    assert json.loads((tmp_path / "change.json").read_text())["sd"] == expected.sd.tolist()
    assert read_back(tmp_path / "change.csv")["value"].iloc[2] == expected.sd[0]
    assert "Rows with the largest difference" in (tmp_path / "change.html").read_text()


def test_a_column_that_is_not_there_is_named(titanic, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    model, rows = titanic
    assert main(["compare", model, other, rows, "--target", "survivd"]) == 1
    assert "no column 'survivd'; did you mean 'survived'?" in capsys.readouterr().err
    assert main(["compare", model, other, rows, "--target", "q"]) == 1
    assert "no column 'q'; it has " in capsys.readouterr().err


def test_page_command_line_and_python_tell_the_same_numbers(titanic, other: str, tmp_path: Path) -> None:
    model, rows = titanic
    table = pd.read_csv(rows)
    found = gw.compare(model, other, table[FEATURES], table["survived"])
    assert main(["compare", model, other, rows, "--target", "survived", "-o", str(tmp_path / "said.json")]) == 0
    assert json.loads((tmp_path / "said.json").read_text()) == json.loads(json.dumps(found.to_dict()))
    page = tmp_path / "page.html"
    assert main(["report", model, rows, "--target", "survived", "--other", other, "--quiet", "-o", str(page)]) == 0
    data = page.read_text(encoding="utf-8").split('id="page-data">')[1].split("</script>")[0]
    (panel,) = (section["data"] for section in json.loads(data)["sections"] if section["kind"] == "comparison")
    words = " ".join(panel["words"][0])
    assert f"correlate {number(float(found.correlation[0]), 3)}" in words
    assert f"by {signed(float(found.mean[0]))} on average" in words
    assert f"standard deviation of {number(float(found.sd[0]), 3)}" in words
    assert found.loss is not None
    assert f"{number(found.loss.first)} for this model, {number(found.loss.second)}" in words
    assert f"Difference: {signed(found.loss.difference)} ±" in words
    for bound in (found.bounds.low[0], found.bounds.high[0]):
        assert signed(float(bound)) in words
    assert [line["row"] for line in panel["rows"]["lines"]] == [f"row {row}" for row in found.rows]
    apart = found.row_raw[0, :, 0] - found.row_raw[1, :, 0]
    assert [line["difference"][0] for line in panel["rows"]["lines"]] == [signed(float(gap)) for gap in apart]
    # the page leaves out rules that say little, and orders the others by the difference inside
    assert found.rules is not None
    told = {(signed(float(rule.inside[0])), signed(float(rule.outside[0]))) for rule in found.rules}
    (listed,) = panel["rules"]
    assert listed
    assert {(rule["inside"], rule["outside"]) for rule in listed} <= told
