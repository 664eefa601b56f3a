"""Picture of a tree: conditions at the splits, shares or means in every node."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from glasswood.plots._style import INK, MUTED, PALETTE, diverging_colours, new_axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_WIDTH = 0.86  # of a node, in units of the distance between neighbouring leaves
_HEIGHT = 0.56  # of a node, in units of the distance between depths
_BAR = 0.1  # height of the bar of shares
_MAX_CHARS = 18  # of a line in a node


def draw_tree(
    left: NDArray[np.int32],
    right: NDArray[np.int32],
    depth: NDArray[np.int32],
    label: Sequence[str],
    predicted: Sequence[str],
    weight: NDArray[np.float64],
    content: NDArray[np.float64],
    classes: Sequence[str] | None,
    *,
    ax: "Axes | None" = None,
) -> "Axes":
    """Draw a tree with the root on top; rows for which the condition holds go left.

    `content` is (n_nodes, n_classes) shares if there are `classes`, otherwise (n_nodes,) means.
    """
    x = _positions(left, right)
    n_leaves, n_levels = int((left < 0).sum()), int(depth.max()) + 1
    ax = new_axes(ax, (max(3.2, 1.15 * n_leaves), max(1.6, 1.1 * n_levels)))
    ax.set_axis_off()
    ax.set_xlim(-0.6, n_leaves - 0.4)
    ax.set_ylim(n_levels - 0.55, -0.45)
    for node in np.flatnonzero(left >= 0).tolist():
        for child, side in ((left[node], "yes"), (right[node], "no")):
            _draw_edge(ax, (x[node], depth[node]), (x[child], depth[child]), side)
    colours = _colours(content, classes)
    for node in range(len(left)):
        text = _lines(label[node]) if left[node] >= 0 else []
        text.append(f"{predicted[node]}  ({weight[node]:,.6g})")
        _draw_node(ax, x[node], depth[node], "\n".join(text), colours[node])
    if classes is not None:
        _draw_legend(ax, classes)
    return ax


def _positions(left: NDArray[np.int32], right: NDArray[np.int32]) -> NDArray[np.float64]:
    """Horizontal positions: leaves side by side, a parent between its children."""
    x = np.zeros(len(left))
    order, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if left[node] >= 0:
            waiting += [int(right[node]), int(left[node])]
    leaves = [node for node in order if left[node] < 0]
    x[leaves] = np.arange(len(leaves))
    for node in reversed(order):
        if left[node] >= 0:
            x[node] = (x[left[node]] + x[right[node]]) / 2
    return x


def _colours(
    content: NDArray[np.float64], classes: Sequence[str] | None
) -> list[list[tuple[str | tuple[float, ...], float]]]:
    """For each node the colours of its bar and the share of each."""
    if classes is not None:
        return [[(PALETTE[k % len(PALETTE)], float(s)) for k, s in enumerate(row) if s > 0] for row in content]
    low, high = float(content.min()), float(content.max())
    scaled = (content - low) / (high - low) if high > low else np.full(len(content), 0.5)
    colours = diverging_colours()
    return [[(tuple(colours(float(s))), 1.0)] for s in scaled]


def _draw_edge(ax: "Axes", parent: tuple[float, float], child: tuple[float, float], side: str) -> None:
    start, end = parent[1] + _HEIGHT / 2 + _BAR, child[1] - _HEIGHT / 2
    ax.plot([parent[0], child[0]], [start, end], color=MUTED, linewidth=1.2, zorder=1)
    middle = (parent[0] + 0.45 * (child[0] - parent[0]), start + 0.45 * (end - start))
    ax.text(
        *middle,
        side,
        fontsize="x-small",
        color="#666666",
        ha="center",
        va="center",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
        zorder=2,
    )


def _draw_node(ax: "Axes", x: float, y: float, text: str, bar: Sequence[tuple[str | tuple[float, ...], float]]) -> None:
    from matplotlib.patches import Rectangle

    lines = text.count("\n") + 1
    longest = max(len(line) for line in text.split("\n"))
    # a wide label may reach into the gap beside it, but not into the text of a neighbour
    half = max(_WIDTH / 2, min(0.033 * longest, 0.62)) if lines > 1 else _WIDTH / 2
    corner = (x - half, y - _HEIGHT / 2)
    ax.add_patch(Rectangle(corner, 2 * half, _HEIGHT + _BAR, facecolor="white", edgecolor=MUTED, zorder=3))
    start = corner[0]
    for colour, share in bar:
        ax.add_patch(
            Rectangle((start, y + _HEIGHT / 2), 2 * half * share, _BAR, facecolor=colour, edgecolor="none", zorder=4)
        )
        start += 2 * half * share
    ax.text(x, y, plain(text), fontsize="small", color=INK, ha="center", va="center", linespacing=1.25, zorder=5)


def _draw_legend(ax: "Axes", classes: Sequence[str]) -> None:
    from matplotlib.patches import Patch

    handles = [Patch(facecolor=PALETTE[k % len(PALETTE)], label=plain(name)) for k, name in enumerate(classes)]
    ax.legend(
        handles=handles,
        title="class (weight)",
        loc="upper right",
        frameon=False,
        fontsize="x-small",
        title_fontsize="x-small",
        handlelength=1.2,
    )


def _lines(label: str) -> list[str]:
    """A condition on one line, or the feature on the first line and the rest on the second."""
    if len(label) <= _MAX_CHARS:
        return [label]
    for sign in (" <= ", " in ", " is "):
        if sign in label:
            name, _, rest = label.rpartition(sign)
            return [_shorten(name), _shorten(sign.lstrip() + rest)]
    return [_shorten(label)]


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_CHARS else text[: _MAX_CHARS - 1] + "…"
