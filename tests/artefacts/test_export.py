"""gw.export: every artefact is run and equals the ensemble, to the last bit."""

import math
import runpy
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given as drawn_from
from hypothesis import settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.artefacts import _export
from glasswood.artefacts._runs import run_c, run_python, run_sql
from glasswood.writers import model_c, model_python, model_sql
from tests.agreement.small_models import catboost, histogram_boosting, lightgbm, own, xgboost
from tests.reference import predict as reference
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_columns, random_ensemble


def same(arrays, make, run, seed: int) -> None:
    columns = random_columns(np.random.default_rng(seed), arrays, 40)
    ensemble = built(arrays)
    found = run(ensemble, make(ensemble), columns)
    np.testing.assert_array_equal(found, reference.predict_raw(arrays, columns))


def drawn(seed: int):
    rng = np.random.default_rng(seed)
    p, n_outputs = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    recipe = Recipe(
        n_trees=int(rng.integers(0, 6)),
        n_features=p,
        n_category_features=int(rng.integers(0, p + 1)),
        n_outputs=n_outputs,
        width=int(rng.choice([1, n_outputs])),
        max_levels=70,
    )
    return random_ensemble(rng, recipe)


@pytest.mark.parametrize(("make", "run"), [(model_python, run_python), (model_sql, run_sql)])
@drawn_from(seed=st.integers(0, 2**32))
@settings(max_examples=100)
def test_text_answers_as_the_ensemble(make, run, seed: int) -> None:
    same(drawn(seed), make, run, seed)


@drawn_from(st.integers(0, 2**32))
@settings(max_examples=15)
def test_c_answers_as_the_ensemble(seed: int) -> None:
    same(drawn(seed), model_c, run_c, seed)


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("make", [lightgbm, xgboost, catboost, histogram_boosting, own])
@pytest.mark.filterwarnings("ignore")
def test_models_of_libraries_are_written(make, n_classes: int, tmp_path: Path) -> None:
    model, X = make(n_classes)
    ensemble = gw.read(model, X)
    for end in ("py", "sql", "c", "json"):
        gw.export(ensemble, tmp_path / f"model.{end}")
        gw.export(ensemble, tmp_path / f"model.{end}", X)
    assert gw.read(tmp_path / "model.json") == ensemble
    if ensemble.features.coded.any():
        return
    rows = [
        {name: None if value is None or value != value else value for name, value in row.items()}
        for row in X.astype({"colour": object}).to_dict("records")
    ]
    predict = runpy.run_path(str(tmp_path / "model.py"))["predict"]
    expected = ensemble.predict(X).reshape(len(X), -1)
    np.testing.assert_allclose([predict(row) for row in rows], expected, rtol=1e-12)
    given = pd.DataFrame(rows).assign(number=range(len(X)))
    database = duckdb.connect()
    database.execute("CREATE TABLE rows AS SELECT * FROM given")
    found = database.execute(f"SELECT * FROM ({(tmp_path / 'model.sql').read_text()}) ORDER BY number").fetchall()
    raw = np.array([row[len(given.columns) :] for row in found])
    np.testing.assert_array_equal(raw, ensemble.predict_raw(X).reshape(len(X), -1))


def test_odd_names_and_levels_are_written(tmp_path: Path) -> None:
    odd = 'a "quoted" */ name\nSELECT'
    X = pd.DataFrame({odd: [1.0, 2.0, 3.0, 4.0], "order": pd.Categorical(["it's", '"', "*/", "it's"])})
    model = gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [1.0, 7.0, 3.0, 9.0])
    for end in ("py", "sql", "c", "json"):
        gw.export(model, tmp_path / f"model.{end}", X)
    predict = runpy.run_path(str(tmp_path / "model.py"))["predict"]
    assert predict({odd: 2.0, "order": '"'}) == [7.0]
    assert len(predict({odd: math.nan, "order": None})) == 1


def test_an_artefact_that_differs_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    wrong = {".py": (lambda e: model_python(e).replace("<= THRESHOLD", "> THRESHOLD"), run_python)}
    monkeypatch.setattr(_export, "_KINDS", wrong)
    with pytest.raises(gw.ParityError, match="nothing is written"):
        gw.export(model, tmp_path / "model.py")
    assert not (tmp_path / "model.py").exists()


def test_other_ends_and_places_are_refused(tmp_path: Path) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.OptionError, match=r"does not end in \.py, \.sql, \.c, \.json"):
        gw.export(model, tmp_path / "model.txt")
    with pytest.raises(gw.TableError, match="No such file"):
        gw.export(model, tmp_path / "nowhere" / "model.py")
