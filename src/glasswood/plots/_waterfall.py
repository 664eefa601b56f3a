"""Waterfall: the steps of one row from the baseline to raw, feature by feature."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood._words import counted, with_minus
from glasswood.plots._style import INK, MUTED, PALETTE, inches_of, new_axes, plain, shortened

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 7.2
_MAX_CHARS = 63  # of a name with its value


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Waterfall:
    """Steps, largest first, the sum of all other steps, and the texts at both ends."""

    names: Sequence[str]
    steps: NDArray[np.float64]
    start: float
    start_label: str
    end_label: str
    most: int = 10
    rest: float = 0.0
    n_rest: int = 0  # others


def draw_waterfall(picture: Waterfall, *, xlabel: str, ax: "Axes | None" = None) -> "Axes":
    """Draw the steps from top to bottom, from the baseline to raw; small steps are merged into one bar."""
    names, steps = _merge(picture)
    n = len(steps)
    ax = new_axes(ax, (_WIDTH, 1.4 + 0.34 * max(n, 1)))
    starts = picture.start + np.concatenate([[0.0], np.cumsum(steps)])
    places = np.arange(n)[::-1]
    colours = [PALETTE[1] if step > 0 else PALETTE[0] for step in steps.tolist()]
    ax.barh(places, steps, left=starts[:-1], height=0.62, color=colours)
    for place, end in zip(places.tolist(), starts[1:].tolist(), strict=True):  # down to the next bar
        ax.plot(
            [end, end], [place - (0.31 if place == 0 else 0.69), place + 0.31], color=MUTED, linewidth=0.8, zorder=0
        )
    reach = float(np.ptp(starts)) or 1.0
    texts, names = (
        [with_minus(f"{step:+.3g}") for step in steps.tolist()],
        [shortened(name, _MAX_CHARS) for name in names],
    )
    for place, step, end, text in zip(places.tolist(), steps.tolist(), starts[1:].tolist(), texts, strict=True):
        side = 1 if step >= 0 else -1
        ax.text(
            end + side * 0.012 * reach, place, text, va="center",
            ha="left" if side > 0 else "right", fontsize="small", color=INK,
        )  # fmt: skip
    ax.axvline(picture.start, color=MUTED, linewidth=1, linestyle=":", zorder=0)
    ax.set_yticks(places, [plain(name) for name in names])
    ax.set_ylim(-0.8, n - 0.2)
    ax.locator_params(axis="x", nbins=6)
    margin = _margin(names, texts) * reach  # for the numbers beside the bars
    ax.set_xlim(float(starts.min()) - margin, float(starts.max()) + margin)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_xlabel(plain(xlabel), color=INK)
    ax.set_title(plain(f"{picture.start_label}  →  {picture.end_label}"), fontsize="medium", color=INK, loc="left")
    return ax


def _margin(names: Sequence[str], texts: Sequence[str]) -> float:
    """Width of the longest number beside the bars, as a share of the width of the bars."""
    number = max(map(inches_of, texts), default=0.0)
    bars = max(1.0, _WIDTH - max(map(inches_of, names), default=0.0) - 2 * number)
    return max(0.12, number / bars)


def _merge(picture: Waterfall) -> tuple[list[str], NDArray[np.float64]]:
    """The largest steps, and one for all others; steps of 0 only if there is space."""
    names, steps = list(picture.names), picture.steps
    if len(steps) + (picture.n_rest > 0) <= picture.most:
        shown = len(steps)
    else:
        shown = min(len(steps), max(1, picture.most - 1))
    n_others = len(steps) - shown + picture.n_rest
    if not n_others:
        return names, steps
    others = float(steps[shown:].sum()) + picture.rest
    return [*names[:shown], counted(n_others, "other feature")], np.append(steps[:shown], others)
