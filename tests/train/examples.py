"""Small tables and targets for the tests of training."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows, Ensemble, FeatureSchema, Provenance
from glasswood.train import ClassTarget, NumberTarget, Target, TrainingTable
from glasswood.train.boosting import GAINS, Boosted, BoostingOptions, BoostingTable, boost
from glasswood.train.boosting._binning import Binning
from tests.reference import boosting as reference
from tests.reference.trees import Feature

SOURCE = Provenance(library="glasswood", version="", model="test", objective="", weight_kind="weights")


@dataclass
class Problem:
    features: list[Feature]
    y: NDArray[np.float64]
    weight: NDArray[np.float64]
    n_classes: int  # 0: numbers

    def table(self) -> TrainingTable:
        n = len(self.features)
        schema = FeatureSchema(
            names=FeatureSchema.positions(n),
            named=False,
            categories=tuple(tuple(range(f.n_levels)) if f.n_levels else None for f in self.features),
            coded=np.zeros(n, dtype=bool),
            missing_routed=np.ones(n, dtype=bool),
            zero_is_missing=np.zeros(n, dtype=bool),
        )
        columns = [f.values.astype(np.int32) if f.n_levels else f.values for f in self.features]
        return TrainingTable(schema, AlignedRows(len(self.y), columns))

    def target(self) -> Target:
        if self.n_classes == 0:
            return NumberTarget(self.y)
        return ClassTarget(self.y.astype(np.int32), tuple(map(str, range(self.n_classes))))


@st.composite
def problems(draw: st.DrawFn, *, max_rows: int = 14) -> Problem:
    """Tables with many ties: few values, few levels, missing values, weights, some of them 0."""
    n_rows = draw(st.integers(1, max_rows))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    features = []
    for _ in range(draw(st.integers(1, 3))):
        n_levels = draw(st.sampled_from([0, 0, 2, 5]))
        n_values = draw(st.integers(1, 6))
        values = rng.integers(0, n_levels or n_values, n_rows).astype(np.float64)
        if draw(st.booleans()):
            values[rng.random(n_rows) < 0.3] = -1 if n_levels else np.nan
        features.append(Feature(values, n_levels))
    n_classes = draw(st.sampled_from([0, 1, 2, 3]))
    y = rng.integers(0, n_classes or 5, n_rows).astype(np.float64)
    weight = draw(st.sampled_from([np.ones(n_rows), rng.integers(0, 4, n_rows).astype(np.float64)]))
    weight[0] = max(weight[0], 1)
    return Problem(features, y, weight, n_classes)


_OF_BOOST = ("outputs", "evaluate", "seed", "before", "make_trees", "limits", "n_threads")


def fit(X: Any, y: Any, *, features: FeatureSchema | None = None, **options: Any) -> Boosted:
    """Boost on a table or a list of columns with all features; options of `boost` and of `BoostingOptions` alike."""
    weight, offset = options.pop("weight", np.empty(0)), options.pop("offset", None)
    extra = {key: options.pop(key) for key in _OF_BOOST if key in options}
    data = X if isinstance(X, list) else np.asarray(X, dtype=float)
    rows = AlignedRows(len(y), data)
    n_features = len(data) if isinstance(data, list) else data.shape[1]
    schema = features or FeatureSchema.numeric(FeatureSchema.positions(n_features), named=False)
    table = BoostingTable(name="train", rows=rows, y=np.asarray(y, dtype=float), weight=weight, offset=offset)
    return boost(table, schema, BoostingOptions(**{"colsample": 1.0, **options}), **{"outputs": ("y",), **extra})


def asked_of(
    X: NDArray[np.float64],
    binning: Binning,
    g: NDArray[np.float64],
    h: NDArray[np.float64],
    weight: NDArray[np.float64],
    options: dict[str, Any],
) -> reference.Problem:
    """What the slow reference is asked about a tree with these bins, statistics and options of `fit`."""
    names = ("gain", "l2", "min_weight_leaf", "min_samples_leaf", "max_depth", "rho")
    return reference.Problem(
        X=X,
        is_category=binning.features.is_category.tolist(),
        edges=[binning.edges_of(f) for f in range(X.shape[1])],
        level_bin=[binning.bins_of_levels(f).astype(int) for f in range(X.shape[1])],
        g=g,
        h=h,
        weight=weight if len(weight) else np.ones(len(X)),
        min_gain=0.0,
        **{name: options[name] for name in names if name in options},
    )


def members(ensemble: Ensemble, node: int) -> set[int]:
    """Codes that go left at a category split."""
    first, last = ensemble.set_start[ensemble.category_set[node] : ensemble.category_set[node] + 2]
    words = ensemble.set_bits[first:last].tolist()
    return {64 * w + bit for w, word in enumerate(words) for bit in range(64) if word >> bit & 1}


BOOSTING_LOSSES = ("squared_error", "absolute_error", "quantile", "poisson", "gamma", "tweedie", "logistic")


def mixed_table(n: int, n_levels: int) -> tuple[NDArray[np.float64], list[Any], NDArray[np.float64]]:
    """Numbers, exclusive columns of 0 and 1, a category, and missing values."""
    rng = np.random.default_rng(0)
    kind = rng.integers(0, 6, n)
    X = np.column_stack(
        [rng.normal(size=(n, 3)).round(2), *(kind == k for k in range(5)), rng.integers(0, n_levels, n)]
    )
    X[rng.random(n) < 0.1, 0] = np.nan
    y = X[:, 1] * (kind == 2) + np.where(X[:, -1] % 7 < 2, 1.0, 0.0) + rng.normal(size=n)
    return X, [None] * 8 + [tuple(f"l{k}" for k in range(n_levels))], y


@st.composite
def boosting_problems(draw: Any) -> dict[str, Any]:
    """A table with its target, weights and options of boosting."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n = draw(st.integers(2, 60))
    loss = draw(st.sampled_from(BOOSTING_LOSSES))
    kinds = draw(st.lists(st.sampled_from(["few", "many", "level"]), min_size=1, max_size=3))
    columns, labels = [], []
    for kind in kinds:
        n_levels = 70 if rng.random() < 0.2 else 5
        x = {
            "few": rng.integers(0, 4, n) / 2,
            "many": rng.normal(size=n).round(2),
            "level": rng.integers(0, n_levels, n),
        }
        column = x[kind].astype(float)
        if rng.random() < 0.5:
            column[rng.random(n) < 0.25] = np.nan
        columns.append(column)
        labels.append(tuple(f"l{k}" for k in range(n_levels)) if kind == "level" else None)
    y = {"logistic": rng.integers(0, 2, n), "poisson": rng.poisson(1.0, n), "tweedie": rng.poisson(1.0, n) * 1.5}.get(
        loss, rng.normal(size=n).round(1)
    )
    y = rng.gamma(2.0, size=n) + 0.1 if loss == "gamma" else y.astype(float)
    if loss in ("poisson", "tweedie"):
        y[0] = 1.0
    weight = {"none": np.empty(0), "counts": rng.integers(0, 4, n).astype(float), "shares": rng.random(n)}[
        draw(st.sampled_from(["none", "counts", "shares"]))
    ]
    if len(weight):
        weight[0] = max(weight[0], 0.5)
    max_leaf_nodes = draw(st.sampled_from([None, None, 3]))
    return {
        "X": np.column_stack(columns),
        "labels": labels,
        "y": y,
        "weight": weight,
        "loss": loss,
        "gain": draw(st.sampled_from(GAINS)),
        "l2": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "min_weight_leaf": draw(st.sampled_from([0.0, 1.0, 2.0])),
        "min_samples_leaf": draw(st.sampled_from([1, 2, 4])),
        "max_depth": draw(st.integers(1, 4)),
        "max_bins": draw(st.sampled_from([4, 16, 255])),
        "max_leaf_nodes": max_leaf_nodes,
        "symmetric": max_leaf_nodes is None and draw(st.booleans()),
        "quantile": 0.3,
        "power": 1.5,
        "n_estimators": 2,
        "rho": draw(st.sampled_from([1.0, 1.0, 0.5])),
        "statistics": draw(st.sampled_from(["exact", "quantised"])),
    }


def columns_of(X: NDArray[np.float64], labels: list[Any]) -> tuple[list[NDArray[Any]], FeatureSchema]:
    """Columns of a problem, levels as codes, and what they are."""
    n_features = X.shape[1]
    features = FeatureSchema(
        names=FeatureSchema.positions(n_features),
        named=False,
        categories=tuple(labels),
        coded=np.zeros(n_features, dtype=bool),
        missing_routed=np.ones(n_features, dtype=bool),
        zero_is_missing=np.zeros(n_features, dtype=bool),
    )
    codes = [np.where(np.isnan(X[:, f]), -1, X[:, f]).astype(np.int32) for f in range(n_features)]
    return [codes[f] if labels[f] else X[:, f].copy() for f in range(n_features)], features
