"""Running the text of a model."""

import dataclasses
import sys
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.artefacts import _runs
from glasswood.artefacts._runs import raw_places, run_c, run_h, run_onnx, run_python, run_sql
from glasswood.ensemble import IDENTITY, LOG, LOGIT, OVA, SOFTMAX, Link, LinkKind
from glasswood.writers import model_c, model_h, model_python
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_columns, random_ensemble

TREE = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0]).ensemble_
COLUMNS = [np.array([0.0, 2.0, np.nan])]


def test_code_that_does_not_run_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="SQLite cannot run"):
        run_sql(TREE, "SELECT nothing", COLUMNS)
    with pytest.raises(gw.UnsupportedModelError, match="does not compile"):
        run_c(TREE, "int predict_raw(", COLUMNS)
    with pytest.raises(gw.UnsupportedModelError, match="DuckDB cannot run"):
        run_sql(TREE, "SELECT nothing", COLUMNS, dialect="duckdb")
    with pytest.raises(gw.UnsupportedModelError, match="onnxruntime cannot run"):
        run_onnx(TREE, b"nothing", COLUMNS)


def test_without_a_compiler_the_reason_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_runs.shutil, "which", lambda name: None)
    with pytest.raises(gw.MissingDependencyError, match="compiler cc"):
        run_c(TREE, model_c(TREE), COLUMNS)


@pytest.mark.parametrize(("library", "run"), [("duckdb", "run_sql"), ("onnxruntime", "run_onnx")])
def test_without_what_checks_it_the_reason_is_given(library, run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, library, None)
    options = {"dialect": "duckdb"} if run == "run_sql" else {}
    with pytest.raises(gw.MissingDependencyError, match=library):
        getattr(_runs, run)(TREE, "", COLUMNS, **options)


ODD = ["raw", "Glasswood Row", "row number of glasswood", "x_0", "row_id", "node"]


@pytest.mark.parametrize("form", ["case", "join"])
@pytest.mark.parametrize("table", ["rows", "nodes", "Trees", "walk", "given_rows", "inputs", "total", ("s", "nodes")])
def test_names_that_a_select_needs_itself_are_found_by_name(form: str, table, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(60, len(ODD))), columns=ODD)
    model = gw.BoostingRegressor(n_estimators=4, max_depth=3).fit(X, X.sum(axis=1))
    for dialect in ("sqlite", "duckdb", "bigquery"):
        key = "raw_2" if form == "join" and dialect == "bigquery" else None
        gw.export(model, tmp_path / "model.sql", X, dialect=dialect, form=form, table=table, key=key)
    gw.export(model, tmp_path / "model.sql", X, dialect="duckdb", form=form)
    database = duckdb.connect()
    database.execute('CREATE TABLE "rows" AS SELECT * FROM X')
    found = database.execute((tmp_path / "model.sql").read_text()).df()
    assert list(found)[-1] == "raw_2" and list(found)[: len(ODD)] == ODD
    found = found.sort_values("raw", ignore_index=True)
    expected = X.assign(raw_2=model.predict(X)).sort_values("raw", ignore_index=True)
    pd.testing.assert_frame_equal(found[list(expected)], expected, check_exact=True)


def test_columns_of_raw_are_looked_up_by_name() -> None:
    assert raw_places(TREE, ["x0", "RAW", "more"]) == [1]
    for names, n in ((["x0"], 0), (["raw", "Raw"], 2)):
        with pytest.raises(gw.UnsupportedModelError, match=f"the SELECT gives {n} columns named 'raw'"):
            raw_places(TREE, names)


def test_a_key_may_not_differ_from_a_feature_in_case_only(tmp_path: Path) -> None:
    with pytest.raises(gw.OptionError, match="key names the feature 'X0'"):
        gw.export(TREE, tmp_path / "model.sql", form="join", key="X0")


LINKS = [IDENTITY, LOG, LOGIT, Link(LinkKind.LOGIT, 0.7), OVA, SOFTMAX]


@pytest.mark.parametrize("link", LINKS, ids=str)
@pytest.mark.parametrize(("make", "run"), [(model_c, run_c), (model_python, run_python)])
@given(st.integers(0, 2**32), st.sampled_from([1.0, 300.0, 3000.0]))
@settings(max_examples=10)
def test_predictions_are_compared_for_every_link(make, run, link: Link, seed: int, factor: float) -> None:
    rng = np.random.default_rng(seed)
    many = 1 if link.kind in (LinkKind.LOG, LinkKind.LOGIT) else 3
    arrays = random_ensemble(rng, Recipe(n_trees=4, n_features=3, n_category_features=1, n_outputs=many, width=1))
    arrays["value"] = arrays["value"] * factor  # also where the exponential function overflows
    ensemble = dataclasses.replace(built(arrays), link=link)
    columns = random_columns(rng, arrays, 30)
    np.testing.assert_array_equal(run(ensemble, make(ensemble), columns), ensemble._plan().predict_raw(columns, 1))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("out[k] = 1.0 / (1.0 + exp(-(1.0 * out[k])))", "out[k] = 1.0 / (1.0 + exp(-(1.000001 * out[k])))"),
        ("return out[0]", "return 1 - out[0]"),
    ],
)
def test_a_wrong_prediction_in_c_is_found(right: str, wrong: str) -> None:
    ensemble = dataclasses.replace(TREE, link=LOGIT)
    text = model_c(ensemble)
    assert right in text
    with pytest.raises(gw.ParityError, match="row 0: predict in C gives"):
        run_c(ensemble, text.replace(right, wrong), COLUMNS)


def test_declarations_fit_the_c_file(tmp_path: Path) -> None:
    gw.export(TREE, tmp_path / "model.h")
    assert "x[0] 'x0'" in (tmp_path / "model.h").read_text()
    with pytest.raises(gw.UnsupportedModelError, match="does not compile"):
        run_h(TREE, model_h(TREE).replace("double predict(", "float predict("), COLUMNS)


def test_three_hundred_columns_are_written_in_every_language(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(200, 300)), columns=[f"column {j}" for j in range(300)])
    model = gw.BoostingRegressor(n_estimators=30, max_depth=3).fit(X, X.iloc[:, ::10].sum(axis=1))
    for end in ("py", "c", "onnx", "json", "sql"):
        gw.export(model, tmp_path / f"model.{end}", X)
        assert (tmp_path / f"model.{end}").stat().st_size > 300
    for form in ("case", "join"):
        gw.export(model, tmp_path / "model.sql", X[:20], dialect="duckdb", form=form)
