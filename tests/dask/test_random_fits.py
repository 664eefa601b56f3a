"""Random problems, cut and dealt at random over 1, 2, 3 and 5 workers, have the bits of one process."""

from collections.abc import Iterator
from typing import Any

import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

import dask
from glasswood import BoostingClassifier, BoostingRegressor
from glasswood.dask import DaskBoostingClassifier, DaskBoostingRegressor
from tests.dask.clusters import cluster_of

N_WORKERS = 5
GAINS = ["newton", "cred_var", "cred_std", "welch"]
LOSSES = ["squared_error", "absolute_error", "quantile", "poisson", "gamma", "tweedie"]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with cluster_of(N_WORKERS) as client:
        yield client


def frame(n: int, rng: np.random.Generator, n_towns: int = 12) -> pd.DataFrame:
    """Rows sorted by town, so that every partition has others."""
    return pd.DataFrame(
        {
            "a": np.where(rng.random(n) < 0.1, np.nan, rng.normal(size=n)),
            "b": rng.integers(0, 9, n).astype(np.float32),
            "town": np.sort(rng.choice([f"t{k}" for k in range(n_towns)], n)),
        }
    )


def dealt(table: Any, cuts: list[int], owners: list[str], as_category: bool) -> Any:
    """A collection that is cut before these rows, whose partitions lie on these workers."""
    ends = zip([0, *cuts], [*cuts, len(table)], strict=True)
    parts = [table.iloc[a:b] for a, b in ends]
    if as_category and table.ndim == 2:
        parts = [part.astype({"town": "category"}) for part in parts]
    meta = table.iloc[:0].astype({"town": "category"}) if as_category and table.ndim == 2 else table.iloc[:0]
    pieces = [dask.delayed(part) for part in parts]
    collection = dd.from_delayed(pieces, meta=meta, verify_meta=False)
    return collection.persist(workers=owners, allow_other_workers=False)


def options_of(rng: np.random.Generator) -> dict[str, Any]:
    options: dict[str, Any] = {
        "n_estimators": 4,
        "max_depth": int(rng.integers(1, 5)),
        "gain": str(rng.choice(GAINS)),
        "subsample": float(rng.choice([0.6, 1.0])),
        "colsample": float(rng.choice([0.5, 1.0])),
        "symmetric": bool(rng.integers(2)),
        "statistics": str(rng.choice(["exact", "quantised"])),
        "random_state": int(rng.integers(100)),
    }
    if rng.random() < 0.4:
        options |= {"max_leaf_nodes": int(rng.integers(2, 12)), "symmetric": False}
    if rng.random() < 0.4:
        options["monotonic_cst"] = {"a": 1}
    if rng.random() < 0.3:
        options["interaction_cst"] = [["a", "b"]]
    if rng.random() < 0.4:
        options |= {"early_stopping": True, "n_iter_no_change": 2}
    return options


@pytest.mark.parametrize("seed", range(21))
def test_a_random_problem_has_the_bits_of_one_process(seed: int, client: Any) -> None:
    rng = np.random.default_rng(seed)
    # more levels than a byte tells apart: those of partitions are disjoint but for those at their ends
    n, n_towns = (1500, 500) if seed > 14 else (int(rng.integers(150, 300)), 12)
    X, options = frame(n, rng, n_towns), options_of(rng)
    y = pd.Series(np.abs(X["a"].fillna(0.0) + (X["town"] == "t3") + rng.normal(size=n)) + 0.1)
    kinds: tuple[Any, Any] = (BoostingRegressor, DaskBoostingRegressor)
    if seed % 3 == 2:
        n_classes = 2 if seed % 2 else 13  # most partitions have no row of the last
        y = (y.rank(method="first") * n_classes / (n + 1)).astype(int)
        y[y == n_classes - 1] = 0
        y.iloc[-2:] = n_classes - 1
        kinds = (BoostingClassifier, DaskBoostingClassifier)
    else:
        options["loss"] = LOSSES[seed % len(LOSSES)]
    weight = pd.Series(rng.gamma(1.0, size=n) * (rng.random(n) > 0.1)) if rng.random() < 0.5 else None
    offset = y * 0.01 if "loss" in options and rng.random() < 0.5 else None

    owners = sorted(client.nthreads())[: [1, 2, 3, 5][seed % 4]]
    cuts = np.sort(rng.integers(0, n, 7)).tolist()
    cuts[3] = cuts[2]  # an empty partition
    as_category = bool(rng.integers(2))

    def parts(table: Any, some: list[int] = cuts) -> Any:
        return None if table is None else dealt(table, some, owners, as_category)

    watched = {"eval_set": [(X[:60], y[:60])]} if rng.random() < 0.5 else {}
    dealt_watched = {"eval_set": [(parts(X[:60], [20, 20]), parts(y[:60], [20, 20]))]} if watched else {}
    one = kinds[0](**options).fit(X, y, weight, offset=offset, **watched)
    model = kinds[1](**options).fit(
        parts(X), parts(y), parts(weight), offset=parts(offset), client=client, **dealt_watched
    )
    for name, array in one.ensemble_._arrays().items():
        assert array.tobytes() == getattr(model.ensemble_, name).tobytes(), name
    assert one.history_.values.tobytes() == model.history_.values.tobytes()
    assert one.history_.best_round == model.history_.best_round
