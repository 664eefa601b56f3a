"""A report shows everything about any model, in one file within its budget, and a failing part leaves the others."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import catboost
import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from perpetual import PerpetualBooster
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestRegressor

import glasswood as gw
from glasswood.errors import OptionError, TableError
from glasswood.web.panels import _interactions, _terms
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._registry import PANELS
from tests.web.cases import HOSTILE, binary, numbers, passengers, several, target

MINE = ("overview", "performance", "prediction", "effects", "interactions", "rules", "examples")


def data_of(page: Any) -> dict[str, dict[str, Any]]:
    return {section.kind: section.data for section in page.sections}


def plain(n: int = 300) -> tuple[pd.DataFrame, np.ndarray]:
    X = passengers(n)[["age", "fare"]]
    return X, (target(passengers(n)) > 0.6).astype(int)


def lgb() -> tuple[Any, Any, Any]:
    X, y = passengers(), target(passengers())
    X = X.rename(columns={HOSTILE: "colour"})
    return lightgbm.LGBMRegressor(n_estimators=8, verbose=-1, n_jobs=1).fit(X, y), X, y


def xgb() -> tuple[Any, Any, Any]:
    X, y = plain()
    return xgboost.XGBClassifier(n_estimators=8, max_depth=3, n_jobs=1).fit(X, y), X, y


def cat() -> tuple[Any, Any, Any]:
    X, _ = plain()
    model = catboost.CatBoostClassifier(iterations=8, depth=3, verbose=False, allow_writing_files=False, thread_count=1)
    return model.fit(X, np.digitize(X["fare"], [10, 40])), X, np.digitize(X["fare"], [10, 40])


def perpetual() -> tuple[Any, Any, Any]:
    X, y = plain()
    model = PerpetualBooster(objective="LogLoss", budget=0.2, num_threads=1)
    model.fit(X, y)
    return model, X, y


def hist() -> tuple[Any, Any, Any]:
    X, y = plain()
    return HistGradientBoostingClassifier(max_iter=8).fit(X, y), X, y


def forest() -> tuple[Any, Any, Any]:
    X, y = plain()
    return RandomForestRegressor(8, random_state=0).fit(X.fillna(0), y), X.fillna(0), y


@pytest.mark.parametrize("case", [binary, several, numbers, lgb, xgb, cat, perpetual, hist, forest])
def test_every_model_gets_its_page(case, tmp_path: Path) -> None:
    model, X, y = case()
    page = gw.report(model, X, y)
    data = data_of(page)
    assert set(MINE) <= set(data)
    assert {kind: data[kind].get("refused") for kind in MINE} == dict.fromkeys(MINE)
    page.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 2_000_000


def test_only_models_grown_by_gains_explain_them() -> None:
    for case, expected in ((binary, True), (several, False), (lgb, False)):
        assert ("credibility" in data_of(gw.report(*case()))) is expected


def test_a_difference_is_not_judged_by_a_target() -> None:
    model, X, y = binary()
    other = gw.BoostingClassifier(n_estimators=3).fit(X, y)
    data = data_of(gw.report(gw.difference(model, other, X), X, y))
    assert "performance" not in data and "effects" in data
    assert "difference of two models, which predicts no target" in json.dumps(data["overview"])


def test_sections_are_in_the_order_of_the_navigation() -> None:
    model, X, y = binary()
    kinds = [section.kind for section in gw.report(model, X, y).sections]
    assert kinds == [kind for kind in PANELS if kind in kinds]


def test_without_targets_there_are_no_rules_and_a_note_says_why() -> None:
    model, X, _ = binary()
    data = data_of(gw.report(model, X))
    assert "pass y" in data["rules"]["refused"]
    assert data["examples"]["queries"][0]["target"] is None
    assert not data["examples"]["has_target"]


def test_a_part_that_refuses_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    model, X, y = binary()
    monkeypatch.setattr(_interactions, "_MAX_TABLE_CELLS", 2)
    monkeypatch.setattr(_terms, "_MAX_PAIR_LEAVES", 2)
    data = data_of(gw.report(model, X, np.where(y == "no", "nobody", "else")))
    assert "takes minutes" in data["interactions"]["refused"]
    assert "which the model does not know" in data["rules"]["refused"]
    assert "refused" not in data["effects"]


def test_running_out_of_memory_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(subject: Any) -> None:
        raise MemoryError

    model, X, y = binary()
    monkeypatch.setitem(PANELS, "effects", Panel("effects", "Effects", full, "panels/effects.js"))
    assert data_of(gw.report(model, X, y))["effects"] == {"refused": "there is not enough memory for this part"}


def test_no_row_is_embedded_where_none_may_be_shown() -> None:
    X, y = plain(400)
    X["secret"] = np.random.default_rng(0).random(400)
    model = gw.ForestRegressor(5, max_depth=3, random_state=0).fit(X, y)
    text = json.dumps(gw.report(model, X, y, n_examples=0).to_dict())
    # a threshold may start with the same digits
    assert sum(repr(float(value))[:8] in text for value in X["secret"]) < 20
    data = data_of(gw.report(model, X, y, n_examples=0))
    assert "none is to be shown" in data["tree"]["refused"]
    assert "n_examples=0" in data["examples"]["refused"]


def test_a_wide_table_and_a_large_forest_stay_within_the_budget(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(800, 20)), columns=[f"a rather long name of feature {k}" for k in range(20)])
    X["text"] = pd.Categorical([f"{'long ' * 30}{k % 300}" for k in range(800)])
    y = rng.integers(0, 4, 800) + (X.iloc[:, 0] > 0)
    model = gw.ForestClassifier(40, random_state=0).fit(X, y)
    gw.report(model, X, y).save(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 2_000_000


def test_hostile_names_cannot_close_the_script() -> None:
    model, X, y = binary()
    html = gw.report(model, X, y, title=HOSTILE).html()
    assert "</script><img" not in html
    assert HOSTILE not in html


def test_files_and_ensembles_are_taken_too(tmp_path: Path) -> None:
    model, X, y = lgb()
    model.booster_.save_model(tmp_path / "model.txt")
    assert "refused" not in data_of(gw.report(tmp_path / "model.txt", X, y))["effects"]
    assert "refused" not in data_of(gw.report(gw.read(model, X), X, y))["rules"]


def test_wrong_calls_are_refused() -> None:
    model, X, y = binary()
    with pytest.raises(gw.TableError, match="pass X"):
        gw.report(model, None)
    with pytest.raises(gw.TableError, match="has none"):
        gw.report(model, X[:0])
    with pytest.raises(gw.OptionError, match="n_examples"):
        gw.report(model, X, y, n_examples=-1)
    with pytest.raises(gw.TableError):
        gw.report(model, X.rename(columns={"age": "years"}), y)


def test_hundreds_of_classes_stay_within_the_budget(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(1500, 4)), rng.integers(0, 300, 1500)
    gw.report(gw.TreeClassifier(max_depth=8).fit(X, y), X, y).save(tmp_path / "report.html")
    assert (tmp_path / "report.html").stat().st_size < 2_000_000


def test_without_targets_the_tree_says_why_it_is_missing() -> None:
    model, X, _ = binary()
    assert "pass y" in data_of(gw.report(model, X))["tree"]["refused"]


def test_values_too_large_to_square_are_refused() -> None:
    X = np.arange(8.0)[:, None]
    y = np.array([-1e300, 1e300] * 4)
    with pytest.raises(gw.TableError, match="beyond"):
        gw.report(gw.TreeRegressor().fit(X, y), X, y)


def test_targets_of_another_length_are_refused_at_once() -> None:
    model, X, y = lgb()
    with pytest.raises(gw.TableError, match="values for"):
        gw.report(model, X, y[:-1])


def test_progress_counts_the_panels(capsys: pytest.CaptureFixture[str]) -> None:
    X = np.arange(30.0)[:, None]
    page = gw.report(gw.TreeRegressor(max_depth=2).fit(X, X[:, 0]), X, X[:, 0], progress=True)
    assert len(page.sections) == 8
    assert f"{len(PANELS)}/{len(PANELS)}" in capsys.readouterr().err


def test_only_some_panels_are_built() -> None:
    model, X, y = binary()
    page = gw.report(model, X, y, panels=["effects", "overview"])
    assert [section.kind for section in page.sections] == ["overview", "effects"]
    for wrong in ("effects", ["nothing"], []):
        with pytest.raises(OptionError, match="panels must be a list of some of overview, performance"):
            gw.report(model, X, y, panels=wrong)


def test_training_rows_are_checked() -> None:
    model, X, y = binary()
    data = gw.report(model, X[:100], y[:100], train=(X[100:], y[100:]), panels=["performance"]).sections[0].data
    assert data["training"]["parts"]
    with pytest.raises(OptionError, match=r"train=\(X_train, y_train\)"):
        gw.report(model, X, y, train=X)
    with pytest.raises(OptionError, match="pass their targets y too"):
        gw.report(model, X, train=(X, y))
    with pytest.raises(TableError, match="train has 10 targets for 400 rows"):
        gw.report(model, X, y, train=(X, y[:10]))


def test_dates_are_dates_in_every_text() -> None:
    rng, n = np.random.default_rng(0), 300
    X = pd.DataFrame(
        {
            "when": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 900, n), unit="D"),
            "size": rng.normal(size=n),
        }
    )
    y = ((X["when"] > pd.Timestamp("2021-03-01")) & (X["size"] > 0)).astype(int)
    model = gw.ForestClassifier(8, max_depth=4, random_state=0).fit(X, y)
    other = gw.BoostingClassifier(n_estimators=5, max_depth=3).fit(X, y)
    page = gw.report(model, X, y, other=other, train=(X, y))
    texts = [text for section in page.sections for text in texts_of(section.data)]
    # microseconds since 1970 of these years begin with 15 or 16 and have 16 digits
    assert [text for text in texts if re.search(r"1\.[56]\d*e|\b1[56]\d{11,}|\d tn\b", text)] == []
    assert sum("when <= 202" in text for text in texts) > 10


def test_numbers_are_those_of_the_page_in_every_text() -> None:
    rng, n = np.random.default_rng(0), 300
    X = pd.DataFrame({"area": rng.exponential(2e6, n) - 5e5, "share": rng.normal(size=n)})
    y = 1e9 * np.exp(X["share"]) + 100 * X["area"]
    model, other = (gw.ForestRegressor(k, max_depth=4, random_state=0).fit(X, y) for k in (8, 2))
    page = gw.report(model, X, y, other=other, train=(X, y))
    texts = [text for section in page.sections for text in texts_of(section.data) if re.search("[a-z]", text)]
    # five digits in a row without a comma, or a minus of code before a number
    assert [text for text in texts if re.search(r"(?<![\d,.])\d{5,}(?!\d)|(?<!\w)-\d", text)] == []
    assert sum(re.search(r"area <= [\d.]+,\d{3}|area <= [\d.]+ M", text) is not None for text in texts) > 10
    assert sum("<= −" in text for text in texts) > 3


def texts_of(data: Any) -> Iterator[str]:
    """Every text for readers; code compares numbers."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            if key not in ("sql", "python"):
                yield from texts_of(value)
    elif isinstance(data, list):
        for value in data:
            yield from texts_of(value)


@pytest.mark.parametrize("y", [3, 3.5, "yes", object(), np.float64(1), np.array(1)])
def test_targets_that_are_no_column_are_refused(y) -> None:
    model, X, known = binary()
    with pytest.raises(TableError, match="y must hold one value per row"):
        gw.report(model, X, y)
    with pytest.raises(TableError, match="the target of train must hold one value per row"):
        gw.report(model, X, known, train=(X, y))


@pytest.mark.parametrize("panels", [3, [["effects"]], np.array(["effects"]), [3]])
def test_panels_that_are_no_names_are_refused(panels) -> None:
    model, X, y = binary()
    with pytest.raises(OptionError, match="panels must be a list of some of overview"):
        gw.report(model, X, y, panels=panels)


@pytest.mark.parametrize("first_tree", ["0", 1.5, -1, None])
def test_the_first_tree_is_a_number(first_tree) -> None:
    model, X, y = binary()
    with pytest.raises(OptionError, match="first_tree must be a whole number, at least 0"):
        gw.explore(model, X, y, first_tree=first_tree)
