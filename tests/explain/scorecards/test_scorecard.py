"""gw.scorecard: tables whose sums are the prediction, and what they leave out."""

import json
import sqlite3
import zipfile
from xml.etree import ElementTree

import duckdb
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import glasswood as gw
from tests.agreement.small_models import catboost, histogram_boosting, lightgbm, own, xgboost

NAMES = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def table(n: int = 200, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": rng.normal(size=n).round(2),
            "b": np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 9, n)),
            "k": pd.Categorical(rng.choice(["x", "y", "it's"], n)),
        }
    )
    return X, X["a"].to_numpy() * 2 + (X["k"] == "y") * np.nan_to_num(X["b"].to_numpy()) + rng.normal(size=n) * 0.1


def by_hand(card: gw.Scorecard, X: pd.DataFrame) -> np.ndarray:
    """Sums of the points, looked up line by line in the frame."""
    frame = card.to_frame("pandas")
    raw = np.full(len(X), card.baseline[0])
    for _, lines in frame.groupby([frame["feature"], frame["feature_2"].fillna("")], sort=False):
        names = [name for name in (lines["feature"].iloc[0], lines["feature_2"].iloc[0]) if name is not None]
        names = [name for name in names if isinstance(name, str)]
        for i, row in enumerate(X.to_dict("records")):
            fits = np.ones(len(lines), dtype=bool)
            for name, suffix in zip(names, ("", "_2"), strict=False):
                fits &= [
                    _inside(row[name], *line)
                    for line in zip(
                        lines[f"band{suffix}"], lines[f"lower{suffix}"], lines[f"upper{suffix}"], strict=True
                    )
                ]
            assert fits.sum() == 1
            raw[i] += lines["points"].to_numpy()[fits][0]
    return raw


def _inside(value, band: str, lower: float, upper: float) -> bool:
    if value is None or value != value:
        return band == "missing"
    if isinstance(value, str):
        return value in band.split(", ")
    return not np.isnan(upper) and lower < value <= upper


@pytest.mark.parametrize("options", [{}, {"max_bands": 3}, {"tolerance": 0.2}, {"pairs": [("a", "k")]}])
def test_a_card_predicts_what_its_tables_add_up_to(options) -> None:
    X, y = table()
    model = gw.BoostingRegressor(n_estimators=20, max_depth=3).fit(X, y)
    card = gw.scorecard(model, X, **options)
    shown = X[:30].astype({"k": object})
    summed = by_hand(card, shown)
    # singles stand before pairs in both, so that the order of the sums is the same
    np.testing.assert_array_equal(card.predict_raw(X[:30]), summed)
    miss = model.predict(X) - card.predict(X)
    assert card.fidelity.largest[0] == np.abs(miss).max()
    np.testing.assert_allclose(card.fidelity.typical[0], np.sqrt(np.square(miss).mean()), rtol=1e-9)
    np.testing.assert_allclose(card.fidelity.share[0], 1 - miss.var() / model.predict(X).var(), rtol=1e-9)


@given(st.integers(0, 2**32))
@settings(max_examples=15)
def test_a_model_of_pairs_is_reproduced(seed: int) -> None:
    X, y = table(80, seed)
    model = gw.BoostingRegressor(n_estimators=8, max_depth=2).fit(X, y)
    card = gw.scorecard(model, X, pairs=[("a", "b"), ("a", "k"), ("b", "k")])
    other, _ = table(80, seed + 1)
    np.testing.assert_allclose(card.predict(other), model.predict(other), rtol=0, atol=1e-10)
    assert card.fidelity.share[0] > 1 - 1e-12
    for one in card.tables:  # purified: no mean along a feature is left
        total = one.weight[..., None] * one.points
        for axis in range(len(one.bands)):
            np.testing.assert_allclose(total.sum(axis=axis), 0.0, atol=1e-7)


@pytest.mark.parametrize("make", [lightgbm, xgboost, catboost, histogram_boosting, own])
@pytest.mark.filterwarnings("ignore")
def test_cards_of_libraries_with_several_classes_state_their_fidelity(make) -> None:
    model, X = make(3)
    card = gw.scorecard(model, X, max_bands=4)
    raw = gw.read(model, X).predict_raw(X)
    assert card.predict_raw(X).shape == raw.shape and card.predict(X).shape == raw.shape
    np.testing.assert_allclose(card.fidelity.largest, np.abs(raw - card.predict_raw(X)).max(axis=0), rtol=1e-12)
    assert np.all(card.fidelity.share < 1) and all(len(t.bands[0]) <= 6 for t in card.tables)


def test_bands_stay_within_their_limits() -> None:
    X, y = table()
    model = gw.BoostingRegressor(n_estimators=20, max_depth=1).fit(X, y)
    card = gw.scorecard(model, X, max_bands=4)
    assert all(len(one.bands[0]) <= 4 + 2 for one in card.tables)
    close = gw.scorecard(model, X, tolerance=0.1)
    assert close.fidelity.largest[0] <= 0.1 * len(close.tables) + 1e-12
    with pytest.raises(gw.OptionError, match=r"needs \d+ bands to stay within tolerance=0.001; max_bands=2 is too few"):
        gw.scorecard(model, X, max_bands=2, tolerance=0.001)
    with pytest.raises(gw.OptionError, match="pairs must be 'auto'"):
        gw.scorecard(model, X, pairs="all")
    with pytest.raises(gw.TableError, match="needs rows"):
        gw.scorecard(model, X[:0])
    with pytest.raises(KeyError, match="no table of 'z'"):
        card["z"]
    name = card.tables[0].features[0]
    with pytest.raises(KeyError, match=f"did you mean '{name}'"):
        card[name, name + "_"]


@pytest.mark.parametrize("options", [{"max_bands": 3}, {"tolerance": 0.2}])
def test_a_category_that_the_model_does_not_use_has_no_table(options) -> None:
    X, y = table()
    X["unused"] = pd.Categorical(["one"] * len(X))
    card = gw.scorecard(gw.BoostingRegressor(n_estimators=5, max_depth=2).fit(X, y), X, **options)
    assert {name for one in card.tables for name in one.features} == {"a", "b", "k"}
    np.testing.assert_array_equal(card.predict_raw(X[:30]), by_hand(card, X[:30].astype({"k": object})))


def test_a_select_of_a_card_adds_up_the_same(tmp_path) -> None:
    X, y = table()
    card = gw.scorecard(gw.BoostingRegressor(n_estimators=20, max_depth=3).fit(X, y), X, max_bands=4)
    card.save(tmp_path / "card.sql")
    rows = X.astype({"k": object}).assign(number=np.arange(len(X)))
    with sqlite3.connect(":memory:") as database:
        rows.to_sql("rows", database, index=False)
        found = pd.read_sql(f"SELECT * FROM ({(tmp_path / 'card.sql').read_text()}) ORDER BY number", database)
    np.testing.assert_array_equal(found["raw"], card.predict_raw(X))


@pytest.mark.parametrize("dialect", ["sqlite", "duckdb"])
def test_a_select_of_a_card_knows_odd_names_and_levels(dialect: str, tmp_path) -> None:
    X, y = table()
    X = X.rename(columns={"a": "RAW", "b": "a'\"b"})
    card = gw.scorecard(gw.BoostingRegressor(n_estimators=20, max_depth=3).fit(X, y), X, max_bands=4)
    card.save(tmp_path / "card.sql", dialect=dialect, table="my rows")
    rows = X.astype({"k": object}).assign(number=np.arange(len(X)))
    rows.loc[:5, "k"] = "never seen"
    text = f"SELECT * FROM ({(tmp_path / 'card.sql').read_text()}) ORDER BY number"
    if dialect == "sqlite":
        with sqlite3.connect(":memory:") as database:
            rows.to_sql("my rows", database, index=False)
            found = pd.read_sql(text, database)
    else:
        database = duckdb.connect()
        database.execute('CREATE TABLE "my rows" AS SELECT * FROM rows')
        found = database.execute(text).df()
    assert list(found) == [*rows, "raw_2"]
    np.testing.assert_array_equal(found["raw_2"], card.predict_raw(rows[list(X)]))
    np.testing.assert_array_equal(found["RAW"], rows["RAW"])
    with pytest.raises(gw.OptionError, match=r"table belongs to \.sql files"):
        card.save(tmp_path / "card.csv", table="rows")


def from_document(document: dict, rows: list[dict]) -> np.ndarray:
    """Sums of the points of a JSON document for its first output, band by band."""
    raw = np.full(len(rows), document["baseline"][0])
    for one in document["tables"]:
        for i, row in enumerate(rows):
            points = one["points"]
            for name, bands in zip(one["features"], one["bands"], strict=True):
                (at,) = (b for b, band in enumerate(bands) if _is_in_band(row[name], band, bands))
                points = points[at]
            raw[i] += points[0]
    return raw


def _is_in_band(value: object, band: dict, bands: list[dict]) -> bool:
    if value is None or value != value:
        return band["missing"]
    if isinstance(value, str):
        return value in band["levels"] or (band["unseen"] and not any(value in other["levels"] for other in bands))
    above = band["lower"] is None or band["lower"] < value
    return not band["missing"] and above and (band["upper"] is None or value <= band["upper"])


@pytest.mark.parametrize("scaled", [False, True])
def test_a_saved_card_predicts_the_same_for_missing_and_unseen_levels(scaled: bool, tmp_path) -> None:
    X, y = table()
    X["k"] = X["k"].cat.rename_categories({"x": "x, y", "y": "missing", "it's": "it's"})  # as labels are written
    X.loc[X.index % 7 == 0, "k"] = None
    X.loc[X.index % 11 == 0, "a"] = np.nan
    model = gw.BoostingClassifier(n_estimators=20, max_depth=3).fit(X, (y > 1).astype(int))
    card = gw.scorecard(model, X, max_bands=3, pairs=[("b", "k")])
    card = card.scaled() if scaled else card
    rows = X.astype({"k": object}).assign(number=np.arange(len(X)))
    rows.loc[:9, "k"] = "never seen"
    expected = card.predict_raw(rows[list(X)])
    for end in ("json", "sql"):
        card.save(tmp_path / f"card.{end}")
    np.testing.assert_array_equal(card.predict_raw(rows[list(X)]), expected)
    document = json.loads((tmp_path / "card.json").read_text())
    np.testing.assert_array_equal(from_document(document, rows.to_dict("records")), expected)
    with sqlite3.connect(":memory:") as database:
        rows.to_sql("rows", database, index=False)
        found = pd.read_sql(f"SELECT * FROM ({(tmp_path / 'card.sql').read_text()}) ORDER BY number", database)
    np.testing.assert_array_equal(found[found.columns[-1]], expected)


def test_cards_are_written_as_tables_and_documents(tmp_path) -> None:
    X, y = table()
    card = gw.scorecard(gw.BoostingRegressor(n_estimators=5, max_depth=3).fit(X, y), X, max_bands=3)
    for end in ("xlsx", "csv", "json"):
        card.save(tmp_path / f"card.{end}")
    assert zipfile.is_zipfile(tmp_path / "card.xlsx")
    assert len(pd.read_csv(tmp_path / "card.csv")) == sum(len(one.rows()) for one in card.tables)
    document = json.loads((tmp_path / "card.json").read_text())
    assert list(document)[:2] == ["format", "version"]
    assert document.pop("format") == "glasswood scorecard" and document.pop("version") == 1
    assert document == card.to_dict() and document["fidelity"]["n_rows"] == len(X)
    lines = pd.read_csv(tmp_path / "card.csv", keep_default_na=False, na_values=[""])
    np.testing.assert_array_equal(lines["points"], card.to_frame("pandas")["points"])
    _check_sheets(card, tmp_path / "card.xlsx")
    with pytest.raises(gw.OptionError, match=r"does not end in \.xlsx, \.csv, \.sql, \.json"):
        card.save(tmp_path / "card.doc")
    with pytest.raises(gw.TableError, match="No such file"):
        card.save(tmp_path / "nowhere" / "card.json")
    assert "Scorecard, 200 rows" in card._repr_html_() and "of the variance of raw" in repr(card)
    ax = card.plot()
    assert "a" in [tick.get_text() for tick in ax.get_yticklabels()]


def _check_sheets(card: gw.Scorecard, path) -> None:
    """Every table of the card has a sheet with its points, to the last bit."""
    with zipfile.ZipFile(path) as archive:
        sheets = [
            [
                [
                    cell.findtext(f".//{NAMES}t") if cell.get("t") == "inlineStr" else float(cell.findtext(f"{NAMES}v"))
                    for cell in row
                ]
                for row in ElementTree.fromstring(archive.read(f"xl/worksheets/sheet{k + 1}.xml")).iter(f"{NAMES}row")
            ]
            for k in range(len(card.tables) + 1)
        ]
    assert sheets[0][1][1] == card.baseline[0]
    for one, (header, *lines) in zip(card.tables, sheets[1:], strict=True):
        assert header[: len(one.features)] == list(one.features)
        assert [line[-2:] for line in lines] == [[float(points[0]), weight] for _, points, weight in one.rows()]


@pytest.mark.parametrize("pdo", [20.0, -15.0])
def test_points_of_credit_scoring_double_the_odds(pdo: float) -> None:
    X, y = table()
    model = gw.BoostingClassifier(n_estimators=20, max_depth=3).fit(X, (y > 1).astype(int))
    card = gw.scorecard(model, X, max_bands=4)
    points = card.scaled(pdo=pdo, base_points=600, base_odds=50)
    odds = np.exp(card.predict_raw(X))
    np.testing.assert_allclose(points.predict(X), 600 + pdo * np.log2(odds / 50), rtol=1e-12)
    np.testing.assert_array_equal(points.predict(X), by_hand(points, X))
    np.testing.assert_allclose(points.fidelity.largest, card.fidelity.largest * abs(pdo) / np.log(2), rtol=1e-12)
    assert points.fidelity.share == card.fidelity.share


def test_points_need_log_odds_and_sensible_scales() -> None:
    X, y = table()
    card = gw.scorecard(gw.BoostingRegressor(n_estimators=2).fit(X, y), X)
    with pytest.raises(gw.errors.UnsupportedModelError, match="log odds of two classes; its link is identity"):
        card.scaled()
    for bad, said in (
        ({"pdo": 0}, "pdo must be a finite number other than 0; got 0"),
        ({"base_odds": 0}, "base_odds must be a finite number above 0; got 0"),
        ({"base_points": np.nan}, "base_points must be a finite number; got nan"),
    ):
        with pytest.raises(gw.errors.OptionError, match=said):
            card.scaled(**bad)


@pytest.mark.parametrize("bad", [{"pdo": "20"}, {"pdo": None}, {"base_odds": "1"}, {"base_points": [600]}])
def test_scales_that_are_no_numbers_are_named(bad) -> None:
    X, y = table()
    card = gw.scorecard(gw.BoostingClassifier(n_estimators=2).fit(X, y > 1), X)
    with pytest.raises(gw.errors.OptionError, match=f"{next(iter(bad))} must be a finite number"):
        card.scaled(**bad)


@pytest.mark.parametrize("pairs", [None, 3, "all", ["ab"], [3], [("a",)], [("a", "zz")], [("a", "a")]])
def test_pairs_that_are_no_pairs_are_refused(pairs) -> None:
    X, y = table()
    with pytest.raises(gw.errors.OptionError):
        gw.scorecard(gw.BoostingRegressor(n_estimators=2).fit(X, y), X, pairs=pairs)


@pytest.mark.parametrize("key", [0, None, ("a", 3), ["a"], "aa", ("a", "k", "b")])
def test_a_table_that_the_card_lacks_is_named(key) -> None:
    X, y = table()
    card = gw.scorecard(gw.BoostingRegressor(n_estimators=2).fit(X, y), X)
    with pytest.raises(KeyError, match="the scorecard has no table of"):
        card[key]


def test_the_frame_lists_every_entry_and_output_in_order() -> None:
    X, y = table()
    model = gw.BoostingClassifier(n_estimators=3, max_depth=3).fit(X, np.digitize(y, [-1, 1, 3]))
    card = gw.scorecard(model, X, pairs=[("a", "k"), ("k", "b")])
    frame = card.to_frame("pandas")
    lines = []
    for one in card.tables:
        for at in np.ndindex(one.weight.shape):
            names = [(bands.feature, bands.label(b), *bands.ends(b)) for bands, b in zip(one.bands, at, strict=True)]
            names += [(None, None, np.nan, np.nan)] * (2 - len(names))
            for o, output in enumerate(card.outputs):
                lines.append([*names[0], *names[1], output, one.points[(*at, o)], one.weight[at]])
    columns = [f"{name}{end}" for end in ("", "_2") for name in ("feature", "band", "lower", "upper")]
    wanted = pd.DataFrame(lines, columns=[*columns, "output", "points", "weight"])
    pd.testing.assert_frame_equal(
        frame.astype(object).where(frame.notna(), None), wanted.astype(object).where(wanted.notna(), None)
    )
