"""RoundLog: a fit that goes on from recorded rounds ends with the bits of one that was never broken off."""

from typing import Any

import numpy as np
import pytest

from glasswood import BoostingClassifier, BoostingRegressor
from glasswood.errors import DivergenceWarning, OptionError, TeamLostError
from glasswood.team import Exchange
from glasswood.train.boosting import RoundLog, pack_rounds, recorded, unpack_rounds
from tests.team.members import cut_rows, run_team

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 4))
X[::7, 1] = np.nan
WEIGHT = RNG.gamma(1.0, size=150)
NOISE = RNG.normal(size=150)


def check_same(one: Any, other: Any) -> None:
    for name, array in one.ensemble_._arrays().items():
        assert array.tobytes() == getattr(other.ensemble_, name).tobytes(), name
    assert one.history_.values.tobytes() == other.history_.values.tobytes()
    assert one.history_.best_round == other.history_.best_round


@pytest.mark.parametrize(
    "options",
    [
        {"subsample": 0.5, "metrics": ["rmse", "mae"]},
        {"loss": "absolute_error", "subsample": 0.7},
        {"early_stopping": True, "n_iter_no_change": 2, "learning_rate": 0.9},
        {"statistics": "quantised", "monotonic_cst": {0: 1}},
    ],
)
@pytest.mark.parametrize("kept", [0, 1, 4])
def test_the_rounds_before_are_not_grown_again_and_no_bit_changes(options: dict[str, Any], kept: int) -> None:
    model = BoostingRegressor(n_estimators=6, max_depth=3, random_state=2, **options)
    log = RoundLog()
    with recorded(log):
        whole = model.fit(X, X[:, 0] + NOISE, WEIGHT)
    check_same(type(model)(**model.get_params()).fit(X, X[:, 0] + NOISE, WEIGHT), whole)
    again = RoundLog(unpack_rounds(pack_rounds(log.rounds[:kept])))
    with recorded(again):
        check_same(whole, BoostingRegressor(**model.get_params()).fit(X, X[:, 0] + NOISE, WEIGHT))
    assert pack_rounds(again.rounds) == pack_rounds(log.rounds)


def test_a_team_goes_on_from_the_rounds_of_one_process() -> None:
    y = RNG.integers(0, 3, 150)
    model = BoostingClassifier(n_estimators=4, max_depth=2, random_state=1, colsample=0.5)
    log = RoundLog()
    with recorded(log):
        model.fit(X, y)
    parts = cut_rows(150, 3, np.random.default_rng(5))

    def work(team: Exchange) -> Any:
        rows = parts[team.rank]
        with recorded(RoundLog(log.rounds[:2])):
            return BoostingClassifier(**model.get_params()).fit(X[rows], y[rows], row_id=rows, team=team)

    for other in run_team(3, work):
        check_same(model, other)


def test_divergence_is_seen_in_the_same_round() -> None:
    y = np.exp(RNG.normal(size=150))
    given: dict[str, Any] = {"loss": "poisson", "n_estimators": 30, "learning_rate": 25.0, "random_state": 0}
    log = RoundLog()
    with recorded(log), pytest.warns(DivergenceWarning):
        whole = BoostingRegressor(**given).fit(X, y)
    with recorded(RoundLog(log.rounds[:-1])), pytest.warns(DivergenceWarning):
        check_same(whole, BoostingRegressor(**given).fit(X, y))


def test_rounds_of_other_rows_are_refused() -> None:
    log = RoundLog()
    with recorded(log):
        BoostingRegressor(n_estimators=2).fit(X, NOISE)
    with recorded(log), pytest.raises(OptionError, match="the 2 rounds to go on from were fitted on other rows"):
        BoostingRegressor(n_estimators=3).fit(X, NOISE[::-1])


def test_what_is_raised_after_a_round_ends_the_fit() -> None:
    def stop() -> None:
        raise TeamLostError("enough")

    log = RoundLog(on_round=stop)
    with recorded(log), pytest.raises(TeamLostError, match="enough"):
        BoostingRegressor(n_estimators=3).fit(X, NOISE)
    assert len(log.rounds) == 1


@pytest.mark.parametrize("symmetric", [False, True])
def test_rounds_of_categories_of_many_levels_are_kept(symmetric: bool) -> None:
    levels = np.r_[:300, [1, 2, 3] * 100]
    rows = np.column_stack([levels, RNG.integers(0, 6, 600)])
    y = 4 * np.isin(levels, (1, 3)) + (rows[:, 1] == 2) + RNG.normal(size=600)
    model = BoostingRegressor(
        n_estimators=4, max_depth=3, subsample=0.8, categorical_features=[0, 1], symmetric=symmetric, random_state=1
    )
    log = RoundLog()
    with recorded(log):
        model.fit(rows, y)
    assert all(len(record.trees["wide_node"]) for record in log.rounds)
    kept = unpack_rounds(pack_rounds(log.rounds))[:2]
    parts = cut_rows(len(rows), 3, np.random.default_rng(5))

    def work(team: Exchange) -> Any:
        own = parts[team.rank]
        with recorded(RoundLog(kept)):
            return BoostingRegressor(**model.get_params()).fit(rows[own], y[own], row_id=own, team=team)

    for other in run_team(3, work):
        check_same(model, other)
