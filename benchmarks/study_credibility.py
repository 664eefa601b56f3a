"""Does credibility help? newton, cred_var, cred_std and welch with the same configurations, compared on test rows.

Every rule gets the same training rows, the same configurations and the same validation rows, which are used for early
stopping and to choose a configuration. The result is the error on separate *test* rows, as a ratio to that of newton
tuned the same way. Parts:

- ``noise``: generated tables with noise of known shape; the error is measured against the true function;
- ``real``: real tables (``--data``), counts and classes among them;
- ``first``: how often the first split uses a feature that only controls the noise;
- ``small``: categories with 2 to 20 rows each, errors on new rows of the same categories;
- ``rho``: powers of welch, on functions, seeds and tables that no other part uses.

``python benchmarks/study_credibility.py PART [--seeds 10]`` writes
benchmarks/results/credibility-PART.json, from which ``docs/credibility_page.py`` makes the page.
"""

import argparse
import json
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import log_loss, mean_poisson_deviance, root_mean_squared_error

import glasswood as gw
from real_tables import RealTable, data_folder, has_table, read_real
from record import RESULTS

Floats = NDArray[np.float64]
Rule = dict[str, Any]  # parameters of the estimator
Ratios = dict[str, list[float]]
RULES: dict[str, Rule] = {rule: {"gain": rule} for rule in ("newton", "cred_var", "cred_std", "welch")}
POWERS: dict[str, Rule] = {"newton": {"gain": "newton"}} | {
    f"{rho:g}": {"gain": "welch", "rho": rho} for rho in (0.25, 0.5, 0.75, 1.0, 1.25)
}
GRID: list[dict[str, Any]] = [
    {"max_depth": depth, "min_weight_leaf": least, "l2": l2}
    for depth, least, l2 in product((3, 6), (1.0, 20.0), (1.0, 20.0))
]
REAL = ("kc_house_sales", "diamonds", "nycflights13", "fremtpl2", "titanic", "adult", "covertype")
REAL_FOR_RHO = ("boston", "california_housing")


def smooth(X: Floats) -> Floats:
    """The true function of most parts: five features of ten matter."""
    bend = 2 * np.sin(np.pi * X[:, 0] * X[:, 1]) + 4 * (X[:, 2] - 0.5) ** 2
    return np.asarray(bend + 2 * X[:, 3] + X[:, 4], dtype=np.float64)


def steps(X: Floats) -> Floats:
    """The true function for choosing rho: jumps, a slope and a wave in four other features."""
    jumps = 2.5 * (X[:, 5] > 0.5) * (X[:, 6] > 0.3)
    return np.asarray(jumps + 1.5 * X[:, 7] + np.sin(4 * X[:, 8]), dtype=np.float64)


Noise = Callable[[Floats, Floats, np.random.Generator], Floats]  # X, truth → y
NOISES: dict[str, Noise] = {
    "the same everywhere": lambda X, f, rng: f + rng.normal(size=len(X)),
    "by an irrelevant feature": lambda X, f, rng: f + rng.normal(size=len(X)) * np.where(X[:, 9] > 0.5, 5.0, 0.2),
    "rising with an irrelevant feature": lambda X, f, rng: f + rng.normal(size=len(X)) * 4 * X[:, 9] ** 2,
    "by a relevant feature": lambda X, f, rng: f + rng.normal(size=len(X)) * np.where(X[:, 3] > 0.9, 4.0, 0.5),
    "multiplicative": lambda X, f, rng: f * (1 + 0.5 * rng.normal(size=len(X))),
    "heavy tails": lambda X, f, rng: f + rng.standard_t(2, size=len(X)),
    "claims": lambda X, f, rng: (rng.random(len(X)) < 0.2) * rng.gamma(0.8, size=len(X)) * f / 0.16,
    "almost none": lambda X, f, rng: f + 0.05 * rng.normal(size=len(X)),
}


def part_of(table: RealTable, rows: NDArray[np.int64]) -> tuple[Any, Any, Any, Any]:
    """Rows as eval_set takes them."""
    return table.X.iloc[rows], table.y[rows], None, None if table.offset is None else table.offset[rows]


def fitted(kind: str, rule: Rule, options: dict[str, Any], train: Any, valid: Any) -> Any:
    """A model stopped by the validation rows."""
    shared: Any = {
        "n_estimators": 300, "learning_rate": 0.1, "max_bins": 64, "early_stopping": True, "colsample": 1.0,
        "symmetric": False,
    }  # fmt: skip
    shared |= rule | options
    if kind == "class":
        model: Any = gw.BoostingClassifier(**shared)
    else:
        model = gw.BoostingRegressor("poisson" if kind == "count" else "squared_error", **shared)
    X, y, weight, offset = train
    return model.fit(X, y, weight, offset=offset, eval_set=[valid])


def error_on(kind: str, model: Any, test: Any) -> float:
    """Test metric: root mean square error, log loss or mean Poisson deviance."""
    X, y, _, offset = test
    if kind == "class":
        return float(log_loss(y, model.predict_proba(X), labels=model.classes_))
    if kind == "count":
        return float(mean_poisson_deviance(y, model.predict(X, offset=offset)))
    return float(root_mean_squared_error(y, model.predict(X)))


def tuned_errors(kind: str, rules: dict[str, Rule], train: Any, valid: Any, test: Any) -> dict[str, float]:
    """Test error per rule, of the configuration the validation rows prefer."""
    errors = {}
    for name, rule in rules.items():
        found = []
        for number, options in enumerate(GRID):
            model = fitted(kind, rule, options, train, valid)
            watched = model.history_.values[:, 1, 0].min()
            found.append((watched, number, error_on(kind, model, test)))
        errors[name] = min(found)[2]
    return errors


def generated(seed: int, function: Callable[[Floats], Floats], noise: Noise, n: int = 1500) -> tuple[Any, Any, Any]:
    """Training and validation rows with noise, test rows without."""
    rng = np.random.default_rng(seed)
    X, V, T = (rng.random((size, 10)) for size in (n, n // 2, 4000))
    with_noise = [(Z, noise(Z, function(Z), rng), None, None) for Z in (X, V)]
    return with_noise[0], with_noise[1], (T, function(T), None, None)


def real_splits(name: str, folder: Path, seeds: int) -> Iterator[tuple[str, Any, Any, Any]]:
    """Training, validation and test rows of a real table."""
    if not has_table(name, folder):
        return
    table = read_real(name, folder, 12_000)
    n = len(table.y)
    for seed in range(seeds):
        order = np.random.default_rng(seed).permutation(n)
        train, valid, test = (np.sort(part) for part in np.split(order, [n * 4 // 10, n * 6 // 10]))
        yield table.kind, part_of(table, train), part_of(table, valid), part_of(table, test)


def collect(found: dict[str, Ratios], name: str, errors: dict[str, float]) -> None:
    """Add the ratios to newton, and print the result so far."""
    ratios = found.setdefault(name, {rule: [] for rule in errors})
    for rule, error in errors.items():
        ratios[rule].append(error / errors["newton"])
    print(f"{name:36}", *(f"{rule} {summary(ratios[rule])}" for rule in list(errors)[1:]), sep="  ", flush=True)


def summary(ratios: list[float]) -> str:
    """Mean, its standard error and how often below 1."""
    error = np.std(ratios, ddof=1) / np.sqrt(len(ratios)) if len(ratios) > 1 else float("nan")
    return f"{np.mean(ratios):.3f} ± {error:.3f} ({sum(r < 1 for r in ratios)}/{len(ratios)})"


def study_noise(seeds: int, folder: Path) -> dict[str, Ratios]:
    """Error to the true function, by shape of noise."""
    found: dict[str, Ratios] = {}
    for seed in range(seeds):
        for name, noise in NOISES.items():
            collect(found, name, tuned_errors("number", RULES, *generated(seed, smooth, noise)))
    return found


def study_real(seeds: int, folder: Path) -> dict[str, Ratios]:
    """Test error on real tables, and on generated classes whose label noise an irrelevant feature controls."""
    found: dict[str, Ratios] = {}
    for name in REAL:
        for kind, *parts in real_splits(name, folder, min(seeds, 5)):
            collect(found, f"{name} ({kind})", tuned_errors(kind, RULES, *parts))
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        parts = []
        for size in (1500, 750, 4000):
            X = rng.random((size, 10))
            sure = np.where(X[:, 9] > 0.5, 0.5, 4.0)  # half of the labels are almost coins
            parts.append((X, rng.random(size) < 1 / (1 + np.exp(-sure * (smooth(X) - 3))), None, None))
        collect(found, "generated classes (class)", tuned_errors("class", RULES, *parts))
    return found


def study_first(seeds: int, folder: Path) -> dict[str, dict[str, float]]:
    """Share of first splits on the one feature of ten that only controls the noise."""
    targets: dict[str, Callable[[Floats, np.random.Generator], Floats]] = {
        "no signal, noise alike (fair: 0.10)": lambda X, rng: rng.normal(size=len(X)),
        "no signal, noise steered (fair: 0.10)": lambda X, rng: (
            rng.normal(size=len(X)) * np.where(X[:, 9] > 0.8, 5, 0.5)
        ),
        "weak signal in another feature (best: 0)": lambda X, rng: (
            0.5 * X[:, 0] + rng.normal(size=len(X)) * np.where(X[:, 9] > 0.8, 5, 0.5)
        ),
        "few rows carry the noise (fair: 0.10)": lambda X, rng: (
            rng.normal(size=len(X)) * np.where(X[:, 9] > 0.97, 10, 0.5)
        ),
    }
    found: dict[str, dict[str, float]] = {}
    for name, target in targets.items():
        found[name] = dict.fromkeys(RULES, 0.0)
        for seed in range(40 * seeds):
            rng = np.random.default_rng(seed)
            X = rng.random((1000, 10))
            y = target(X, rng)
            for rule in RULES:
                model = gw.BoostingRegressor(
                    gain=rule, n_estimators=1, max_depth=1, max_bins=32, colsample=1.0, symmetric=False
                ).fit(X, y)
                found[name][rule] += float(model.ensemble_.feature[0] == 9) / (40 * seeds)
        print(f"{name:42}", *(f"{rule} {share:.3f}" for rule, share in found[name].items()), sep="  ", flush=True)
    return found


def study_small(seeds: int, folder: Path) -> dict[str, Ratios]:
    """Categories of 2 to 20 rows; the test rows are new rows of the same categories."""
    found: dict[str, Ratios] = {}
    for seed, least, noise in product(range(3 * seeds), (1.0, 20.0), (0.5, 2.0)):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=150) * 0.5
        code = np.repeat(np.arange(150), rng.integers(2, 21, 150))

        def rows(codes: NDArray[np.int64], sd: float, truth: Floats = truth, rng: Any = rng) -> Any:
            X = np.column_stack([codes, rng.random((len(codes), 3))])
            return X, truth[codes] + X[:, 1] + sd * rng.normal(size=len(codes)), None, None

        train, valid = rows(code, noise), rows(rng.permutation(code)[: len(code) // 2], noise)
        test = rows(rng.integers(0, 150, 4000), 0.0)
        options: Any = {
            "max_depth": 4,
            "min_weight_leaf": least,
            "l2": 1.0,
            "categorical_features": [0],
            "max_bins": 255,
        }
        errors = {r: error_on("number", fitted("number", RULES[r], options, train, valid), test) for r in RULES}
        collect(found, f"noise {noise:g}, min_weight_leaf {least:g}", errors)
    return found


def study_rho(seeds: int, folder: Path) -> dict[str, Ratios]:
    """Powers of welch against newton, on data that the other parts do not use."""
    found: dict[str, Ratios] = {}
    for seed in range(5000, 5000 + seeds):
        for name, noise in NOISES.items():
            collect(found, name, tuned_errors("number", POWERS, *generated(seed, steps, noise)))
    for name in REAL_FOR_RHO:
        for kind, *parts in real_splits(name, folder, min(seeds, 5)):
            collect(found, f"{name} ({kind})", tuned_errors(kind, POWERS, *parts))
    return found


STUDIES = {"noise": study_noise, "real": study_real, "first": study_first, "small": study_small, "rho": study_rho}


def main() -> None:
    """Run one part and keep its numbers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=STUDIES)
    parser.add_argument("--data", type=Path, default=data_folder(), help="folder of the real tables")
    parser.add_argument("--seeds", type=int, default=10)
    given = parser.parse_args()
    found = STUDIES[given.part](given.seeds, given.data)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / f"credibility-{given.part}.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
