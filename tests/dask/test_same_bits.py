"""Workers explain their own rows: on any number of them the results have the bits of the table in memory."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import glasswood as gw
import glasswood.dask as gwd
from tests.dask.crews import crew_of
from tests.dask.frames import Problem, make_problem


@pytest.fixture(scope="module")
def weighted(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[bool]:
    """Whether to take weights, on a cluster of so many worker processes."""
    with crew_of(request.param, str(tmp_path_factory.mktemp("crew"))):
        yield request.param == 2


def effects(of: Any, p: Problem, X: Any, y: Any, weight: Any) -> list[Any]:
    found = []
    for method in ("observed", "treemind"):
        for one in of.effects(p.model, X, method=method, sample_weight=weight).values():
            found += [one.value, one.effect, one.spread, one.weight]
    return found


def interactions(of: Any, p: Problem, X: Any, y: Any, weight: Any) -> list[Any]:
    found = []
    for one in of.interactions(p.model, X, pairs=[("a", "b"), ("b", "town")], sample_weight=weight).tables:
        found += [one.value, one.effect, one.spread, one.weight, one.h2, one.interaction]
    return found


def attributions(of: Any, p: Problem, X: Any, y: Any, weight: Any) -> list[Any]:
    over = of.attributions(p.model, X, background=X, sample_weight=weight, interactions=True)
    path = of.attributions(p.model, X, features=["b", "town"])
    shown = [over[7].inputs, over[-1].inputs, over.to_frame().index]
    return [over.values, over.interactions, over.raw, over.baseline, path.values, path.rest, path.prediction, *shown]


def ledger(of: Any, p: Problem, X: Any, y: Any, weight: Any) -> list[Any]:
    return [of.ledger(p.model, X, sample_weight=weight).to_dict()]


def examples(of: Any, p: Problem, X: Any, y: Any, weight: Any) -> list[Any]:
    found: list[Any] = []
    query = p.X.iloc[30:37]
    for method in ("breiman", "boosted"):
        index = of.examples(p.model, X, y, method=method, sample_weight=weight, min_rows_per_leaf=3)
        near = index.nearest(query, k=300)
        found += [near.row, near.similarity, near.target.data, index.most(query), index.weights(query).toarray()]
        found.append(index.nearest(query, k=3).to_dict())
    return found


def rules(of: Any, p: Problem, X: Any, y: Any, weight: Any) -> list[Any]:
    return [of.rules(p.model, X, y, sample_weight=weight, max_rules=8, random_state=3).to_dict()]


def compare(of: Any, p: Problem, X: Any, y: Any, weight: Any) -> list[Any]:
    small = p.model.ensemble_.cut(1)
    return [of.compare(p.model, small, X, y, sample_weight=weight).to_dict()]


CREWS: dict[int, list[Callable[..., list[Any]]]] = {
    1: [attributions, rules],
    2: [effects, interactions, ledger, attributions, examples, rules, compare],
    3: [effects, ledger, examples, compare],
}


@cache
def problem() -> Problem:
    return make_problem()


@cache
def in_memory(function: Callable[..., list[Any]], weighted: bool) -> list[Any]:
    p = problem()
    return function(gw, p, p.X, p.y, p.weight if weighted else None)


@pytest.mark.parametrize(
    ("weighted", "function"),
    [(n_workers, function) for n_workers, functions in CREWS.items() for function in functions],
    indirect=["weighted"],
)
def test_workers_find_what_one_process_finds(weighted: bool, function: Callable[..., list[Any]]) -> None:
    p = problem()
    X, y, weight = p.collections
    found = function(gwd, p, X, y, weight if weighted else None)
    for own, wanted in zip(found, in_memory(function, weighted), strict=True):
        if isinstance(wanted, np.ndarray | float):
            assert np.asarray(own).tobytes() == np.asarray(wanted).tobytes()
        else:
            assert repr(own) == repr(wanted)
