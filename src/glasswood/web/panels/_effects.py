"""Effects panel: the effect of every feature on the cells of the model, with the weight of the rows below."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import did_you_mean
from glasswood.ensemble import Ensemble
from glasswood.errors import OptionError
from glasswood.plots import weight_bars
from glasswood.results import Effects, FeatureEffect
from glasswood.web.page._budget import within
from glasswood.web.page._text import many, number, percent, rounded, rows_of, scale_of, signed
from glasswood.web.panels._axis import Axis, axis_of, cells_in_model, places
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._scales import Bars, scales_of
from glasswood.web.panels._seen_values import Seen
from glasswood.web.panels._subject import Subject
from glasswood.web.panels._ticks import ticks
from glasswood.web.panels.prediction._model import MAX_NODES
from glasswood.web.panels.tree._plane import Plane, plane_of

_MAX_CELLS = 160  # per curve; more would be narrower than a pixel
_MIN_CELLS = 3
_MAX_STEPS, _MIN_STEPS = 40, 6  # bars of equal width below a curve
_ALL_STEPS = 2_400  # of all curves together
_FEW_CELLS = 16  # up to this number each cell has a bar; with more, bars of equal width are easier to read
_BUDGET = 350_000  # bytes
_WIDE = 100  # from this number of features on, the curves get more of the page and the pairs less
_WIDE_BUDGET = 450_000
METHODS = {
    "interventional": "the average over these rows of what the model says when only this feature is changed",
    "path": "the average over the training weights the trees carry, without any rows",
    "observed": "the mean prediction of the rows that lie in the cell",
}


def build_effects(subject: Subject) -> dict[str, Any]:
    """Build the effects of all features."""
    return effects_data(
        subject.effects(),
        subject.ensemble(),
        subject.seen(),
        subject.dates(),
        subject.feature,
        asked=subject.max_tree_bytes is None,
    )


def effects_data(
    fx: Effects,
    ensemble: Ensemble,
    seen: Mapping[str, Seen] | None = None,
    dates: Collection[str] = (),
    only: str | None = None,
    *,
    asked: bool = False,
) -> dict[str, Any]:
    """Lay out effects for the page, the most important features first, as many as fit.

    `seen` has the numbers in the rows, whose histograms are drawn below the curves; without it, weights of cells are
    drawn. `dates` names the features that are dates. `only` is the one feature to draw. With
    `asked`, a server can be asked for single rows, whatever the size of the model.
    """
    seen = {} if seen is None else seen
    importance = fx.importance()
    sd = importance.sd.reshape(len(importance.features), -1)
    order = importance.features
    most = _cells_of_each(np.array([len(fx[name]) for name in order]), sd)
    steps = _steps(len(order))
    # single rows are drawn with the trees of the panel This prediction, which a page has only if they are few
    plane = plane_of([ensemble]) if ensemble.n_nodes > 0 and (asked or ensemble.n_nodes <= MAX_NODES) else None
    if only is not None and only not in order:
        raise OptionError(f"the model has no feature {only[:40]!r}{did_you_mean(only[:40], order)}")
    shown = (
        _feature(
            fx[name], sd[k], int(most[k]), seen.get(name), steps, name in dates, ensemble, plane, len(order) >= _WIDE
        )
        for k, name in enumerate(order)
        if only is None or name == only
    )
    parts = within(shown, _budget(len(order)))
    unit = scale_of(ensemble.link)
    notes = []
    if len(parts) < len(order):
        notes.append(
            f"the {len(parts)} most important of {many(len(order), 'feature')} are drawn; glasswood app draws any other"
        )
    return {
        "lead": "How the model's answer changes along one feature, at every threshold it knows: "
        f"{METHODS.get(fx.method, f'by the published formula {fx.method!r}')}.",
        "method": fx.method,
        "unit": unit,
        "link": {"kind": ensemble.link.kind.value, "scale": ensemble.link.scale, "shares": ensemble.link.gives_shares},
        "outputs": list(fx.outputs),
        "features": parts,
        "order": [_order([part["importance"][o] for part in parts]) for o in range(len(fx.outputs))],
        "ranges": [_range([part["outputs"][o] for part in parts]) for o in range(len(fx.outputs))],
        "without": _without(order[len(parts) :], ensemble),
        "note": "; ".join(notes),
    }


def _without(names: Sequence[str], ensemble: Ensemble) -> dict[str, list[str]]:
    """Features without a curve on the page: those that trees ask for, and those that no tree asks for."""
    used = {ensemble.feature_names[f] for f in np.unique(ensemble.feature[ensemble.feature >= 0]).tolist()}
    return {
        "used": [name for name in names if name in used],
        "unused": [name for name in names if name not in used],
    }


def _budget(n: int) -> int:
    """Bytes of the curves of n features."""
    return _BUDGET if n < _WIDE else _WIDE_BUDGET


def _steps(n: int) -> int:
    """How many bars are below each of n curves."""
    return max(_MIN_STEPS, min(_MAX_STEPS, _ALL_STEPS // n))


def _cells_of_each(n_cells: NDArray[np.int64], sd: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many cells the curve of each feature may have, so that all curves fit; important features get the most.

    `n_cells` counts the cells of the model, `sd` is (n_features, n_outputs). Sizes in bytes are those of typical pages.
    """
    n, n_outputs = sd.shape
    fixed = 500 + 22 * _steps(n) + (0 if n >= _WIDE else 900 + 22 * _steps(n))
    room = max(0.9 * _budget(n) - n * fixed, 0.0) / (105 + 24 * n_outputs)
    most = np.clip(n_cells, _MIN_CELLS, _MAX_CELLS)
    strength = np.maximum(sd, 0.0).max(axis=1)
    share = strength / float(strength.sum()) if strength.any() else np.full(n, 1 / n)
    # the others get what a feature with few cells does not use
    low, high = 0.0, 1e9
    for _ in range(60):
        middle = (low + high) / 2
        fits = np.minimum(most, _MIN_CELLS + middle * share).sum() <= room
        low, high = (middle, high) if fits else (low, middle)
    return np.asarray(np.minimum(most, _MIN_CELLS + low * share), dtype=np.int64)


def _feature(
    effect: FeatureEffect,
    sd: NDArray[np.float64],
    most: int,
    seen: Seen | None,
    steps: int,
    is_date: bool,
    ensemble: Ensemble,
    plane: Plane | None,
    few_scales: bool,
) -> dict[str, Any]:
    """One feature; with `few_scales`, axes other than the straight one are offered only where they are needed."""
    n = len(effect.outputs)
    values, weight = effect.effect.reshape(len(effect), n), effect.weight.reshape(len(effect), n).mean(axis=1)
    axis = axis_of(effect.cells, weight, most=most, seen=seen, is_date=is_date)
    mass = axis.cells.total(weight)[axis.kept]
    total = float(mass.sum())
    bars, note = _bars(axis, weight, steps)
    scales = None if seen is None else scales_of(seen, is_date=is_date)
    if scales is not None and scales.first == "value" and few_scales:
        scales = None
    baseline = np.atleast_1d(effect.baseline)
    return {
        "name": effect.feature,
        "importance": [rounded(x) for x in sd],
        "importance_text": [number(x, 3) for x in sd],
        "axis": axis.to_dict(),
        "weight": [_weight_words(x, total) for x in mass],
        "bars": _drawn_bars(bars, axis),
        "n_levels": axis.n_levels,
        "cell": [] if plane is None else cells_in_model(axis, effect.cells, ensemble, plane),
        "scale": None if scales is None else scales.to_dict(),
        "log_bars": [] if scales is None else _drawn_bars([*scales.log_bars(steps), *_beside(axis, weight)], axis),
        "cell_bars": [rounded(x / (float(mass.max(initial=0.0)) or 1.0)) for x in mass],
        "held": [bool(x > 0) for x in mass],
        "bars_note": note,
        "outputs": [_output(axis, values[:, o], weight, float(baseline[o])) for o in range(n)],
    }


def _bars(axis: Axis, weight: NDArray[np.float64], steps: int) -> tuple[Bars, str]:
    """Start, end and weight of the bars below a curve, and their description."""
    shown, mass = axis.cells, axis.cells.total(weight)
    on_line = shown.on_line
    cells = list(zip(shown.left.tolist(), shown.right.tolist(), mass.tolist(), strict=True))
    if axis.seen is not None and on_line.any():
        note = "bars: rows at each value" if axis.seen.few else "bars: rows, in steps of equal width"
        return [*axis.seen.bars(steps), *_beside(axis, weight)], note
    if int(on_line.sum()) <= _FEW_CELLS:
        return [cells[k] for k in axis.kept], "bars: rows of each cell"
    start, tall, wide = weight_bars(shown, mass)
    bars = list(zip(start.tolist(), (start + wide).tolist(), tall.tolist(), strict=True))
    return bars, "bars: weight of the cells, in steps of equal width"


def _beside(axis: Axis, weight: NDArray[np.float64]) -> Bars:
    """Bars of the cells beside the numbers: missing, unseen."""
    shown, mass = axis.cells, axis.cells.total(weight)
    beside = [k for k in axis.kept.tolist() if not shown.on_line[k]]
    return [(float(shown.left[k]), float(shown.right[k]), float(mass[k])) for k in beside]


def _drawn_bars(bars: Bars, axis: Axis) -> list[list[float | None]]:
    """Bars for the page: their ends, and their height as a share of the tallest."""
    top = max((tall for _, _, tall in bars), default=0.0) or 1.0
    start, end = (places(np.array([bar[i] for bar in bars]), axis.cells) for i in (0, 1))
    return [[a, b, rounded(tall / top)] for a, b, (_, _, tall) in zip(start, end, bars, strict=True)]


def _output(axis: Axis, effect: NDArray[np.float64], weight: NDArray[np.float64], baseline: float) -> dict[str, Any]:
    shown = axis.cells.merge(effect, weight)[axis.kept]
    known = shown[np.isfinite(shown)]
    low, high = (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)
    return {
        "effect": [rounded(x) for x in shown],
        "text": [signed(x) for x in shown],
        "baseline": number(baseline),
        "base": baseline,
        **_range([{"low": low, "high": high}]),
    }


def _order(strength: list[float]) -> list[int]:
    """Positions of the features, the most important one for an output first."""
    return [int(k) for k in np.argsort(-np.array(strength), kind="stable")]


def _range(parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A vertical scale that contains zero and all parts, with its ticks."""
    low = min(0.0, *(part["low"] for part in parts))
    high = max(0.0, *(part["high"] for part in parts))
    if high == low:
        low, high = -1.0, 1.0
    margin = 0.06 * (high - low)
    low, high = low - margin, high + margin
    return {"low": rounded(low), "high": rounded(high), "ticks": ticks(low, high, 6)}


def _weight_words(weight: float, total: float) -> str:
    if not total > 0:
        return "no weight known"
    return f"{rows_of(weight)}, {percent(weight / total)}"


EFFECTS = Panel("effects", "Effects", build_effects, "panels/effects.js")
