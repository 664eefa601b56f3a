"""The corpus of `make bits`: small fits and explanations, each of which gives arrays whose bits are compared."""

import hashlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

import glasswood as gw

N_ROWS = 700
ORDER = np.random.default_rng(7).permutation(N_ROWS)
NEW = 60  # rows of the queries, in a fixed order


def digest(found: Any) -> str:
    """Hash of all arrays, numbers and texts of a result, in order."""
    sha = hashlib.sha256()

    def add(item: Any) -> None:
        if isinstance(item, np.ndarray):
            sha.update(f"{item.dtype}{item.shape}".encode())
            sha.update(repr(item.tolist()).encode() if item.dtype.kind == "O" else np.ascontiguousarray(item).tobytes())
        elif isinstance(item, float | np.floating):
            sha.update(np.float64(item).tobytes())
        elif isinstance(item, Iterable) and not isinstance(item, str):
            for part in item:
                add(part)
        else:
            sha.update(repr(item).encode())

    add(found)
    return sha.hexdigest()[:16]


@dataclass(frozen=True)
class Data:
    """The table, its targets and weights, in one order of the rows."""

    order: NDArray[np.int64] = field(default_factory=lambda: np.arange(N_ROWS))
    n_jobs: int = 1

    @cached_property
    def columns(self) -> dict[str, NDArray[Any]]:
        rng = np.random.default_rng(11)
        a, b = rng.normal(size=N_ROWS), np.round(rng.normal(size=N_ROWS), 1)
        c, d = rng.gamma(2.0, size=N_ROWS), rng.integers(0, 6, N_ROWS).astype(float)
        b[rng.random(N_ROWS) < 0.1] = np.nan
        kind = rng.choice(["ash", "elm", "fir", "oak", "yew"], N_ROWS)
        raw = a + np.where(np.isnan(b), 0.7, b * b) + 0.3 * d * (kind == "oak") + 0.5 * rng.normal(size=N_ROWS)
        weight = np.exp(2.5 * rng.normal(size=N_ROWS)) * (rng.random(N_ROWS) > 0.1)
        count = rng.poisson(np.exp(0.4 * np.clip(raw, -3, 3))).astype(float)
        return {
            "a": a, "b": b, "c": c, "d": d, "kind": kind, "y": raw, "weight": weight, "count": count,
            "positive": np.exp(0.3 * raw), "two": (raw > 1.0).astype(int), "three": np.digitize(raw, [0.5, 2.0]),
            "five": np.digitize(raw, [-0.5, 0.5, 1.5, 2.5]),
            "offset": 0.1 * rng.normal(size=N_ROWS), "id": rng.permutation(10 * N_ROWS)[:N_ROWS],
        }  # fmt: skip

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.columns[name][self.order]

    @cached_property
    def table(self) -> NDArray[np.float64]:
        return np.column_stack([self[name] for name in "abcd"])

    @cached_property
    def frame(self) -> pd.DataFrame:
        levels = ["yew", "ash", "elm", "fir", "oak"]
        columns = {name: self[name] for name in "abcd"}
        return pd.DataFrame(columns | {"kind": pd.Categorical(self["kind"], categories=levels)})

    @cached_property
    def new(self) -> NDArray[np.float64]:
        return Data().table[:NEW]

    @cached_property
    def new_frame(self) -> pd.DataFrame:
        return Data().frame[:NEW]


@dataclass(frozen=True)
class Case:
    """One line of the table."""

    name: str
    run: Callable[[Data], Any]
    any_order: bool = True  # the result must not depend on the order of rows


class Cubic:
    """A custom loss."""

    def gradient_hessian(self, y: NDArray[Any], raw: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
        return (raw - y) * np.abs(raw - y), 2 * np.abs(raw - y)

    def loss(self, y: NDArray[Any], raw: NDArray[Any]) -> NDArray[Any]:
        return np.abs(raw - y) ** 3


def _boosted(model: Any) -> Any:
    return [*model.ensemble_._arrays().values(), model.ensemble_.baseline, model.history_.values]


def _regression(name: str, target: str = "y", *, weighted: bool = False, offset: bool = False, **options: Any) -> Case:
    def run(data: Data) -> Any:
        model = gw.BoostingRegressor(**{"n_estimators": 8, "max_depth": 4, "random_state": 5} | options)
        model.n_jobs = data.n_jobs
        model.fit(
            data.frame,
            data[target],
            sample_weight=data["weight"] if weighted else None,
            offset=data["offset"] if offset else None,
            row_id=data["id"],
        )
        return [*_boosted(model), model.predict(data.new_frame)]

    return Case(f"fit regression {name}", run)


def _classes(name: str, target: str, *, weighted: bool = False, **options: Any) -> Case:
    def run(data: Data) -> Any:
        model = gw.BoostingClassifier(**{"n_estimators": 6, "max_depth": 3, "random_state": 5} | options)
        model.n_jobs = data.n_jobs
        weight = data["weight"] if weighted else None
        model.fit(data.frame, data[target], sample_weight=weight, row_id=data["id"])
        return [*_boosted(model), model.predict_proba(data.new_frame)]

    return Case(f"fit classes {name}", run)


def _warm(data: Data) -> Any:
    model = gw.BoostingRegressor(n_estimators=3, warm_start=True, random_state=1, n_jobs=data.n_jobs, subsample=0.7)
    model.fit(data.table, data["y"], row_id=data["id"])
    return _boosted(model.set_params(n_estimators=6).fit(data.table, data["y"], row_id=data["id"]))


def _grown(name: str, make: Callable[[], Any], target: str, *, weighted: bool = False, any_order: bool = False) -> Case:
    def run(data: Data) -> Any:
        model = make()
        model.n_jobs = data.n_jobs
        model.fit(data.table, data[target], sample_weight=data["weight"] if weighted else None)
        shown = model.predict_proba(data.new) if hasattr(model, "predict_proba") else model.predict(data.new)
        return [shown, *(model.ensemble_._arrays().values() if hasattr(model, "ensemble_") else [])]

    return Case(f"fit {name}", run, any_order)


def fits() -> Iterator[Case]:
    """At least thirty."""
    for loss, target in {
        "squared_error": "y", "absolute_error": "y", "quantile": "y", "poisson": "count", "gamma": "positive",
        "tweedie": "count",
    }.items():  # fmt: skip
        yield _regression(loss, target, loss=loss, quantile=0.3)
        yield _regression(f"{loss}, weights", target, weighted=True, loss=loss, quantile=0.3, metrics=["rmse", "mae"])
    for gain in ("cred_var", "cred_std", "welch"):
        yield _regression(f"gain {gain}", gain=gain)
        yield _regression(f"gain {gain}, quantised, weights", weighted=True, gain=gain, statistics="quantised")
    yield _regression("quantised", statistics="quantised")
    yield _regression("quantised, poisson, offset", "count", offset=True, loss="poisson", statistics="quantised")
    yield _regression("subsample and colsample", subsample=0.6, colsample=0.6)
    yield _regression("subsample, quantised", subsample=0.6, statistics="quantised")
    yield _regression("early stopping", early_stopping=True, n_iter_no_change=2, n_estimators=30)
    yield _regression("early stopping, weights", weighted=True, early_stopping=True, n_iter_no_change=2)
    yield _regression("best leaf first", max_leaf_nodes=9, max_depth=None)
    yield _regression("monotone", monotonic_cst={"a": 1, "d": -1})
    yield _regression("groups of features", interaction_cst=[["a", "b"], ["c", "d", "kind"]])
    yield _regression("offset", offset=True)
    yield _regression("own loss", weighted=True, loss=Cubic(), early_stopping=True)
    yield _regression("few bins", max_bins=7, l2=0.0)
    yield Case("fit regression, more rounds later", _warm)
    for name, target in {"two": "two", "three": "three", "five": "five"}.items():
        yield _classes(name, target, metrics=["accuracy", "auc"] if name == "two" else ["accuracy"])
        yield _classes(f"{name}, weights", target, weighted=True, gain="cred_std")
        yield _classes(f"{name}, quantised, subsample", target, statistics="quantised", subsample=0.5)
        yield _classes(f"{name}, early stopping", target, early_stopping=True)
    yield from _trees()
    # a bootstrap draws positions, so another order of the rows gives other draws
    yield _grown("forest of numbers", lambda: gw.ForestRegressor(12, max_depth=6, random_state=3), "y")
    yield _grown("forest of classes", lambda: gw.ForestClassifier(12, max_depth=6, random_state=3), "three")
    yield _grown(
        "forest of classes, weights", lambda: gw.ForestClassifier(12, splits="quantile", random_state=3), "two",
        weighted=True,
    )  # fmt: skip
    yield _grown("rules of numbers", lambda: gw.SirusRegressor(60, random_state=2), "y")
    yield _grown("rules of numbers, weights", lambda: gw.SirusRegressor(60, random_state=2), "y", weighted=True)
    yield Case("fit rules of numbers, many rows", _many_rows, any_order=False)
    yield _grown("rules of classes", lambda: gw.SirusClassifier(60, random_state=2), "two")
    yield _grown("rules of three classes", lambda: gw.SirusClassifier(60, random_state=2), "three")


def _forest_of_all(kind: Callable[..., Any], **options: Any) -> Callable[[], Any]:
    return lambda: kind(5, bootstrap=False, max_features=2, random_state=3, **options)


def _trees() -> Iterator[Case]:
    """Trees, and forests that draw no rows; the order of their rows does not matter."""
    for weighted in (False, True):
        end = ", weights" * weighted
        made: dict[str, tuple[Callable[[], Any], str]] = {
            "tree of numbers": (lambda: gw.TreeRegressor(max_depth=5), "y"),
            "tree of two classes": (lambda: gw.TreeClassifier(max_depth=5), "two"),
            "tree of classes": (lambda: gw.TreeClassifier(max_depth=5), "three"),
            "tree of classes, entropy": (lambda: gw.TreeClassifier(max_depth=5, criterion="entropy"), "three"),
            "forest of all rows": (_forest_of_all(gw.ForestRegressor), "y"),
            "forest of all rows, classes": (_forest_of_all(gw.ForestClassifier), "three"),
            "forest of all rows, quantiles": (_forest_of_all(gw.ForestRegressor, splits="quantile"), "y"),
            "forest of all rows, classes, quantiles": (_forest_of_all(gw.ForestClassifier, splits="quantile"), "three"),
        }
        for name, (make, target) in made.items():
            yield _grown(name + end, make, target, weighted=weighted, any_order=True)


def _many_rows(data: Data) -> Any:
    """Enough rows for BLAS to start its threads."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30_000, 5))
    y = X[:, 0] * (X[:, 1] > 0) + rng.normal(size=len(X))
    return gw.SirusRegressor(20, random_state=0, n_jobs=data.n_jobs).fit(X, y).predict(X[:NEW])


class Models:
    """Models that are explained, fitted once on the rows in a fixed order."""

    @cached_property
    def numbers(self) -> Any:
        data = Data()
        return gw.BoostingRegressor(n_estimators=12, max_depth=4, random_state=0).fit(data.frame, data["y"])

    @cached_property
    def classes(self) -> Any:
        data = Data()
        return gw.BoostingClassifier(n_estimators=5, max_depth=3, random_state=0).fit(data.frame, data["three"])

    @cached_property
    def forest(self) -> Any:
        data = Data()
        return gw.ForestRegressor(15, max_depth=4, random_state=0).fit(data.table, data["y"])

    @cached_property
    def two(self) -> Any:
        data = Data()
        return gw.ForestClassifier(15, max_depth=4, random_state=0).fit(data.table, data["two"])

    @cached_property
    def tree(self) -> Any:
        data = Data()
        return gw.TreeRegressor(max_depth=4).fit(data.table, data["y"])


MODELS = Models()


def _effects(model: str, method: str, weighted: bool) -> Case:
    def run(data: Data) -> Any:
        weight = data["weight"] if weighted else None
        table = data.table if model == "forest" else data.frame
        found = gw.effects(getattr(MODELS, model), table, method=method, sample_weight=weight, n_jobs=data.n_jobs)
        tables = [(e.value, e.effect, e.spread, e.weight, e.baseline) for e in found.features]
        importance = found.importance()
        return [tables, importance.sd, importance.mean_abs]

    return Case(f"effects of {model}, {method}{', weights' * weighted}", run)


def _interactions(method: str, weighted: bool, **options: Any) -> Case:
    def run(data: Data) -> Any:
        weight = data["weight"] if weighted else None
        found = gw.interactions(
            MODELS.numbers, data.frame, method=method, sample_weight=weight, n_jobs=data.n_jobs, **options
        )
        return [(t.value, t.weight, t.baseline, t.h2, t.term_sd) for t in found.tables]

    degree = f", degree {options['degree']}" if "degree" in options else ""
    return Case(f"interactions, {method}{degree}{', weights' * weighted}", run)


def _ledger(model: str, weighted: bool) -> Case:
    def run(data: Data) -> Any:
        table = data.table if model == "forest" else data.frame
        found = gw.ledger(
            getattr(MODELS, model), table, sample_weight=data["weight"] if weighted else None, n_jobs=data.n_jobs
        )
        return found.mean, found.variance, found.effects, found.effects_and_pairs

    return Case(f"ledger of {model}{', weights' * weighted}", run)


def _rules(model: str, target: str, weighted: bool) -> Case:
    def run(data: Data) -> Any:
        weight = data["weight"] if weighted else None
        found = gw.rules(
            getattr(MODELS, model), data.table, data[target], sample_weight=weight, n_jobs=data.n_jobs, random_state=0
        )
        return [found.predict(data.new), found.intercept, found.mean, found.score, found.fidelity, found.to_text()]

    return Case(f"rules of {model}{', weights' * weighted}", run)


def _examples(kind: str, weighted: bool) -> Case:
    def run(data: Data) -> Any:
        weight = data["weight"] if weighted else None
        index = gw.examples(MODELS.forest, data.table, method=kind, sample_weight=weight, n_jobs=data.n_jobs)
        return [np.sort(index.nearest(data.new, k=5).similarity, axis=1)]

    return Case(f"examples, {kind}{', weights' * weighted}", run)


def _profile(data: Data) -> Any:
    found = gw.tree_profile(MODELS.tree, data.table, data["y"], sample_weight=data["weight"])
    return found.impurity, found.score, found.node_impurity


def _answers(model: str) -> Case:
    def run(data: Data) -> Any:
        its = getattr(MODELS, model)
        table = data.new if model in ("forest", "two", "tree") else data.new_frame
        shown = its.predict_proba(table) if hasattr(its, "predict_proba") else its.predict(table)
        return shown, its.apply(table), its.feature_importances_

    return Case(f"predictions of {model}", run)


def explanations() -> Iterator[Case]:
    """At least thirty."""
    for model in ("numbers", "classes", "forest"):
        for method in ("interventional", "observed", "path"):
            yield _effects(model, method, weighted=False)
            yield _effects(model, method, weighted=True)
    for method in ("shared", "leafmean", "treemind"):
        yield _effects("numbers", method, weighted=True)
    for method in ("interventional", "observed", "path"):
        yield _interactions(method, weighted=False)
        yield _interactions(method, weighted=True)
    yield _interactions("interventional", weighted=True, degree=3, features=["a", "b", "d"])
    for model in ("numbers", "classes", "forest"):
        yield _ledger(model, weighted=False)
        yield _ledger(model, weighted=True)
    for model, target in {"forest": "y", "two": "two"}.items():
        yield _rules(model, target, weighted=False)
        yield _rules(model, target, weighted=True)
    for kind in ("leaf_weight", "breiman"):
        yield _examples(kind, weighted=False)
        yield _examples(kind, weighted=True)
    yield Case("profile of a tree, weights", _profile)
    for model in ("numbers", "classes", "forest", "two", "tree"):
        yield _answers(model)


def cases() -> list[Case]:
    """All cases."""
    return [*fits(), *explanations()]


def hashes(data: Data, chosen: Iterable[Case], *, permuted: bool = False) -> dict[str, str]:
    """Hash of every case; left out if the order of the rows matters and they are permuted."""
    found = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gw.GlasswoodWarning)
        for case in chosen:
            found[case.name] = digest(case.run(data)) if case.any_order or not permuted else "-"
    return found
