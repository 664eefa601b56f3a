"""Does credibility help? newton, cred_var, cred_std and welch on the same configurations, judged on rows none has seen.

Three questions, answered over several seeds:

- the root mean square error to the true function on generated tables with noise of known shape;
- how often the first split falls on a feature that carries only noise;
- categories with 2 to 20 rows each, where a rule that does not count rows should fail.

Every rule sees the same rows, configurations and validation table (early stopping and choice of configuration); only
the test error is reported, as a ratio to newton's. Run:
``python benchmarks/study_credibility.py [--seeds 10] [--jobs 2]``.
"""

import argparse
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

import glasswood as gw

Floats = NDArray[np.float64]
RULES = ("newton", "cred_var", "cred_std", "welch")
GRID = [
    {"max_depth": depth, "min_weight_leaf": least, "l2": l2}
    for depth, least, l2 in product((4, 6), (1.0, 20.0), (1.0, 20.0))
]


def friedman(X: Floats) -> Floats:
    """The function to find."""
    return np.asarray(
        10 * np.sin(np.pi * X[:, 0] * X[:, 1]) / 5 + 4 * (X[:, 2] - 0.5) ** 2 + 2 * X[:, 3] + X[:, 4], dtype=np.float64
    )


Noise = Callable[[Floats, np.random.Generator], Floats]
NOISES: dict[str, Noise] = {
    "same everywhere": lambda X, rng: rng.normal(size=len(X)),
    "irrelevant feature": lambda X, rng: rng.normal(size=len(X)) * np.where(X[:, 9] > 0.5, 5.2, 0.2),
    "multiplicative": lambda X, rng: rng.normal(size=len(X)) * 0.5 * np.abs(friedman(X)),
    "heavy tails": lambda X, rng: rng.standard_t(2, size=len(X)),
    "at the edges": lambda X, rng: rng.normal(size=len(X)) * np.where(np.abs(X[:, 3] - 0.5) > 0.4, 4.0, 0.5),
}


def best_error(rule: str, tables: list[tuple[Floats, Floats]], test: tuple[Floats, Floats], jobs: int) -> float:
    """Test error of the configuration that the validation table prefers."""
    (X, y), valid = tables
    found = []
    for options in GRID:
        model = gw.BoostingRegressor(
            gain=rule, n_estimators=200, max_bins=32, early_stopping=True, n_iter_no_change=10, n_jobs=jobs, **options
        ).fit(X, y, eval_set=[valid])
        watched = model.history_.of("eval0", "squared_error").min()
        found.append((watched, float(np.sqrt(np.mean((model.predict(test[0]) - test[1]) ** 2)))))
    return min(found)[1]


def noise_study(seeds: int, jobs: int, n: int = 1500) -> None:
    """Error to the true function, by shape of noise."""
    print("test error as a ratio to newton's: mean ± standard error (seeds below 1)")
    for name, noise in NOISES.items():
        ratios: dict[str, list[float]] = {rule: [] for rule in RULES}
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            X, V, T = (rng.random((size, 10)) for size in (n, n // 2, 4000))
            tables = [(X, friedman(X) + noise(X, rng)), (V, friedman(V) + noise(V, rng))]
            errors = {rule: best_error(rule, tables, (T, friedman(T)), jobs) for rule in RULES}
            for rule in RULES:
                ratios[rule].append(errors[rule] / errors["newton"])
        print(f"  {name:20}", *(f"{rule} {summary(ratios[rule])}" for rule in RULES[1:]), sep="  ")


def first_split_study(seeds: int, n: int = 1000) -> None:
    """How often the root splits the one feature that only steers the noise; 1 in 10 would be fair."""
    print("share of first splits on the feature that carries only noise (fair: 0.10)")
    for rule in RULES:
        hits = 0
        for seed in range(20 * seeds):
            rng = np.random.default_rng(seed)
            X = rng.random((n, 10))
            y = rng.normal(size=n) * np.where(X[:, 9] > 0.8, 5.0, 0.5)
            model = gw.BoostingRegressor(gain=rule, n_estimators=1, max_depth=1, max_bins=32).fit(X, y)
            hits += int(model.ensemble_.feature[0] == 9)
        print(f"  {rule:10} {hits / (20 * seeds):.2f}")


def small_group_study(seeds: int, jobs: int) -> None:
    """Categories of 2 to 20 rows."""
    print("categories of 2 to 20 rows: test error as a ratio to newton's at the same min_weight_leaf")
    for least in (1.0, 20.0):
        ratios: dict[str, list[float]] = {rule: [] for rule in RULES}
        for seed in range(seeds):
            rng = np.random.default_rng(seed)
            sizes = rng.integers(2, 21, 150)
            code = np.repeat(np.arange(150.0), sizes)
            truth = rng.normal(size=150) * 0.5
            X = np.column_stack([code, rng.random(len(code))])
            y = truth[code.astype(int)] + X[:, 1] + rng.normal(size=len(code))
            errors = {}
            for rule in RULES:
                options: Any = {"n_estimators": 60, "max_depth": 4, "min_weight_leaf": least, "n_jobs": jobs}
                model = gw.BoostingRegressor(gain=rule, categorical_features=[0], **options).fit(X, y)
                errors[rule] = np.sqrt(np.mean((model.predict(X) - truth[code.astype(int)] - X[:, 1]) ** 2))
            for rule in RULES:
                ratios[rule].append(errors[rule] / errors["newton"])
        print(f"  min_weight_leaf {least:4g}", *(f"{rule} {summary(ratios[rule])}" for rule in RULES[1:]), sep="  ")


def summary(ratios: list[float]) -> str:
    """Mean, its standard error and how often below 1."""
    error = np.std(ratios, ddof=1) / np.sqrt(len(ratios)) if len(ratios) > 1 else float("nan")
    return f"{np.mean(ratios):.3f} ± {error:.3f} ({sum(r < 1 for r in ratios)}/{len(ratios)})"


def main() -> None:
    """Run the three studies."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    first_split_study(given.seeds)
    small_group_study(given.seeds, given.jobs)
    noise_study(given.seeds, given.jobs)


if __name__ == "__main__":
    main()
