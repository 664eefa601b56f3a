"""How cost grows: the same work at 1×, 4× and 16× the rows, the trees and the features, and the measured exponent.

Boosting also at 1×, 4× and 16× the classes, the levels of a category and the leaves of a tree; workers are in
bench_scale.py. Cost ~ size^e: an exponent of 1 means that twice the work takes twice the time. Peers are included if
they do the same work. One thread each, calls alternate, best of several:
``python benchmarks/bench_scaling.py [--quick] [work ...]``.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw
from command import run_command
from record import Record, Report
from timing import Call, alternate

Sides = dict[str, Call]  # name of the library → the call to time


@dataclass(frozen=True, slots=True)
class Size:
    """How large the work is."""

    rows: int
    trees: int
    features: int
    classes: int = 0  # 0: a number is predicted
    levels: int = 0  # of one category more; 0: there is none
    leaves: int = 64

    def times(self, axis: str, factor: int) -> "Size":
        """The same work with one of them grown."""
        return replace(self, **{axis: getattr(self, axis) * factor})


def table(size: Size, n_rows: int | None = None) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Rows on which every feature has an effect and neighbours interact."""
    rng = np.random.default_rng(0)
    n = size.rows if n_rows is None else n_rows
    X = rng.normal(size=(n, size.features))
    y = np.sin(2 * X).sum(axis=1) + (X[:, ::2] * X[:, 1::2]).sum(axis=1) + rng.normal(scale=0.3, size=n)
    return X, y


def model(size: Size) -> Any:
    """A LightGBM model of 31 leaves a tree; its training table does not grow with the rows asked about."""
    import lightgbm as lgb

    X, y = table(size, 5_000)
    options = {"num_leaves": 31, "verbose": -1, "num_threads": 1, "seed": 0, "learning_rate": 0.05}
    return lgb.train(options, lgb.Dataset(X, y), size.trees)


def predict(size: Size) -> Sides:
    booster, (X, _) = model(size), table(size)
    ensemble = gw.read(booster)
    return {
        "glasswood": lambda: ensemble.predict_raw(X),
        "LightGBM": lambda: booster.predict(X, raw_score=True, num_threads=1),
    }


def effects(size: Size) -> Sides:
    ensemble, (X, _) = gw.read(model(size)), table(size)
    return {"glasswood": lambda: gw.effects(ensemble, X)}


def pairs(size: Size) -> Sides:
    ensemble, (X, _) = gw.read(model(size)), table(size)
    chosen = [(a, b) for a in range(4) for b in range(a)]
    return {"glasswood": lambda: gw.interactions(ensemble, X, pairs=chosen)}


def examples(size: Size) -> Sides:
    X, y = table(size)
    index = gw.examples(model(size), X, y)
    queries = X[:100]
    return {"glasswood": lambda: index.nearest(queries, k=5)}


def rules(size: Size) -> Sides:
    X, y = table(size)
    label = (y > 0).astype(int)
    return {"glasswood": lambda: gw.SirusClassifier(size.trees, random_state=0).fit(X, label)}


def forest(size: Size) -> Sides:
    from sklearn.ensemble import RandomForestRegressor

    X, y = table(size)
    options: dict[str, Any] = {"max_depth": 8, "max_features": 1 / 3, "random_state": 0}
    return {
        "glasswood": lambda: gw.ForestRegressor(size.trees, **options).fit(X, y),
        "scikit-learn": lambda: RandomForestRegressor(size.trees, **options).fit(X, y),
    }


def boosting(size: Size) -> Sides:
    import lightgbm as lgb
    import pandas as pd

    X, y = table(size)
    rows: Any = X
    if size.levels:
        levels = np.random.default_rng(1).integers(size.levels, size=len(y))
        rows = pd.DataFrame(X, columns=[f"x{k}" for k in range(size.features)]).assign(level=pd.Categorical(levels))
        y = y + np.sin(levels)
    depth = size.leaves.bit_length() - 1
    options: dict[str, Any] = {
        "num_leaves": size.leaves,
        "max_depth": depth,
        "verbose": -1,
        "num_threads": 1,
        "seed": 0,
    }
    ours: dict[str, Any] = {"n_estimators": size.trees, "max_depth": depth, "colsample": 1.0}
    if size.classes:
        label = np.searchsorted(np.quantile(y, np.linspace(0, 1, size.classes + 1)[1:-1]), y)
        options |= {"objective": "multiclass", "num_class": size.classes}
        return {
            "glasswood": lambda: gw.BoostingClassifier(**ours).fit(rows, label),
            "LightGBM": lambda: lgb.train(options, lgb.Dataset(rows, label), size.trees),
        }
    return {
        "glasswood": lambda: gw.BoostingRegressor(**ours).fit(rows, y),
        "LightGBM": lambda: lgb.train(options, lgb.Dataset(rows, y), size.trees),
    }


AXES = ("rows", "trees", "features")
WORKS: dict[str, tuple[Callable[[Size], Sides], Size, tuple[str, ...]]] = {
    "predict": (predict, Size(20_000, 50, 10), AXES),
    "effects of all features": (effects, Size(5_000, 50, 10), AXES),
    "six pair tables": (pairs, Size(5_000, 50, 10), AXES),
    "5 nearest of 100 queries": (examples, Size(5_000, 50, 10), AXES),
    "rules": (rules, Size(2_500, 100, 10), AXES),
    "grow a forest": (forest, Size(2_500, 5, 6), AXES),
    "boost": (boosting, Size(10_000, 10, 10), AXES),
    "boost classes": (boosting, Size(10_000, 10, 10, classes=3), ("classes",)),
    "boost a category": (boosting, Size(10_000, 10, 10, levels=12), ("levels",)),
    "boost larger trees": (boosting, Size(10_000, 10, 10, leaves=16), ("leaves",)),
}
FACTORS = (1, 4, 16)


def measure(name: str, report: Report) -> None:
    """One work along its axes."""
    make, base, axes = WORKS[name]
    for axis in axes:
        taken: dict[str, list[float]] = {}
        for factor in FACTORS:
            sides = make(base.times(axis, factor))
            best = alternate(list(sides.values()), 2 if report.quick else 5)
            for library, seconds in zip(sides, best, strict=True):
                taken.setdefault(library, []).append(seconds)
        exponents = {library: exponent(times) for library, times in taken.items()}
        peer = next((library for library in taken if library != "glasswood"), None)
        report.add(
            Record(
                f"{name}, {getattr(base, axis):,} to {getattr(base, axis) * FACTORS[-1]:,} {axis}",
                exponents["glasswood"],
                peer,
                exponents[peer] if peer else None,
                unit="exponent",
                note="ours " + ", ".join(f"{t * 1e3:.3g}" for t in taken["glasswood"]) + " ms",
            )
        )


def exponent(times: list[float]) -> float:
    """Slope of log time over log size, by least squares."""
    return float(np.polyfit([math.log(factor) for factor in FACTORS], np.log(times), 1)[0])


if __name__ == "__main__":
    run_command("scaling", __doc__, {name: lambda report, name=name: measure(name, report) for name in WORKS})
