"""Pictures of attributions: which values are drawn, and the texts of axes and notes."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice, check_whole
from glasswood._exact import exact_column_means
from glasswood._words import with_minus
from glasswood.errors import OptionError
from glasswood.plots import (
    DotScatter,
    dots_of,
    draw_bars,
    draw_beeswarm,
    draw_dot_scatter,
    draw_lines,
    draw_pair_heat,
    draw_row_heat,
    spread_rows,
)
from glasswood.results._feature_name import feature_name
from glasswood.results._raw_words import chosen_output, others, raw_unit, with_prediction

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from glasswood.results._attributions import Attributions

KINDS = ("beeswarm", "bar", "scatter", "heat", "lines", "pairs")
_FEATURES = {"beeswarm": 15, "bar": 20, "heat": 15, "lines": 12, "pairs": 12}
_MAX_HEAT_ROWS = 2_000
_MAX_LINES = 200
_MAX_SCATTERED = 20_000


def draw_kind(at: "Attributions", kind: str, ax: "Axes | None", output: str | int | None, most: int | None) -> "Axes":
    """Draw all rows as one kind of picture."""
    check_choice("kind", kind, KINDS)
    check_whole("most", most, 1, none=True)
    if not len(at):
        raise OptionError("there is no row to draw")
    o = chosen_output(output, at.outputs)
    n_drawn = most or _FEATURES[kind]
    if kind == "pairs":
        return _draw_pairs(at, o, n_drawn, ax)
    values = at.values.reshape(len(at), len(at.names), -1)[:, :, o]
    size = exact_column_means(np.abs(values))
    order = np.argsort(-size, kind="stable")
    drawn = order[:n_drawn]
    names = [at.names[j] for j in drawn]
    label = f"attribution to {raw_unit(at.link, at.outputs, o)}"
    if kind == "bar":
        sd = values.std(axis=0)
        return draw_bars(
            [at.names[j] for j in order], size[order], xlabel=f"mean |{label}|", marks=sd[order],
            marks_label="sd", most=n_drawn, note=_left_out(at), ax=ax,
        )  # fmt: skip
    if kind == "beeswarm":
        rows = dots_of(len(at))
        columns = at.rows.columns(rows)
        return draw_beeswarm(
            names, values[rows][:, drawn], [columns[j] for j in drawn], n_rows=len(at), n_features=len(at.names),
            xlabel=label, note=_joined(_baseline_words(at, o), _left_out(at)), ax=ax,
        )  # fmt: skip
    raw = at.raw.reshape(len(at), -1)[:, o]
    rows = spread_rows(len(at), _MAX_HEAT_ROWS if kind == "heat" else _MAX_LINES)
    names, parts = _with_rest(at, values[rows], at.rest.reshape(len(at), -1)[rows, o], order, n_drawn)
    some = _some_rows(at, rows)
    base = float(at.baseline[o])
    if kind == "heat":
        return draw_row_heat(
            names, parts, raw[rows], base, label=label, baseline_label=_baseline_words(at, o), note=some, ax=ax
        )
    note = _joined(f"dotted: {_baseline_words(at, o)}", "colour: where a row ends", some)
    return draw_lines(names, parts, base, xlabel=raw_unit(at.link, at.outputs, o), note=note, ax=ax)


def draw_scatter_of(
    at: "Attributions", feature: str, colour: str | int | None, ax: "Axes | None", output: str | int | None
) -> "Axes":
    """Draw one feature's attributions against its values."""
    o = chosen_output(output, at.outputs)
    j = at.names.index(feature)
    if not len(at):
        raise OptionError("there is no row to draw")
    if at.rows.order[j] is None:
        raise OptionError(f"{feature!r} is a group of features and has no value to draw against; name one feature")
    k = _partner(at, j, o, colour)
    rows = spread_rows(len(at), _MAX_SCATTERED)
    columns = at.rows.columns(rows if len(rows) < len(at) else None)
    column = columns[j]
    assert column is not None
    picture = DotScatter(
        feature=feature,
        column=column,
        added=at.values.reshape(len(at), len(at.names), -1)[rows, j, o],
        partner=None if k is None else at.names[k],
        partner_column=None if k is None else columns[k],
        ylabel=f"attribution of {feature} to {raw_unit(at.link, at.outputs, o)}",
        note=_joined(_baseline_words(at, o), _some_rows(at, rows)),
    )
    return draw_dot_scatter(picture, ax=ax)


def _partner(at: "Attributions", j: int, o: int, colour: str | int | None) -> int | None:
    """Position of the feature that colours the dots."""
    if colour is None:
        return None
    if colour != "auto" or "auto" in at.names:
        k = at.names.index(feature_name(colour, at.names))
        if at.rows.order[k] is None:
            raise OptionError(f"{at.names[k]!r} is a group of features and has no value to colour by")
        return k
    if at.interactions is None or len(at.names) < 2:
        return None
    pairs = at.interactions.reshape(len(at), len(at.names), len(at.names), -1)[:, j, :, o]
    size = exact_column_means(np.abs(pairs))
    size[[k == j or at.rows.order[k] is None for k in range(len(at.names))]] = -1.0
    best = int(np.argmax(size))
    return best if size[best] > 0 else None


def _draw_pairs(at: "Attributions", o: int, n_drawn: int, ax: "Axes | None") -> "Axes":
    if at.interactions is None:
        raise OptionError("interactions were not asked for; call gw.attributions(…, interactions=True)")
    n = len(at.names)
    size = exact_column_means(np.abs(at.interactions.reshape(len(at), n * n, -1)[..., o])).reshape(n, n)
    # half of a pair's interaction is stored in each of its two cells
    table = np.where(np.eye(n, dtype=bool), size, 2 * size)
    order = np.argsort(-size.sum(axis=1), kind="stable")[:n_drawn]
    unit = raw_unit(at.link, at.outputs, o)
    some = f"the first {len(order)} of {n:,} features" if len(order) < n else ""
    lines = ["diagonal: the feature alone; a pair: both its halves together", _joined(some, _left_out(at))]
    note = "\n".join(filter(None, lines))
    label = f"mean |interaction| in {unit}"
    return draw_pair_heat([at.names[j] for j in order], table[np.ix_(order, order)], label=label, note=note, ax=ax)


def _with_rest(
    at: "Attributions",
    values: NDArray[np.float64],
    rest: NDArray[np.float64],
    order: NDArray[np.intp],
    n_drawn: int,
) -> tuple[list[str], NDArray[np.float64]]:
    """The features to draw; if there are more, the sum of the others is the last."""
    drawn, left = order[:n_drawn], order[n_drawn:]
    names = [at.names[j] for j in drawn]
    n_others = len(left) + at.n_rest
    if not n_others:
        return names, values[:, drawn]
    total = values[:, left].sum(axis=1) + rest
    return [*names, others(n_others)], np.column_stack([values[:, drawn], total])


def _some_rows(at: "Attributions", rows: NDArray[np.int64]) -> str:
    return f"{len(rows):,} of {len(at):,} rows, evenly spread" if len(rows) < len(at) else ""


def _left_out(at: "Attributions") -> str:
    return f"without {others(at.n_rest)}" if at.n_rest else ""


def _joined(*parts: str) -> str:
    return "; ".join(part for part in parts if part)


def _baseline_words(at: "Attributions", o: int) -> str:
    prediction = None if at.baseline_prediction is None else float(at.baseline_prediction[o])
    return with_minus(with_prediction("baseline", float(at.baseline[o]), prediction, at.link))
