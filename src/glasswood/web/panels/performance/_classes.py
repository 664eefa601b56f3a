"""How well shares of classes fit: thresholds and their errors, calibration, groups of rows."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import log
from glasswood._exact import exact_group_sums, exact_mean
from glasswood.ensemble import largest_share, shares_of
from glasswood.explain._scores import auc
from glasswood.web.page._text import number, percent, rounded, rows_of, shortened
from glasswood.web.panels.performance._groups import Groups, group_rows, inner_quantiles
from glasswood.web.panels.performance._known import Known
from glasswood.web.panels.performance._ranking import Ranking, rank

Floats = NDArray[np.float64]
_MAX_CLASSES = 12  # only the most frequent classes get curves
_MAX_POINTS = 160  # of a curve
_BINS = 10  # of the calibration


def classes_data(known: Known) -> dict[str, Any]:
    """Lay out the curves and groups of each class against all others."""
    names = known.target.classes or ()
    n = len(names)
    share = shares_of(known.said, n)
    mass = exact_group_sums(known.target.codes, known.weight, n)
    shown = [1] if n == 2 else np.sort(np.argsort(-mass, kind="stable")[:_MAX_CLASSES]).tolist()
    groups = list(known.feature_groups())
    best = largest_share(share)
    return {
        "task": "classes",
        "outputs": [names[k] for k in shown],
        "parts": [_class(known, share[:, k], k, best, groups) for k in shown],
        "confusion": None if n == 2 else _confusion(known, names, best, mass),
        "note": f"the {len(shown)} most frequent of {n} classes are shown" if n > 2 and len(shown) < n else "",
    }


def _class(known: Known, share: Floats, k: int, best: NDArray[np.intp], groups: list[Groups]) -> dict[str, Any]:
    positive = known.target.codes == k
    is_class = positive.astype(np.float64)
    ranking = rank(share, is_class, known.weight)
    name = (known.target.classes or ())[k]
    kept = ranking.thinned(_MAX_POINTS, also=0.5)
    right = ((best == k) == positive).astype(np.float64)
    return {
        "name": name,
        "base": rounded(float(ranking.found[-1] / ranking.taken[-1])),
        "scores": _scores(share, is_class, known.weight, ranking, name),
        "total": [float(ranking.found[-1]), float(ranking.taken[-1])],
        # the curves start at a threshold that no row reaches
        "points": [
            [None, 0, 0],
            *(
                [rounded(t), rounded(found), rounded(other)]
                for t, found, other in zip(
                    ranking.threshold[kept], ranking.found[kept], ranking.others[kept], strict=True
                )
            ),
        ],
        "start": int(np.searchsorted(kept, ranking.place(0.5), side="left")) + 1 if ranking.place(0.5) >= 0 else 0,
        "calibration": _calibration(share, is_class, known.weight),
        "top": _top_words(ranking, name),
        "views": [_view(group, share, is_class, right, known.weight) for group in groups],
    }


def _scores(share: Floats, is_class: Floats, weight: Floats, ranking: Ranking, name: str) -> list[list[str]]:
    near = np.clip(share, np.finfo(np.float64).eps, 1 - np.finfo(np.float64).eps)
    loss = exact_mean(-np.where(is_class > 0, log(near), log(1 - near)), weight)
    base = float(ranking.found[-1] / ranking.taken[-1])
    brier = exact_mean((share - is_class) ** 2, weight)
    return [
        [
            "AUC",
            number(auc(share, is_class > 0, weight), 3),
            f"chance that a row of {name} gets a higher share than one of another class; 0.5 is guessing, 1 is perfect",
        ],
        [
            "average precision",
            number(ranking.average_precision(), 3),
            f"precision averaged over rows of {name}, highest share first; {number(base, 3)} is guessing, 1 perfect",
        ],
        [
            "Brier score",
            number(brier, 3),
            f"mean square of share less outcome (0 or 1); {number(base * (1 - base), 3)} for always saying "
            f"{percent(base)}, 0 is perfect",
        ],
        ["log loss", number(loss, 3), "punishes confident wrong predictions most; 0 is perfect"],
    ]


def _calibration(share: Floats, is_class: Floats, weight: Floats) -> dict[str, Any]:
    """Predicted and actual share of the class in each tenth of the rows, ordered by predicted share."""
    edges = inner_quantiles(share[weight > 0], weight[weight > 0], _BINS)
    bins = group_rows("", [str(k) for k in range(len(edges) + 1)], np.searchsorted(edges, share), weight)
    said, found = bins.mean(share, weight), bins.mean(is_class, weight)
    low, high = bins.share_interval(found)
    return _lines(bins, said, found, low, high)


def _view(groups: Groups, share: Floats, is_class: Floats, right: Floats, weight: Floats) -> dict[str, Any]:
    said, found = groups.mean(share, weight), groups.mean(is_class, weight)
    low, high = groups.share_interval(found)
    inside = [groups.of_row == g for g in range(len(groups.words))]
    areas = [auc(share[rows], is_class[rows] > 0, weight[rows]) for rows in inside]
    return {
        "name": groups.name,
        "words": list(groups.words),
        **_lines(groups, said, found, low, high),
        "columns": ["AUC", "right class"],
        "more": [
            [number(area, 3), percent(part)] for area, part in zip(areas, groups.mean(right, weight), strict=True)
        ],
    }


def _lines(groups: Groups, said: Floats, found: Floats, low: Floats, high: Floats) -> dict[str, Any]:
    return {
        "rows": [rows_of(float(mass)) for mass in groups.mass],
        "said": [rounded(x) for x in said],
        "found": [rounded(x) for x in found],
        "low": [rounded(x) for x in low],
        "high": [rounded(x) for x in high],
        "said_text": [percent(x) for x in said],
        "found_text": [percent(x) for x in found],
        "range_text": [f"{percent(a)} to {percent(b)}" for a, b in zip(low, high, strict=True)],
    }


def _top_words(ranking: Ranking, name: str) -> str:
    top = ranking.share_of_top(0.1)
    return (
        f"The tenth of the rows with the highest share holds {percent(top)} of the rows of {name}, "
        f"{number(10 * top, 2)} times as many as a tenth chosen at random."
    )


def _confusion(known: Known, names: tuple[str, ...], best: NDArray[np.intp], mass: Floats) -> dict[str, Any]:
    """How often rows of each class are predicted as each class, by the largest share; rare classes are left out."""
    n = len(names)
    counts = exact_group_sums(known.target.codes * n + best, known.weight, n * n).reshape(n, n)
    kept = np.sort(np.argsort(-mass, kind="stable")[:_MAX_CLASSES])
    part = counts[np.ix_(kept, kept)]
    total = np.where(mass > 0, mass, 1.0)[kept]
    return {
        "names": [shortened(names[k], 24) for k in kept],
        "share": [[rounded(x) for x in line] for line in part / total[:, None]],
        "text": [[number(x, 6) for x in line] for line in part],
        "of": [percent(part[j, j] / total[j]) for j in range(len(kept))],
    }
