"""gw.export: every artefact is run and equals the ensemble, to the last bit."""

import json
import math
import runpy
from pathlib import Path

import duckdb
import numpy as np
import onnxruntime
import pandas as pd
import pytest
from hypothesis import example, settings
from hypothesis import given as drawn_from
from hypothesis import strategies as st

import glasswood as gw
from glasswood.artefacts import _export, _runs
from glasswood.artefacts._export import Kind
from glasswood.artefacts._runs import run_c, run_onnx, run_python, run_sql
from glasswood.ensemble import align
from glasswood.writers import DIALECTS, model_c, model_onnx, model_python, model_sql
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
@example(seed=310137)  # SQLite read the shortest digits of a leaf as the double beside
@example(seed=311198)
@settings(max_examples=100)
def test_text_answers_as_the_ensemble(make, run, seed: int) -> None:
    same(drawn(seed), make, run, seed)


@drawn_from(st.integers(0, 2**32))
@settings(max_examples=40)
def test_c_answers_as_the_ensemble(seed: int) -> None:
    same(drawn(seed), model_c, run_c, seed)


@drawn_from(st.integers(0, 2**32))
@settings(max_examples=150)
def test_onnx_answers_as_the_ensemble(seed: int) -> None:
    same(drawn(seed), model_onnx, run_onnx, seed)


@drawn_from(st.integers(0, 2**32))
@settings(max_examples=60)
def test_older_onnx_gives_the_nearest_float32(seed: int) -> None:
    arrays = drawn(seed)
    columns = random_columns(np.random.default_rng(seed), arrays, 40)
    ensemble = built(arrays)
    found = np.array(run_onnx(ensemble, model_onnx(ensemble, 3), columns, 3))
    expected = reference.predict_raw(arrays, columns)
    np.testing.assert_array_equal(found, expected.astype(np.float32))
    assert np.all(np.abs(found - expected) <= 2.0**-24 * np.abs(expected) + 2.0**-150)


@pytest.mark.parametrize("dialect", DIALECTS)
@drawn_from(seed=st.integers(0, 2**32))
@settings(max_examples=8)
def test_every_dialect_answers_as_the_ensemble(dialect: str, seed: int) -> None:
    arrays = drawn(seed)
    columns = random_columns(np.random.default_rng(seed), arrays, 40)
    ensemble = built(arrays)
    found = run_sql(ensemble, model_sql(ensemble, "my table", dialect), columns, "my table", dialect)
    np.testing.assert_array_equal(found, reference.predict_raw(arrays, columns))


@pytest.mark.parametrize("dialect", DIALECTS)
@drawn_from(seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_joins_answer_as_the_ensemble(dialect: str, seed: int) -> None:
    arrays = drawn(seed)
    columns = random_columns(np.random.default_rng(seed), arrays, 40)
    ensemble = built(arrays)
    key = "id" if seed % 2 or not DIALECTS[dialect].keeps_tables else None
    text = model_sql(ensemble, "my table", dialect, "join", key)
    found = run_sql(ensemble, text, columns, "my table", dialect, "join", key)
    expected = reference.predict_raw(arrays, columns)
    if DIALECTS[dialect].ordered_sums or dialect == "bigquery":  # which is run as DuckDB's
        np.testing.assert_array_equal(found, expected)
    else:
        np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


def test_a_join_keeps_the_columns_of_the_table(tmp_path: Path) -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, None], "k": pd.Categorical(["it's", "b", "b", None])})
    model = gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [1.0, 7.0, 3.0, 9.0])
    database = duckdb.connect()
    database.register("given", X.astype({"k": object}).assign(id=[7, 8, 9, 10], note="same"))
    database.execute("CREATE TABLE rows AS SELECT * FROM given")
    for key, more in (("id", []), (None, ["glasswood row"])):
        gw.export(model, tmp_path / "model.sql", X, dialect="duckdb", form="join", key=key)
        found = database.execute((tmp_path / "model.sql").read_text()).df().sort_values("id")
        assert list(found) == ["a", "k", "id", "note", *more, "raw"]
        assert found["raw"].tolist() == [1.0, 7.0, 3.0, 9.0]


def test_a_model_too_deep_for_cases_is_joined(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(60, 3))
    model = gw.BoostingRegressor(n_estimators=1100, max_depth=1).fit(X, X[:, 0] + rng.normal(size=60))
    for dialect in ("sqlite", "duckdb"):
        with pytest.raises(gw.UnsupportedModelError, match="depth"):
            gw.export(model, tmp_path / "model.sql", X, dialect=dialect, form="case")
        assert not (tmp_path / "model.sql").exists()
        gw.export(model, tmp_path / "model.sql", X, dialect=dialect)
        assert (tmp_path / "model.sql").read_text().startswith("WITH RECURSIVE")
        (tmp_path / "model.sql").unlink()


def test_a_tree_too_deep_for_sqlite_is_joined(tmp_path: Path) -> None:
    X = np.arange(40.0)[:, None]
    model = gw.TreeRegressor(max_depth=30, min_samples_leaf=1, min_samples_split=2).fit(X, 2.0 ** X[:, 0])
    gw.export(model, tmp_path / "model.sql")  # the parser of SQLite 3.40 overflows at 16 to 22 CASEs
    assert (tmp_path / "model.sql").read_text().startswith("WITH RECURSIVE")
    gw.export(model, tmp_path / "model.sql", dialect="duckdb")
    assert "WITH" not in (tmp_path / "model.sql").read_text()


def test_a_join_in_another_order_is_held_to_the_rounding_of_a_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.linspace(0.0, 1.0, 50)[:, None]
    model = gw.BoostingRegressor(n_estimators=9, max_depth=1).fit(X, X[:, 0]).ensemble_
    kind = _export.KINDS[".sql"]
    for factor, passes in ((1 + 2.0**-51, True), (1 + 1e-12, False)):

        def shifted(*given, factor=factor, **options):
            return [[raw * factor for raw in row] for row in kind.run(*given, **options)]

        monkeypatch.setitem(_export.KINDS, ".sql", Kind(kind.make, shifted, kind.options))
        content, options = kind.make(model, form="join"), {"form": "join"}
        if passes:
            _export._compare(model, ".sql", content, [X[:, 0]], options)
        else:
            with pytest.raises(gw.ParityError, match="nothing is written"):
                _export._compare(model, ".sql", content, [X[:, 0]], options)


def test_joins_need_rows_that_can_be_told_apart(tmp_path: Path) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    for dialect in ("snowflake", "bigquery"):
        with pytest.raises(gw.OptionError, match="needs key"):
            gw.export(model, tmp_path / "model.sql", dialect=dialect, form="join")
        gw.export(model, tmp_path / "model.sql", dialect=dialect, form="join", key="id")
    with pytest.raises(gw.OptionError, match="key names the feature 'x0'"):
        gw.export(model, tmp_path / "model.sql", form="join", key="x0")
    with pytest.raises(gw.OptionError, match="key belongs to form 'join'"):
        gw.export(model, tmp_path / "model.sql", form="case", key="id")
    with pytest.raises(gw.OptionError, match="form must be one of 'auto'"):
        gw.export(model, tmp_path / "model.sql", form="tree")
    with pytest.raises(gw.OptionError, match=r"form belongs to \.sql files"):
        gw.export(model, tmp_path / "model.py", form="join")


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.parametrize("make", [lightgbm, xgboost, catboost, histogram_boosting, own])
@pytest.mark.filterwarnings("ignore")
def test_models_of_libraries_are_written(make, n_classes: int, tmp_path: Path) -> None:
    model, X = make(n_classes)
    ensemble = gw.read(model, X)
    for end in ("py", "sql", "c", "h", "onnx", "json"):
        gw.export(ensemble, tmp_path / f"model.{end}")
        gw.export(ensemble, tmp_path / f"model.{end}", X)
    assert gw.read(tmp_path / "model.json") == ensemble
    gw.export(ensemble, tmp_path / "model.sql", X, dialect="duckdb")
    gw.export(ensemble, tmp_path / "model.sql", X, dialect="duckdb", form="join")
    gw.export(ensemble, tmp_path / "model.sql", X, form="join")
    gw.export(ensemble, tmp_path / "model.sql", X)
    _check_onnx(ensemble, X, tmp_path / "model.onnx")
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


def _check_onnx(ensemble: gw.Ensemble, X: pd.DataFrame, path: Path) -> None:
    """The prediction that onnxruntime gives, and the model that is read back."""
    rows = align(X, ensemble.features)
    codes = np.column_stack(
        [
            np.where(rows.column(j) < 0, np.nan, rows.column(j)) if labels else rows.column(j)
            for j, labels in enumerate(ensemble.features.categories)
        ]
    ).astype(np.float64)
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (prediction,) = session.run(["prediction"], {"X": codes})
    np.testing.assert_allclose(prediction, ensemble.predict(X).reshape(len(X), -1), rtol=1e-12)
    again = gw.read(path)
    assert again.link.kind == ensemble.link.kind
    np.testing.assert_array_equal(again.predict_raw(codes), ensemble.predict_raw(X))


def test_onnx_lists_features_levels_and_outputs(tmp_path: Path) -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "k": pd.Categorical(["é", "b", "é", "b"])})
    model = gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [1.0, 7.0, 3.0, 9.0])
    gw.export(model, tmp_path / "model.onnx", opset=3)
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx", providers=["CPUExecutionProvider"])
    listed = {key: json.loads(text) for key, text in session.get_modelmeta().custom_metadata_map.items()}
    assert listed["features"] == ["a", "k"] and set(listed["levels"]["k"]) == {"é", "b"}
    assert len(listed["outputs"]) == 1


@pytest.mark.parametrize("opset", [5, 3])
@pytest.mark.parametrize("labels", [["no", "it's"], [3, -7, 5], [False, True]])
def test_probabilities_come_as_dicts_by_class(labels: list[object], opset: int, tmp_path: Path) -> None:
    X = np.random.default_rng(4).normal(size=(60, 2))
    y = np.array(labels)[(X[:, 0] > 0).astype(int) + (len(labels) > 2) * (X[:, 1] > 0)]
    model = gw.BoostingClassifier(n_estimators=5).fit(X, y)
    path = tmp_path / "model.onnx"
    gw.export(model, path, X, opset=opset, classes="zipmap")
    session = onnxruntime.InferenceSession(path, providers=["CPUExecutionProvider"])
    (dicts,) = session.run(["probabilities"], {"X": X})
    keys = [str(label) if isinstance(label, str) else int(label) for label in model.classes_.tolist()]
    assert all(list(one) == keys for one in dicts)
    np.testing.assert_allclose([list(one.values()) for one in dicts], model.predict_proba(X), rtol=0, atol=2e-7)
    assert gw.read(path).n_trees > 0
    gw.export(model, path, X, opset=opset)
    assert [found.name for found in onnxruntime.InferenceSession(path).get_outputs()] == ["raw", "prediction"]


def test_dicts_that_differ_are_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    X = np.arange(20.0)[:, None]
    model = gw.BoostingClassifier(n_estimators=2).fit(X, np.where(X[:, 0] > 9, "yes", "no"))
    monkeypatch.setattr(_runs, "class_keys", lambda ensemble: ["yes", "no"])
    with pytest.raises(gw.ParityError, match=r"row 0: the \.onnx file gives"):
        gw.export(model, tmp_path / "model.onnx", X, classes="zipmap")
    assert not (tmp_path / "model.onnx").exists()


def test_dicts_need_classes(tmp_path: Path) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.UnsupportedModelError, match="two or more classes"):
        gw.export(model, tmp_path / "model.onnx", classes="zipmap")
    with pytest.raises(gw.OptionError, match="classes must be one of 'plain'"):
        gw.export(model, tmp_path / "model.onnx", classes="map")


def test_odd_levels_are_written_in_every_dialect(tmp_path: Path) -> None:
    odd = ["it's", 'a "b"', "back\\slash", "two\nlines", "$$", "`"]
    X = pd.DataFrame({"sel`ect \\": pd.Categorical(odd * 2)})
    model = gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, np.arange(12.0) % 6)
    for dialect in ("duckdb", "postgres", "bigquery"):
        gw.export(model, tmp_path / "model.sql", X, dialect=dialect)
    text = (tmp_path / "model.sql").read_text()
    assert "`sel\\`ect \\\\`" in text and "'two\\nlines'" in text and "'back\\\\slash'" in text
    gw.export(model, tmp_path / "model.sql", dialect="postgres", table="my rows")
    text = (tmp_path / "model.sql").read_text()
    assert 'FROM "my rows"' in text and "DOUBLE PRECISION '" in text


def test_an_option_of_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.OptionError, match=r"opset belongs to \.onnx files"):
        gw.export(model, tmp_path / "model.py", opset=3)
    with pytest.raises(gw.OptionError, match="opset must be 5 or 3"):
        gw.export(model, tmp_path / "model.onnx", opset=1)
    with pytest.raises(gw.OptionError, match="dialect must be one of 'sqlite'"):
        gw.export(model, tmp_path / "model.sql", dialect="oracle")


def test_odd_names_and_levels_are_written(tmp_path: Path) -> None:
    odd = 'a "quoted" */ name\nSELECT'
    X = pd.DataFrame({odd: [1.0, 2.0, 3.0, 4.0], "order": pd.Categorical(["it's", '"', "*/", "it's"])})
    model = gw.TreeRegressor(min_samples_leaf=1, min_samples_split=2).fit(X, [1.0, 7.0, 3.0, 9.0])
    for end in ("py", "sql", "c", "h", "onnx", "json"):
        gw.export(model, tmp_path / f"model.{end}", X)
    predict = runpy.run_path(str(tmp_path / "model.py"))["predict"]
    assert predict({odd: 2.0, "order": '"'}) == [7.0]
    assert len(predict({odd: math.nan, "order": None})) == 1


def test_an_artefact_that_differs_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    wrong = {".py": Kind(lambda e: model_python(e).replace("<= THRESHOLD", "> THRESHOLD"), run_python)}
    monkeypatch.setattr(_export, "KINDS", wrong)
    with pytest.raises(gw.ParityError, match="nothing is written"):
        gw.export(model, tmp_path / "model.py")
    assert not (tmp_path / "model.py").exists()


def test_other_ends_and_places_are_refused(tmp_path: Path) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.OptionError, match=r"does not end in \.py, \.sql, \.c, \.h, \.onnx, \.json"):
        gw.export(model, tmp_path / "model.txt")
    with pytest.raises(gw.TableError, match="No such file"):
        gw.export(model, tmp_path / "nowhere" / "model.py")


def test_a_table_without_rows_checks_nothing(tmp_path: Path) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.TableError, match="X has no rows to check the artefact with"):
        gw.export(model, tmp_path / "model.py", np.zeros((0, 1)))
    assert not (tmp_path / "model.py").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"opset": 0}, "opset must be 5 or 3; got 0"),
        ({"opset": 5.0}, "opset must be 5 or 3; got 5.0"),
        ({"classes": ""}, "classes must be one of 'plain'"),
    ],
)
def test_an_option_that_is_false_is_given_all_the_same(options, message: str, tmp_path: Path) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.OptionError, match=message):
        gw.export(model, tmp_path / "model.onnx", **options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dialect": ""}, "dialect must be one of 'sqlite'"),
        ({"dialect": np.array(["sqlite"])}, "dialect must be one of 'sqlite'"),
        ({"form": ()}, "form must be one of 'auto'"),
        ({"key": 3}, "key must be the name of a column; got 3"),
        ({"key": ""}, "key must be the name of a column; got ''"),
        ({"table": 3}, "table must be a name"),
        ({"table": ""}, "table must be a name"),
        ({"table": []}, "table must be a name"),
        ({"table": ["a", 3]}, "table must be a name"),
    ],
)
def test_names_in_sql_are_text(options, message: str, tmp_path: Path) -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.OptionError, match=message):
        gw.export(model, tmp_path / "model.sql", **options)
