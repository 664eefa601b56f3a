"""Credibility panel: how each gain depends on spread, noise and rows, and an example in which gains disagree."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.explain import GAINS, credibility_grid, split_gains
from glasswood.web.page._text import number, rounded
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._subject import Subject
from glasswood.web.panels._ticks import ticks

ROWS = (10, 100, 1000, 10000)
_WORDS = {
    "newton": "squared size of the mean, times the rows; noise does not count",
    "cred_var": "Z = spread² / (spread² + sd²)",
    "cred_std": "Z = spread / (spread + sd)",
    "welch": "the split's between-sum of squares over what chance alone would give",
}
# groups of the example: level of x1, level of x2, rows, mean, sd
_BLOCKS = (("A", "C", 10_000, -0.25, 0.1), ("B", "C", 9_000, 0.25, 0.1), ("B", "D", 1_000, 1.5, 0.2))


def build_credibility(subject: Subject) -> dict[str, Any]:
    """Build the panel, which is the same for every model."""
    return credibility_data()


def credibility_data() -> dict[str, Any]:
    """The simulation grid, the ranges of the sliders and the example."""
    grid = credibility_grid(n=ROWS, gain=GAINS)
    return {
        "lead": "When is the difference between two groups worth a split? Four rules, the same two groups: move "
        "their distance, their noise and their size.",
        "rules": [{"name": rule, "words": _WORDS[rule]} for rule in GAINS],
        "sliders": {
            "spread": {"low": 0.01, "high": 1.0, "start": 0.2, "label": "spread: distance of a mean from zero"},
            "sd": {"low": 0.01, "high": 5.0, "start": 0.5, "label": "sd: noise within a group"},
            "n": {"low": 2, "high": 10_000, "start": 1000, "label": "n: rows of a group"},
        },
        "grid": grid.to_dict(),
        "grid_text": {
            "credibility": [[[[f"{z:.2f}" for z in row] for row in t] for t in r] for r in grid.credibility],
        },
        "example": two_features(),
    }


@cache
def two_features() -> dict[str, Any]:
    """Three groups of rows that two features can separate, and the feature that each gain prefers."""
    rows = np.array([block[2] for block in _BLOCKS], dtype=np.float64)
    mean = np.array([block[3] for block in _BLOCKS])
    # squared deviations from the mean of the block
    square = (rows - 1) * np.array([block[4] for block in _BLOCKS]) ** 2
    total = rows.sum()
    middle = float(rows @ mean / total)
    sd = float(np.sqrt((square.sum() + rows @ (mean - middle) ** 2) / (total - 1)))
    mean, square = (mean - middle) / sd, square / sd**2
    # Σg, Σg²/h, Σh, Σweight of every block; g = −residual
    sums = np.column_stack([-rows * mean, square + rows * mean**2, rows, rows])
    options = {"x1": ("A", "B"), "x2": ("C", "D")}
    gains = {name: _gains(sums, name, levels[0]) for name, levels in options.items()}
    return {
        "blocks": [
            {"x1": x1, "x2": x2, "rows": f"{n:,}", "share": n / total, "mean": rounded(m), "sd": rounded(s / sd)}
            for (x1, x2, n, _, s), m in zip(_BLOCKS, mean.tolist(), strict=True)
        ],
        "axis": {"low": -2.0, "high": 5.0, "ticks": ticks(-2.0, 5.0, 7)},
        "options": [{"feature": name, "levels": list(levels)} for name, levels in options.items()],
        "gains": [
            {
                "rule": rule,
                "l2": number(_ridge(rule)),
                "gain": {name: {"value": gains[name][k], "text": f"{gains[name][k]:,.2f}"} for name in options},
                "picks": _best(gains, k),
            }
            for k, rule in enumerate(GAINS)
        ],
        "words": "20,000 rows in three groups. x1 divides the large groups (A, B); x2 separates the few far rows (D). "
        + " ".join(
            f"{' and '.join(takers)} {'takes' if len(takers) == 1 else 'take'} {name}."
            for name in options
            if (takers := [rule for k, rule in enumerate(GAINS) if _best(gains, k) == name])
        ),
    }


def _best(gains: dict[str, list[float]], k: int) -> str:
    return max(gains, key=lambda name: gains[name][k])


def _ridge(rule: str) -> float:
    return 0.5 if rule == "newton" else 1.0


def _gains(sums: NDArray[np.float64], feature: str, first: str) -> list[float]:
    """Gain of separating the level `first` from the other, for every rule."""
    column = ("x1", "x2").index(feature)
    inside = np.array([block[column] == first for block in _BLOCKS])
    left, right = sums[inside].sum(axis=0)[None], sums[~inside].sum(axis=0)[None]
    return [float(split_gains(rule, left, right, _ridge(rule))[0]) for rule in GAINS]


def has_gains(subject: Subject) -> bool:
    """Whether the page explains gains: for boosted models of glasswood, which choose splits by one, and toy tables."""
    source = subject.ensemble().source
    return subject.classroom or (source.library == "glasswood" and "Boosting" in source.model)


CREDIBILITY = Panel("credibility", "Credibility", build_credibility, "panels/credibility.js", has_gains)
