"""Which effect do you want? One model, six definitions, on correlated and on independent features.

Prints the numbers of docs/which-effect.md; with a folder as argument, saves its pictures there.
"""

import sys
from pathlib import Path

import numpy as np
from lightgbm import LGBMRegressor

import glasswood as gw

METHODS = ("interventional", "path", "observed", "shared", "leafmean", "treemind")


def sample(correlation: float, n: int = 8000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """y = sin(2 x0) + x1²/2 + 0.8 x2 + x0·x2 + noise; x3 and x4 do nothing; x0 and x1 are correlated."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    X[:, 1] = correlation * X[:, 0] + np.sqrt(1 - correlation**2) * X[:, 1]
    y = np.sin(2 * X[:, 0]) + X[:, 1] ** 2 / 2 + 0.8 * X[:, 2] + X[:, 0] * X[:, 2] + rng.normal(0, 0.1, n)
    return X, y


def fit(X: np.ndarray, y: np.ndarray) -> LGBMRegressor:
    """100 trees of 31 leaves."""
    return LGBMRegressor(n_estimators=100, num_leaves=31, verbose=-1, n_jobs=1).fit(X, y)


def slope(effect: np.ndarray, exact: np.ndarray, weight: np.ndarray) -> float:
    """Weighted regression slope of an effect on the exact partial dependence."""
    known = ~np.isnan(effect) & (weight > 0)
    x, y, w = exact[known], effect[known], weight[known]
    x, y = x - np.average(x, weights=w), y - np.average(y, weights=w)
    return float(np.sum(w * x * y) / np.sum(w * x * x))


def compare(correlation: float) -> None:
    """Print the slope of every method against the exact partial dependence, feature by feature."""
    X, y = sample(correlation)
    model = fit(X, y)
    exact = gw.effects(model, X, method="interventional")
    print(f"\ncorrelation of x0 and x1: {correlation}; slope against exact partial dependence")
    print(f"{'method':16}" + "".join(f"{f'x{j}':>8}" for j in range(3)) + f"{'mean':>8}")
    for method in METHODS[1:]:
        other = gw.effects(model, X, method=method)
        slopes = [slope(other[j].effect, exact[j].effect, exact[j].weight) for j in range(3)]
        print(f"{method:16}" + "".join(f"{s:8.2f}" for s in [*slopes, np.mean(slopes)]))


def rank_pairs(X: np.ndarray, y: np.ndarray) -> None:
    """Print the ranking by the published joint table next to the exact interaction."""
    model = fit(X, y)
    exact, published = gw.interactions(model, X), gw.interactions(model, X, method="treemind")
    size = {pair: np.average(np.abs(t.effect), weights=t.weight) for pair, t in published.items()}
    print(f"\n{'pair':10}{'size of the treemind joint table':>36}{'strength (purified, exact)':>30}")
    for pair in sorted(size, key=size.__getitem__, reverse=True):
        names = " ".join(pair).replace("Column_", "x")
        print(f"{names:10}{size[pair]:36.3f}{exact[pair].strength:30.3f}")


def sample_with_one_pair(n: int = 8000, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """y = 2 sin(2 x0) + 0.7 x1·x2 + noise; x3 and x4 do nothing; all independent."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    return X, 2 * np.sin(2 * X[:, 0]) + 0.7 * X[:, 1] * X[:, 2] + rng.normal(0, 0.1, n)


def draw(folder: Path) -> None:
    """The effect of x1 by every definition, correlated and not."""
    from matplotlib import pyplot

    pyplot.switch_backend("Agg")
    figure, panels = pyplot.subplots(1, 2, figsize=(10, 4), sharey=True, layout="constrained")
    colours = ("#444444", "#0072B2", "#D55E00", "#009E73", "#AA4499", "#AA4499")
    for ax, correlation in zip(panels, (0.0, 0.8), strict=True):
        X, y = sample(correlation)
        model = fit(X, y)
        for method, colour in zip(METHODS, colours, strict=True):
            if method == "leafmean":
                continue  # the same values as treemind; only its weights differ
            fx = gw.effects(model, X, method=method)[1]
            line = np.isfinite(fx.cells.upper)
            style = "-" if method != "treemind" else "--"
            width, alpha = (2.4, 1.0) if method == "interventional" else (1.3, 0.55 if method == "observed" else 1.0)
            ax.step(
                fx.cells.upper[line],
                fx.effect[line],
                style,
                where="pre",
                color=colour,
                lw=width,
                alpha=alpha,
                label=method,
            )
        ax.set(title=f"correlation of x0 and x1: {correlation}", xlabel="x1", xlim=(-2.5, 2.5), ylim=(-1.3, 3.1))
        ax.spines[["top", "right"]].set_visible(False)
    panels[0].set_ylabel("effect on raw")
    panels[0].legend(frameon=False, fontsize="small")
    figure.savefig(folder / "which-effect.png", dpi=110)
    X, y = sample(0.0)
    ax = gw.interactions(fit(X, y), X, pairs=[(0, 2)])[0, 2].plot()
    ax.figure.savefig(folder / "which-effect-pair.png", dpi=110)


if __name__ == "__main__":
    compare(0.0)
    compare(0.8)
    rank_pairs(*sample(0.0))
    rank_pairs(*sample_with_one_pair())
    if len(sys.argv) > 1:
        draw(Path(sys.argv[1]))
