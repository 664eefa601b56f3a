"""Boosting on sparse tables against its peers, one thread, side by side in one run, with the memory of a fit.

One-hot columns: 10 categories of 100 levels, 100,000 rows, 1 % filled. Counts of words: 10,000 texts of about 120 words
out of 20,000, the frequent ones much more often. `fit` of 100 trees of 31 leaves at learning rate 0.1, and `predict` of
the same rows, from a CSR matrix. Memory is what a fit adds to the peak of a process that holds the table, in a process
of its own. The peer of a line is the fastest of LightGBM and XGBoost; HistGradientBoosting refuses sparse tables.

    python benchmarks/bench_sparse.py [--quick] [one-hot|words]
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from command import ask_child, run_command
from memory import forget_peak, peak
from record import Goal, Record, Report
from timing import alternate

TREES = 100
Table = tuple[Any, NDArray[np.float64]]


def one_hot() -> Table:
    """10 categories of 100 levels as 1,000 columns."""
    import scipy.sparse as sp

    random, n, n_levels = np.random.default_rng(0), 100_000, 100
    y, parts = random.normal(size=n), []
    for _ in range(10):
        codes = random.choice(n_levels, size=n, p=random.dirichlet(np.ones(n_levels)))
        y = y + random.normal(size=n_levels)[codes]
        parts.append(sp.csr_matrix((np.ones(n), codes, np.arange(n + 1)), shape=(n, n_levels)))
    return sp.hstack(parts).tocsr(), y


def words() -> Table:
    """Counts of 20,000 words in 10,000 texts."""
    import scipy.sparse as sp

    random, n, n_words = np.random.default_rng(0), 10_000, 20_000
    share = 1.0 / np.arange(1, n_words + 1)
    length = random.poisson(120, size=n)
    word = random.choice(n_words, size=length.sum(), p=share / share.sum())
    counts = sp.coo_matrix((np.ones(len(word)), (np.repeat(np.arange(n), length), word)), shape=(n, n_words)).tocsr()
    effect = random.normal(size=n_words) * (random.random(n_words) < 0.05)
    return counts, np.log1p(counts).dot(effect) + random.normal(size=n)


def glasswood() -> Any:
    """glasswood with exact statistics, its default."""
    import glasswood as gw

    return gw.BoostingRegressor(
        n_estimators=TREES,
        learning_rate=0.1,
        max_leaf_nodes=31,
        max_depth=None,
        colsample=1.0,
        random_state=0,
        n_jobs=1,
    )


def lightgbm() -> Any:
    """LightGBM."""
    from lightgbm import LGBMRegressor

    return LGBMRegressor(n_estimators=TREES, learning_rate=0.1, num_leaves=31, n_jobs=1, verbose=-1)


def xgboost() -> Any:
    """XGBoost with histograms."""
    from xgboost import XGBRegressor

    size: Any = {"max_leaves": 31, "max_depth": 0, "grow_policy": "lossguide", "tree_method": "hist"}
    return XGBRegressor(n_estimators=TREES, learning_rate=0.1, n_jobs=1, **size)


LIBRARIES: dict[str, Callable[[], Any]] = {"glasswood": glasswood, "LightGBM": lightgbm, "XGBoost": xgboost}
TABLES: dict[str, Callable[[], Table]] = {"one-hot": one_hot, "words": words}


def bytes_of(X: Any) -> int:
    """What the arrays of a CSR matrix take."""
    return int(X.data.nbytes + X.indices.nbytes + X.indptr.nbytes)


def measure(name: str, report: Report) -> None:
    """Time of fit and predict, and memory of fit."""
    X, y = TABLES[name]()
    models = {library: make() for library, make in LIBRARIES.items()}
    rounds = 1 if report.quick else 2
    work = f"{name}, {X.shape[0]:,} × {X.shape[1]:,}"
    fits = alternate([partial(model.fit, X, y) for model in models.values()], rounds)
    line(report, f"fit of {work}", fits)
    line(report, f"predict {work}", alternate([partial(model.predict, X) for model in models.values()], rounds + 1))
    own = ask_child(__file__, name, "glasswood")
    others = {library: ask_child(__file__, name, library) for library in list(LIBRARIES)[1:]}
    best = min(others, key=others.__getitem__)
    size = bytes_of(X) / 1e6
    note = f"the table has {size:.1f} MB"
    goal = Goal("at most", 2 * size)
    report.add(Record(f"memory of a fit of {work}", own, best, others[best], goal, unit="MB", note=note))


def line(report: Report, work: str, times: list[float]) -> None:
    """glasswood against the fastest peer."""
    best = dict(zip(LIBRARIES, times, strict=True))
    ours = best.pop("glasswood")
    fastest = min(best, key=best.__getitem__)
    note = ", ".join(f"{library} {value:.3f}" for library, value in best.items())
    report.add(Record(work, ours, fastest, best[fastest], Goal("share", 0.7), note=note))


def child(name: str, library: str) -> float:
    """MB that a fit adds to the peak, after a first small fit has loaded everything."""
    X, y = TABLES[name]()
    model = LIBRARIES[library]()
    model.fit(X[:200], y[:200])
    before = forget_peak()
    model.fit(X, y)
    return (peak() - before) / 1e6


if __name__ == "__main__":
    run_command("sparse", __doc__, {name: partial(measure, name) for name in TABLES}, child)
