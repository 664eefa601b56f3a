"""Effects section: what every feature does, on the model's own cells, with the weight of the rows beneath."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.plots import weight_bars
from glasswood.results import Effects, FeatureEffect
from glasswood.web._axis import Axis, axis_of, places
from glasswood.web._budget import within
from glasswood.web._section import Section
from glasswood.web._text import many, number, percent, rounded, rows_of, scale_of, signed
from glasswood.web._ticks import ticks

_MOST_CELLS = 160  # per curve; a screen has few more pixels that could be told apart
_CURVES = 24  # beyond so many curves, each has fewer cells, so that more of them fit
_FEW_CELLS = 16  # up to here each has a bar of its own; beyond, bars of equal width are read more easily
_BUDGET = 350_000  # bytes
METHODS = {
    "interventional": "the average over the rows of X of what the model says when only this feature is changed",
    "path": "the average over the training weights the trees carry, without any rows",
    "observed": "the mean prediction of the rows that lie in the cell",
}


def effects_section(fx: Effects, ensemble: Ensemble) -> Section:
    """Lay out effects for the page, the most important features first, as many as fit."""
    importance = fx.importance()
    sd = importance.sd.reshape(len(importance.features), -1)
    order = importance.features
    most = _MOST_CELLS if sd.size <= _CURVES else max(40, _MOST_CELLS * _CURVES // sd.size)
    parts = within((_feature(fx[name], sd[k], most) for k, name in enumerate(order)), _BUDGET)
    unit = scale_of(ensemble.link)
    notes = []
    if len(parts) < len(order):
        notes.append(f"the {len(parts)} most important of {many(len(order), 'feature')} are drawn")
    return Section(
        "effects",
        "Effects",
        {
            "lead": "How the model's answer changes along one feature, at every threshold it knows: "
            f"{METHODS.get(fx.method, f'by the published formula {fx.method!r}')}.",
            "method": fx.method,
            "unit": unit,
            "outputs": list(fx.outputs),
            "features": parts,
            "order": [_order([part["importance"][o] for part in parts]) for o in range(len(fx.outputs))],
            "ranges": [_range([part["outputs"][o] for part in parts]) for o in range(len(fx.outputs))],
            "note": "; ".join(notes),
        },
    )


def _feature(effect: FeatureEffect, sd: NDArray[np.float64], most: int) -> dict[str, Any]:
    n = len(effect.outputs)
    values, weight = effect.effect.reshape(len(effect), n), effect.weight.reshape(len(effect), n).mean(axis=1)
    axis = axis_of(effect.cells, weight, most=most)
    mass = axis.cells.total(weight)
    total = float(mass.sum())
    each = int(axis.cells.on_line.sum()) <= _FEW_CELLS
    start, tall, wide = (
        (axis.cells.left, mass, axis.cells.right - axis.cells.left) if each else weight_bars(axis.cells, mass)
    )
    top = float(tall.max(initial=0.0)) or 1.0
    baseline = np.atleast_1d(effect.baseline)
    return {
        "name": effect.feature,
        "importance": [rounded(x) for x in sd],
        "importance_text": [number(x, 3) for x in sd],
        "axis": axis.to_dict(),
        "weight": [_weight_words(x, total) for x in mass],
        "bars": [
            [a, b, rounded(h / top)]
            for a, b, h in zip(places(start, axis.cells), places(start + wide, axis.cells), tall, strict=True)
        ],
        "cell_bars": [rounded(x / (float(mass.max(initial=0.0)) or 1.0)) for x in mass],
        "held": [bool(x > 0) for x in mass],
        "bars_note": "bars: rows of each cell" if each else "bars: rows in steps of equal width",
        "outputs": [_output(axis, values[:, o], weight, float(baseline[o])) for o in range(n)],
    }


def _output(axis: Axis, effect: NDArray[np.float64], weight: NDArray[np.float64], baseline: float) -> dict[str, Any]:
    shown = axis.cells.merge(effect, weight)
    known = shown[np.isfinite(shown)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return {
        "effect": [rounded(x) for x in shown],
        "text": [signed(x) for x in shown],
        "baseline": number(baseline),
        **_range([{"low": low, "high": high}]),
    }


def _order(strength: list[float]) -> list[int]:
    """Positions of the features, the most important for an output first."""
    return [int(k) for k in np.argsort(-np.array(strength), kind="stable")]


def _range(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A vertical scale that holds zero and all of the parts, with its ticks."""
    low = min(0.0, *(part["low"] for part in parts))
    high = max(0.0, *(part["high"] for part in parts))
    if high == low:
        low, high = -1.0, 1.0
    room = 0.06 * (high - low)
    low, high = low - room, high + room
    return {"low": rounded(low), "high": rounded(high), "ticks": ticks(low, high, 6)}


def _weight_words(weight: float, total: float) -> str:
    if not total > 0:
        return "no weight known"
    return f"{rows_of(weight)}, {percent(weight / total)}"
