"""How good is it: every number is scikit-learn's, with and without weights, in any order of the rows."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.calibration import calibration_curve
from sklearn.tree import DecisionTreeRegressor

import glasswood as gw
from glasswood.web.page._text import number, percent, signed
from glasswood.web.panels._score import score_words
from glasswood.web.panels._subject import Subject, Training
from glasswood.web.panels.performance._groups import group_feature, group_numbers
from glasswood.web.panels.performance._numbers import poisson_deviance
from glasswood.web.panels.performance._ranking import rank
from glasswood.web.panels.performance._section import build_performance
from tests.web.cases import binary, numbers, several


def scores_of(part: dict[str, Any]) -> dict[str, str]:
    return {name: text for name, text, _ in part["scores"]}


scored = st.lists(
    st.tuples(st.integers(0, 6).map(lambda k: k / 6), st.booleans(), st.integers(0, 3)), min_size=2, max_size=40
).filter(lambda rows: {hit for _, hit, w in rows if w} == {True, False})


@given(scored)
@settings(max_examples=80)
def test_curves_are_those_of_scikit_learn(rows: list[tuple[float, bool, int]]) -> None:
    share, hit, weight = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    ranking = rank(share, hit, weight)
    fpr, tpr, threshold = metrics.roc_curve(hit, share, sample_weight=weight, drop_intermediate=False)
    np.testing.assert_allclose(ranking.threshold, threshold[1:], atol=1e-12)
    np.testing.assert_allclose(ranking.found / ranking.found[-1], tpr[1:], rtol=1e-12)
    np.testing.assert_allclose(ranking.others / ranking.others[-1], fpr[1:], rtol=1e-12)
    expected = metrics.average_precision_score(hit, share, sample_weight=weight)
    assert ranking.average_precision() == pytest.approx(expected, rel=1e-12)
    order = np.random.default_rng(0).permutation(len(rows))
    again = rank(share[order], hit[order], weight[order])
    assert again.average_precision() == ranking.average_precision() and again.gini() == ranking.gini()


@given(scored, st.integers(0, 9), st.integers(0, 9))
@settings(max_examples=80)
def test_the_cheapest_threshold_is_always_among_those_kept(
    rows: list[tuple[float, bool, int]], alarm: int, miss: int
) -> None:
    share, hit, weight = (np.array(column, dtype=np.float64) for column in zip(*rows, strict=True))
    ranking = rank(share, hit, weight)
    cost = np.append(alarm * ranking.others + miss * (ranking.found[-1] - ranking.found), miss * ranking.found[-1])
    kept = np.append(ranking.thinned(2, also=0.5), -1)  # the last: no row is taken
    assert cost[kept].min() == cost.min()
    assert ranking.place(0.5) in kept
    assert ranking.place(0.5) == np.count_nonzero(ranking.threshold >= 0.5) - 1


def test_two_classes_have_the_scores_of_scikit_learn() -> None:
    model, X, y = binary()
    weight = np.random.default_rng(2).integers(0, 4, len(X)).astype(float)
    for given_weight in (None, weight):
        data = build_performance(Subject("", model, X, y, given_weight))
        (part,) = data["parts"]
        share, hit = model.predict_proba(X)[:, 1], y == "yes <i>"
        assert scores_of(part) == {
            "AUC": number(metrics.roc_auc_score(hit, share, sample_weight=given_weight), 3),
            "average precision": number(metrics.average_precision_score(hit, share, sample_weight=given_weight), 3),
            "Brier score": number(metrics.brier_score_loss(hit, share, sample_weight=given_weight), 3),
            "log loss": number(metrics.log_loss(hit, share, sample_weight=given_weight), 3),
        }
        at = part["points"][part["start"]]
        confusion = metrics.confusion_matrix(hit, share >= 0.5, sample_weight=given_weight)
        assert [at[1], at[2]] == [confusion[1, 1], confusion[0, 1]]
        assert part["total"] == [confusion[1].sum(), confusion.sum()]


def test_calibration_is_that_of_scikit_learn_with_intervals_around_it() -> None:
    model, X, y = binary()
    calibration = build_performance(Subject("", model, X, y))["parts"][0]["calibration"]
    found, said = calibration_curve(y == "yes <i>", model.predict_proba(X)[:, 1], n_bins=10, strategy="quantile")
    np.testing.assert_allclose(calibration["said"], said, rtol=1e-5)
    np.testing.assert_allclose(calibration["found"], found, rtol=1e-5)
    for low, middle, high in zip(calibration["low"], calibration["found"], calibration["high"], strict=True):
        assert 0 <= low <= middle <= high <= 1


def test_wilsons_interval_by_hand() -> None:
    groups = group_numbers("x", np.zeros(10), np.ones(10))
    low, high = groups.share_interval(np.array([0.3]))
    np.testing.assert_allclose([low[0], high[0]], [0.10779, 0.60322], atol=5e-6)  # 3 of 10, Wilson 1927


def test_several_classes_are_compared_each_with_the_others() -> None:
    model, X, y = several()
    data = build_performance(Subject("", model, X, y))
    share = model.predict_proba(X)
    assert data["outputs"] == ["0", "1", "2"]
    for k, part in enumerate(data["parts"]):
        assert scores_of(part)["AUC"] == number(metrics.roc_auc_score(y == k, share[:, k]), 3)
        assert scores_of(part)["log loss"] == number(metrics.log_loss(y == k, share[:, k]), 3)
    counts = metrics.confusion_matrix(y, model.predict(X))
    assert data["confusion"]["text"] == [[number(x, 6) for x in line] for line in counts.tolist()]
    assert data["confusion"]["of"] == [percent(x) for x in counts.diagonal() / counts.sum(axis=1)]


def test_numbers_have_the_scores_of_scikit_learn() -> None:
    model, X, y = numbers()
    weight = np.random.default_rng(2).exponential(1, len(X))
    said = model.predict(X)
    for given_weight in (None, weight):
        (part,) = build_performance(Subject("", model, X, y, given_weight))["parts"]
        assert scores_of(part) == {
            "R²": number(metrics.r2_score(y, said, sample_weight=given_weight), 3),
            "root mean square miss": number(metrics.root_mean_squared_error(y, said, sample_weight=given_weight), 3),
            "mean absolute miss": number(metrics.mean_absolute_error(y, said, sample_weight=given_weight), 3),
            "actual minus predicted": signed(np.average(y - said, weights=given_weight)),
            "Gini": scores_of(part)["Gini"],
        }


def test_counts_with_exposure_are_rates_with_weights() -> None:
    """Claims per year, weighted by the years: sums over groups are then those of the claims themselves."""
    rng = np.random.default_rng(0)
    n = 2000
    X = pd.DataFrame({"age": rng.integers(18, 80, n), "power": rng.integers(4, 12, n)})
    years = rng.uniform(0.1, 1.0, n)
    claims = rng.poisson(years * np.exp(-1.5 + 0.02 * (X["age"] - 40)))
    model = gw.BoostingRegressor(n_estimators=10, max_depth=3, loss="poisson")
    model.fit(X, claims / years, sample_weight=years)
    (part,) = build_performance(Subject("", model, X, claims / years, years))["parts"]
    said, rate = model.predict(X), claims / years
    deviance = metrics.mean_poisson_deviance(rate, said, sample_weight=years)
    assert scores_of(part)["Poisson deviance"] == number(deviance, 3)
    explained = metrics.d2_tweedie_score(rate, said, sample_weight=years, power=1)
    assert f"{percent(explained)} less than for the mean" in part["scores"][-2][2]
    view = next(view for view in part["views"] if view["name"] == "power")
    for k, power in enumerate(range(4, 12)):
        rows = X["power"] == power
        assert view["found"][k] == pytest.approx(claims[rows].sum() / years[rows].sum(), rel=1e-5)
        assert view["said"][k] == pytest.approx((said * years)[rows].sum() / years[rows].sum(), rel=1e-5)
    gini = 2 * metrics.auc(*lorenz(said, claims, years)) - 1
    assert scores_of(part)["Gini"] == number(gini, 3)
    np.testing.assert_allclose(metrics.auc(*np.array(part["gains"]).T), (gini + 1) / 2, atol=2e-3)


def lorenz(said: Any, claims: Any, years: Any) -> tuple[Any, Any]:
    """Ordered from the highest prediction; rows of one prediction come together."""
    table = pd.DataFrame({"said": said.round(12), "claims": claims, "years": years}).groupby("said").sum()[::-1]
    return tuple(np.append(0, table[name].cumsum() / table[name].sum()) for name in ("years", "claims"))


def test_poisson_deviance_of_nothing_is_twice_the_prediction() -> None:
    np.testing.assert_allclose(poisson_deviance(np.array([0.0, 3.0]), np.array([2.0, 3.0])), [4.0, 0.0])


def test_groups_by_hand() -> None:
    values = np.array([1.0, 2.0, np.nan, 4.0, 4.0, 9.0])
    groups = group_numbers("x", values, np.array([1.0, 1.0, 2.0, 1.0, 3.0, 0.0]))
    assert groups.words == ("x 1", "x 2", "x 4", "x missing or infinite")  # the row of 9 has no weight
    y, weight = np.array([0.0, 0.0, 5.0, 2.0, 6.0, 100.0]), np.array([1.0, 1.0, 2.0, 1.0, 3.0, 0.0])
    np.testing.assert_allclose(groups.mean(y, weight), [0, 0, 5, 5])
    np.testing.assert_allclose(groups.size, [1, 1, 1.6, 1])  # (1 + 3)² / (1² + 3²)
    np.testing.assert_allclose(groups.quantile(y, weight, 0.1), [0, 0, 2, 5])
    np.testing.assert_allclose(groups.quantile(y, weight, 0.9), [0, 0, 6, 5])
    low, high = groups.mean_interval(y, weight)
    assert low[2] < 5 < high[2]


def test_rare_levels_are_one_group() -> None:
    X = pd.DataFrame({"code": pd.Categorical([f"c{min(k // 20, 14) if k < 300 else 15 + k % 5}" for k in range(320)])})
    model = gw.TreeRegressor(max_depth=8).fit(X, np.arange(320.0))
    ensemble = gw.read(model)
    from glasswood.ensemble import align

    groups = group_feature(align(X, ensemble.features), ensemble.features, 0, np.ones(320))
    assert len(groups.words) == 10 and groups.words[-1] == "code is one of 11 others"
    assert groups.mass.sum() == 320


@pytest.mark.parametrize("case", [binary, numbers])
def test_groups_hold_every_row_once(case: Any) -> None:
    model, X, y = case()
    (part,) = build_performance(Subject("", model, X, y))["parts"]
    for view in part["views"]:
        assert sum(int(text.split()[0].replace(",", "")) for text in view["rows"]) == len(X)
    assert {view["name"] for view in part["views"]} >= {"age", "fare", "port"}


def test_what_cannot_be_compared_is_said() -> None:
    model, X, y = binary()
    with pytest.raises(gw.errors.OptionError, match="no targets were given: pass y"):
        build_performance(Subject("", model, X))
    with pytest.raises(gw.errors.OptionError, match="every row has weight 0"):
        build_performance(Subject("", model, X, y, np.zeros(len(X))))
    with pytest.raises(gw.errors.TableError, match="does not know"):
        build_performance(Subject("", model, X, ["nobody"] * len(X)))
    twice = DecisionTreeRegressor(max_depth=2).fit(X[["fare"]], np.column_stack([X["fare"], X["fare"]]))
    with pytest.raises(gw.errors.OptionError, match="2 numbers for each row"):
        build_performance(Subject("", twice, X[["fare"]], X["fare"]))


def test_training_rows_stand_apart() -> None:
    model, X, y = binary(300)
    alone = build_performance(Subject("", model, X, y))
    assert alone["training"] is None and "looks better here" in alone["lead"]
    subject = Subject("", model, X[200:], y[200:], training=Training(X[:200], y[:200]))
    data = build_performance(subject)
    assert "these 100 rows" in data["lead"] and "200 rows it was trained on" in data["lead"]
    for part, rows in ((data, slice(200, 300)), (data["training"], slice(0, 200))):
        share = gw.read(model).predict(X[rows])
        area = metrics.roc_auc_score(y[rows] == "yes <i>", share)
        assert scores_of(part["parts"][0])["AUC"] == number(area, 3)
    words = score_words(subject)
    assert words.startswith("On these 100 rows") and "On the training data of 200 rows it names" in words


def test_groups_of_training_rows_give_way_to_many_classes() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 2))
    y = np.digitize(X[:, 0], [-1, -0.5, 0, 0.5, 1])
    model = gw.ForestClassifier(5, max_depth=4, random_state=0).fit(X, y)
    data = build_performance(Subject("", model, X, y, training=Training(X, y)))
    assert all(part["views"] for part in data["parts"])
    assert not any(part["views"] for part in data["training"]["parts"])


def test_features_that_rows_are_not_grouped_by_are_counted() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 14))
    model = gw.ForestRegressor(10, max_depth=5, random_state=0).fit(X, X.sum(axis=1))
    data = build_performance(Subject("", model, X, X.sum(axis=1)))
    assert data["groups_note"] == "Rows are grouped by the 12 most important of 14 features."
    case, few, y = binary(100)
    assert build_performance(Subject("", case, few, y))["groups_note"] == ""
