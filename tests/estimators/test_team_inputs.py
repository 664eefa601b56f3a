"""Team inputs: parts that differ in what they hold become one table, or an error that names the part."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from glasswood import BoostingClassifier, BoostingRegressor
from glasswood.errors import OptionError, TableError
from glasswood.estimators import _team_inputs
from glasswood.estimators._team_inputs import shared_row_id
from glasswood.team import Exchange
from tests.team.members import cut_rows, run_team

SIZES = [1, 2, 3, 5]


def check_same(one: Any, other: Any) -> None:
    for name, array in one.ensemble_._arrays().items():
        assert array.tobytes() == getattr(other.ensemble_, name).tobytes(), name
    assert one.ensemble_.features == other.ensemble_.features and one.ensemble_.source == other.ensemble_.source
    assert one.history_.values.tobytes() == other.history_.values.tobytes()
    assert one.history_.best_round == other.history_.best_round


def frame(n: int, rng: np.random.Generator) -> tuple[pd.DataFrame, Any]:
    X = pd.DataFrame(
        {
            "size": rng.normal(size=n).astype(np.float32),
            "town": rng.choice(["Ayr", "Bath", "Cork", "Deal", None], n),
            "kind": pd.Categorical(rng.choice(["p", "q"], n), categories=["r", "q", "p"]),
            "age": np.where(rng.random(n) < 0.2, np.nan, rng.integers(0, 90, n)),
        }
    )
    y = X["size"].fillna(0) + (X["town"] == "Bath") + rng.normal(size=n).round(2)
    return X, y.to_numpy()


@pytest.mark.parametrize("size", SIZES)
def test_frames_with_other_levels_in_every_part_are_one_table(size: int) -> None:
    rng = np.random.default_rng(size)
    X, y = frame(300, rng)
    X, y = X.sort_values("town", ignore_index=True), y  # every part has other towns
    parts = np.array_split(np.arange(300), size)
    weight, offset = rng.gamma(1.0, size=300), rng.normal(size=300)
    eval_rows = cut_rows(300, size, rng)

    def estimator() -> BoostingRegressor:
        return BoostingRegressor(n_estimators=6, max_depth=3, subsample=0.8, random_state=2, metrics=["rmse"])

    def fit(rows: Any, watched: Any, **team: Any) -> BoostingRegressor:
        evaluate = [(X.iloc[watched], y[watched], weight[watched])]
        own = {"sample_weight": weight[rows], "offset": offset[rows], "eval_set": evaluate}
        return estimator().fit(X.iloc[rows], y[rows], **own, **team)

    alone = fit(np.arange(300), np.sort(np.concatenate(eval_rows)))
    for found in run_team(size, lambda team: fit(parts[team.rank], eval_rows[team.rank], team=team)):
        check_same(alone, found)
        assert list(found.feature_names_in_) == list(X.columns)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("labels", [["no", "yes"], [3, 1, 7], ["b", "a", "c", "d"]])
def test_classes_may_be_missing_in_a_part(size: int, labels: list[Any]) -> None:
    rng = np.random.default_rng(size)
    n = 240
    X, y = rng.normal(size=(n, 3)), np.sort(np.array(labels)[rng.integers(0, len(labels), n)])

    def fit(rows: Any, **team: Any) -> BoostingClassifier:
        model = BoostingClassifier(n_estimators=5, early_stopping=True, metrics=["accuracy"], random_state=1)
        return model.fit(X[rows], y[rows], **team)

    alone, parts = fit(np.arange(n)), np.array_split(np.arange(n), size)
    for found in run_team(size, lambda team: fit(parts[team.rank], team=team)):
        check_same(alone, found)
        np.testing.assert_array_equal(found.classes_, alone.classes_)


def test_empty_parts_and_parts_without_values_take_what_the_others_have() -> None:
    rng = np.random.default_rng(0)
    X, y = frame(120, rng)
    X.loc[:39, "town"] = None
    X.loc[:39, "age"] = np.nan
    parts = [np.arange(40), np.arange(0), np.arange(40, 120)]
    alone = BoostingRegressor(n_estimators=4).fit(X, y)

    def work(team: Exchange) -> BoostingRegressor:
        rows = parts[team.rank]
        return BoostingRegressor(n_estimators=4).fit(X.iloc[rows], y[rows], team=team)

    for found in run_team(3, work):
        check_same(alone, found)


def test_numbers_of_two_precisions_are_widened_like_those_of_a_joined_table() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(100, 2)).astype(np.float32), rng.normal(size=100)
    halves = [X[:50], X[50:].astype(np.float64)]
    alone = BoostingRegressor(n_estimators=3).fit(np.concatenate(halves), y)
    found = run_team(
        2, lambda team: BoostingRegressor(n_estimators=3).fit(halves[team.rank], np.split(y, 2)[team.rank], team=team)
    )
    check_same(alone, found[0])


def test_given_columns_become_categories_with_the_values_of_all_parts() -> None:
    rng = np.random.default_rng(1)
    X, y = np.column_stack([np.sort(rng.integers(0, 9, 200)), rng.normal(size=200)]).astype(float), rng.normal(size=200)

    def fit(rows: slice, **team: Any) -> BoostingRegressor:
        return BoostingRegressor(n_estimators=4, categorical_features=[0]).fit(X[rows], y[rows], **team)

    alone = fit(slice(None))
    for found in run_team(2, lambda team: fit(slice(team.rank * 100, team.rank * 100 + 100), team=team)):
        check_same(alone, found)


def test_row_numbers_make_any_order_and_any_cut_the_same() -> None:
    rng = np.random.default_rng(1)
    X, y, number = rng.normal(size=(150, 3)), rng.normal(size=150), rng.permutation(1000)[:150] - 500
    options: dict[str, Any] = {"n_estimators": 4, "subsample": 0.5, "early_stopping": True, "random_state": 0}
    alone = BoostingRegressor(**options).fit(X, y, row_id=number)
    parts = cut_rows(150, 3, rng)

    def work(team: Exchange) -> BoostingRegressor:
        rows = parts[team.rank][::-1]
        return BoostingRegressor(**options).fit(X[rows], y[rows], row_id=number[rows], team=team)

    for found in run_team(3, work):
        check_same(alone, found)


ROWS = np.arange(20.0)[:, None]


@pytest.mark.parametrize(
    ("changed", "error", "message"),
    [
        (
            {"X": pd.DataFrame({"b": np.arange(20.0)})},
            TableError,
            r"part 1 has the columns \['b'\], part 0 has \['a'\]",
        ),
        ({"X": pd.DataFrame({"a": ["t"] * 20})}, TableError, "'a' holds numbers in part 0 and categories in part 1"),
        ({"y": np.append(np.arange(19.0), np.nan)}, TableError, "part 1: y is missing in row 19"),
        ({"y": np.arange(19.0)}, TableError, "part 1: y has 19 values for a table of 20 rows"),
        ({"sample_weight": np.ones(20)}, TableError, "part 1 has sample_weight, part 0 has none"),
        ({"offset": np.ones(20)}, TableError, "part 1 has offset, part 0 has none"),
        ({"row_id": np.arange(20)}, TableError, "some parts have a row_id and some have none"),
        ({"eval_set": []}, None, ""),
        ({"eval_set": [(ROWS, np.arange(20.0))]}, OptionError, "part 1 is fitted with .* and 1 tables of eval_set"),
        ({"options": {"max_depth": 3}}, OptionError, "part 1 is fitted with .*max_depth=3"),
        ({"options": {"warm_start": True}}, OptionError, "part 1: warm_start is not taken by a team"),
        ({"X": scipy.sparse.csr_array(ROWS)}, TableError, "part 1: a team takes no sparse tables"),
    ],
)
def test_parts_that_do_not_fit_are_named(changed: dict[str, Any], error: Any, message: str) -> None:
    def work(team: Exchange) -> BoostingRegressor:
        given: dict[str, Any] = {"X": pd.DataFrame({"a": np.arange(20.0)}), "y": np.arange(20.0)}
        given |= changed if team.rank == 1 else {}
        return BoostingRegressor(n_estimators=2, **given.pop("options", {})).fit(**given, team=team)

    if error is None:
        run_team(2, work)
        return
    with pytest.raises(error, match=message):
        run_team(2, work)


def test_a_row_number_in_two_parts_is_refused() -> None:
    with pytest.raises(TableError, match="row_id must differ from row to row; 7 stands for 2 rows"):
        run_team(
            2,
            lambda team: BoostingRegressor().fit(ROWS[:2], [0.0, 1.0], row_id=[7, 8 + team.rank], team=team),
        )


@pytest.mark.parametrize(
    ("parts", "twin"),
    [
        ([[0, 1, 2, 6, 7], [3, 4, 5]], None),
        ([[7, 3, 5], [4, 8, 6]], None),
        ([[], [4, 5]], None),
        ([[0, 1, 2], [2, 3]], 2),
        ([[0, 1, 2, 3], [1]], 1),
        ([[5, 3, 4], [9, 3]], 3),
        ([[2**63 - 1, -(2**63)], [0, 2**63 - 1]], 2**63 - 1),  # neighbours only where numbers overflow
    ],
)
@pytest.mark.parametrize("most_runs", [0, 10_000])
def test_row_numbers_are_compared_as_runs_or_one_by_one(
    parts: list[list[int]], twin: int | None, most_runs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_team_inputs, "_MAX_RUNS", most_runs)

    def work(team: Exchange) -> Any:
        numbers = np.array(parts[team.rank], dtype=np.int64)
        return shared_row_id(team, numbers, len(numbers), True).tolist()

    if twin is None:
        assert run_team(2, work) == parts
        return
    with pytest.raises(TableError, match=f"row_id must differ from row to row; {twin} stands for 2 rows"):
        run_team(2, work)


@pytest.mark.parametrize("other", [0.0, 1.0])
def test_weights_must_count_somewhere(other: float) -> None:
    def work(team: Exchange) -> BoostingRegressor:
        weight = np.full(5, team.rank * other)
        return BoostingRegressor(n_estimators=1).fit(ROWS[:5], ROWS[:5, 0], sample_weight=weight, team=team)

    if other:
        run_team(2, work)
    else:
        with pytest.raises(TableError, match="sample_weight is zero in every row"):
            run_team(2, work)


def test_a_team_without_any_row_is_refused() -> None:
    with pytest.raises(TableError, match="no member of the team has a row"):
        run_team(2, lambda team: BoostingRegressor().fit(np.empty((0, 1)), np.empty(0), team=team))


def test_a_part_with_few_rows_of_many_classes_is_no_regression() -> None:
    X, y = np.arange(130.0)[:, None], np.arange(130) % 13
    parts = [np.arange(100), np.arange(100, 130), np.arange(100, 113)][:2]
    few = [np.r_[0:117], np.r_[117:130]]  # every class once in the second part
    one = BoostingClassifier(n_estimators=1).fit(X, y)
    for rows in (parts, few):

        def fit(team: Exchange, rows: Any = rows) -> BoostingClassifier:
            own = rows[team.rank]
            return BoostingClassifier(n_estimators=1).fit(X[own], y[own], team=team)

        for found in run_team(2, fit):
            check_same(one, found)
