"""Models as text: what the files look like; `tests/artefacts` runs them."""

import dataclasses
import zipfile
from xml.etree import ElementTree

import pandas as pd
import pytest

import glasswood as gw
from glasswood.ensemble import NO_LINK
from glasswood.writers import DIALECTS, model_c, model_onnx, model_python, model_sql, put_integer, xlsx_file
from glasswood.writers._model_tables import model_tables

X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "k": pd.Categorical(list("xxyy"))})


def stump(feature: str) -> gw.Ensemble:
    return gw.TreeRegressor(max_depth=1).fit(X[[feature]], [1.0, 1.0, 4.0, 4.0]).ensemble_


def test_a_stump_in_sql_is_one_case() -> None:
    text = model_sql(stump("a"), "people")
    assert 'CASE WHEN "a" <= 2.5e0 THEN 1.0e0 ELSE 4.0e0 END AS "raw"' in text and 'FROM "people"' in text
    assert "\"k\" IN ('x')" in model_sql(stump("k")) or "\"k\" NOT IN ('y')" in model_sql(stump("k"))


def test_a_module_says_what_it_has() -> None:
    text = model_python(stump("a"))
    assert "FEATURES = ('a',)" in text and "def predict(row):" in text and "import math" in text


def test_a_c_file_lists_the_codes_of_levels() -> None:
    assert "x[0] 'k': 0 = 'x', 1 = 'y'" in model_c(stump("k"))


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="is not known"):
        model_tables(dataclasses.replace(stump("a"), link=NO_LINK))
    model = stump("k")
    features = dataclasses.replace(model.features, categories=(("#1", "#2"),), hashes=((1, 2),))
    with pytest.raises(gw.UnsupportedModelError, match="only hashes"):
        model_tables(dataclasses.replace(model, features=features))


def test_a_number_of_a_file_of_onnx_has_seven_bits_in_a_byte() -> None:
    assert put_integer(1, 300) == bytes([0b0000_1000, 0b1010_1100, 0b0000_0010])


def test_an_onnx_file_of_a_stump_is_small_and_says_its_operator() -> None:
    content = model_onnx(stump("a"))
    assert b"TreeEnsemble" in content and b"ai.onnx.ml" in content and len(content) < 1500
    assert b"TreeEnsembleRegressor" in model_onnx(stump("k"), 3)


def test_dialects_quote_names_texts_and_doubles_in_their_way() -> None:
    said = {name: (sql.quote('a"b`'), sql.literal("it's \\"), sql.number(0.1)) for name, sql in DIALECTS.items()}
    assert said["duckdb"] == said["sqlite"] == ('"a""b`"', "'it''s \\'", "0.1e0")
    assert said["postgres"][2] == "DOUBLE PRECISION '0.1'"
    assert said["snowflake"][1:] == ("$$it's \\$$", "'0.1'::DOUBLE")
    assert said["bigquery"] == ('`a"b\\``', "'it\\'s \\\\'", "0.1e0")


def test_a_spreadsheet_has_a_sheet_for_each_table(tmp_path) -> None:
    odd = "a [sheet] with a name that is far too long"
    tables = {odd: [["a", "b"], [1.5, None], ["<&\x01", float("inf")]], odd + "!": [["x"], [0.1]]}
    (tmp_path / "cards.xlsx").write_bytes(xlsx_file(tables))
    with zipfile.ZipFile(tmp_path / "cards.xlsx") as archive:
        assert archive.testzip() is None
        parts = {name: ElementTree.fromstring(archive.read(name)) for name in archive.namelist()}
    names = [sheet.get("name") for sheet in parts["xl/workbook.xml"].iter() if sheet.tag.endswith("}sheet")]
    assert len(set(names)) == 2 and all(len(name) <= 31 and "[" not in name for name in names)
    first = [cell.text for cell in parts["xl/worksheets/sheet1.xml"].iter() if cell.text]
    assert first == ["a", "b", "1.5", "<&\ufffd", "inf"]
    assert xlsx_file(tables) == (tmp_path / "cards.xlsx").read_bytes()
