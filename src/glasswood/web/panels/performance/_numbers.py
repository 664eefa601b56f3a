"""How well predicted numbers fit: misses, predicted beside actual, residuals along the features."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import log
from glasswood._exact import exact_mean
from glasswood.ensemble import LinkKind
from glasswood.explain._scores import r2
from glasswood.web.page._text import number, percent, rounded, rows_of, signed
from glasswood.web.panels.performance._groups import Groups, group_numbers
from glasswood.web.panels.performance._known import Known
from glasswood.web.panels.performance._ranking import Ranking, rank

Floats = NDArray[np.float64]
_MAX_POINTS = 160  # of a curve


def numbers_data(known: Known) -> dict[str, Any]:
    """Lay out the misses, and predicted beside actual along the prediction and along each feature."""
    said, y, weight = known.said[:, 0], known.target.numbers, known.weight
    tenths = group_numbers("prediction", said, weight)
    ranking = rank(said, y, weight) if bool((y[weight > 0] >= 0).all()) else None
    if ranking is not None and not ranking.found[-1] > 0:
        ranking = None
    return {
        "task": "numbers",
        "outputs": [],
        "parts": [
            {
                "name": "",
                "scores": _scores(known, ranking),
                "gains": None if ranking is None else _gains(ranking),
                "top": "" if ranking is None else _top_words(ranking),
                "views": [_view(groups, said, y, weight) for groups in (tenths, *known.feature_groups())],
            }
        ],
        "note": "",
    }


def _scores(known: Known, ranking: Ranking | None) -> list[list[str]]:
    said, y, weight = known.said[:, 0], known.target.numbers, known.weight
    miss = float(np.sqrt(exact_mean((y - said) ** 2, weight)))
    mean = exact_mean(y, weight)
    spread = float(np.sqrt(exact_mean((y - mean) ** 2, weight)))
    scores = [
        ["R²", number(r2(said, y, weight), 3), "share of the variance of the target that is predicted; 1 at best"],
        [
            "root mean square miss",
            number(miss, 3),
            f"large misses count most; {number(spread, 3)} for always saying the mean",
        ],
        ["mean absolute miss", number(exact_mean(np.abs(y - said), weight), 3), "every miss counts by its size"],
        [
            "actual minus predicted",
            signed(exact_mean(y - said, weight)),
            f"mean over the rows; the mean of the target is {number(mean)}",
        ],
    ]
    if known.ensemble.link.kind is LinkKind.LOG and ranking is not None and bool((said > 0).all()):
        found, alone = (exact_mean(poisson_deviance(y, mu), weight) for mu in (said, np.full_like(y, mean)))
        explained = 1 - found / alone if alone > 0 else np.nan
        scores.append(["Poisson deviance", number(found, 3), f"{percent(explained)} less than for the mean; 0 at best"])
    if ranking is not None:
        scores.append(["Gini", number(ranking.gini(), 3), "how well predictions order the rows; 0 for a guess"])
    return scores


def poisson_deviance(y: Floats, mu: Floats) -> Floats:
    """Unit deviance of Poisson counts or rates: 2 (y log(y / μ) − y + μ)."""
    held = y > 0
    ratio = np.where(held, y, 1.0) / np.where(held, mu, 1.0)
    return 2.0 * (y * log(ratio) - y + mu)


def _gains(ranking: Ranking) -> list[list[float | None]]:
    """Share of the rows and share of the target, from the highest prediction down."""
    across, up = ranking.taken / ranking.taken[-1], ranking.found / ranking.found[-1]
    last = np.flatnonzero(np.diff(np.floor((across + up) * _MAX_POINTS / 2), append=np.inf))
    return [[0.0, 0.0], *([rounded(across[k]), rounded(up[k])] for k in last)]


def _top_words(ranking: Ranking) -> str:
    top = ranking.share_of_top(0.1)
    return (
        f"The tenth of the rows with the highest predictions holds {percent(top)} of the target, "
        f"{number(10 * top, 2)} times as much as a tenth chosen at random."
    )


def _view(groups: Groups, said: Floats, y: Floats, weight: Floats) -> dict[str, Any]:
    found, predicted, left = groups.mean(y, weight), groups.mean(said, weight), y - said
    low, high = groups.mean_interval(y, weight)
    middle = groups.mean(left, weight)
    left_low, left_high = groups.mean_interval(left, weight)
    tenth, ninth = (groups.quantile(left, weight, share) for share in (0.1, 0.9))
    miss = np.sqrt(groups.mean(left**2, weight))
    return {
        "name": groups.name,
        "words": list(groups.words),
        "rows": [rows_of(float(mass)) for mass in groups.mass],
        "said": [rounded(x) for x in predicted],
        "found": [rounded(x) for x in found],
        "low": [rounded(x) for x in low],
        "high": [rounded(x) for x in high],
        "said_text": [number(x) for x in predicted],
        "found_text": [number(x) for x in found],
        "range_text": [f"{number(a)} to {number(b)}" for a, b in zip(low, high, strict=True)],
        "columns": ["root mean square miss"],
        "more": [[number(x, 3)] for x in miss],
        "residual": {
            "middle": [rounded(x) for x in middle],
            "low": [rounded(x) for x in left_low],
            "high": [rounded(x) for x in left_high],
            "tenth": [rounded(x) for x in tenth],
            "ninth": [rounded(x) for x in ninth],
            "middle_text": [signed(x) for x in middle],
            "band_text": [f"{number(a, 3)} to {number(b, 3)}" for a, b in zip(tenth, ninth, strict=True)],
        },
    }
