"""TreeDiagram: one tree as text and numbers, node by node."""

from __future__ import annotations

import html
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.plots import draw_tree
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class TreeDiagram:
    """The nodes of a tree; children come after their parent, and rows for which the condition holds go left.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(8.0)[:, None]
    >>> y = [0, 0, 0, 0, 1, 0, 1, 1]
    >>> diagram = gw.tree_profile(gw.TreeClassifier(max_depth=1).fit(X, y), X, y).tree
    >>> diagram.label, diagram.detail(1)
    (('x0 <= 3.5', 'Leaf', 'Leaf'), '4 and 0 rows, predicts 0')
    """

    label: tuple[str, ...]  # condition of a split, "Leaf" in a leaf
    left: NDArray[np.int32]  # (n_nodes,) −1 in a leaf
    right: NDArray[np.int32]  # (n_nodes,)
    depth: NDArray[np.int32]  # (n_nodes,)
    weight: NDArray[np.float64]  # (n_nodes,) of the rows that reach the node
    value: NDArray[np.float64]  # (n_nodes,) mean target; NaN for classes
    counts: NDArray[np.float64] | None  # (n_nodes, n_classes) weight per class; None for numbers
    classes: tuple[str, ...] | None
    predicted: tuple[str, ...]  # class with the largest count (of equal ones the first), or the mean
    kind: FrameKind | None = None

    def detail(self, node: int) -> str:
        """Rows of a node and its prediction."""
        counts = self.weight[node : node + 1] if self.counts is None else self.counts[node]
        return f"{_rows(counts)}, predicts {self.predicted[node]}"

    def to_text(self) -> str:
        """The tree as indented text, one line per node.

        Examples
        --------
        >>> import glasswood as gw
        >>> tree = gw.TreeClassifier().fit([[0.0], [1.0], [2.0]], ["no", "no", "yes"])
        >>> print(tree.diagram().to_text())
        x0 <= 1.5   2 and 1 rows, predicts no
        ├─ yes: Leaf   2 and 0 rows, predicts no
        └─ no:  Leaf   0 and 1 rows, predicts yes
        """
        lines = []
        waiting = [(0, "", "")]
        while waiting:
            node, before, branch = waiting.pop()
            lines.append(f"{before}{branch}{self.label[node]}   {self.detail(node)}")
            if self.left[node] < 0:
                continue
            inside = before + ("" if not branch else "│  " if branch.startswith("├") else "   ")
            waiting.append((int(self.right[node]), inside, "└─ no:  "))
            waiting.append((int(self.left[node]), inside, "├─ yes: "))
        return "\n".join(lines)

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per node: node, depth, left, right, label, weight, predicted, and value or one column per class."""
        columns: dict[str, Any] = {
            "node": np.arange(len(self.label)),
            "depth": self.depth,
            "left": self.left,
            "right": self.right,
            "label": list(self.label),
            "weight": self.weight,
            "predicted": list(self.predicted),
        }
        if self.counts is None or self.classes is None:
            columns["value"] = self.value
        else:
            columns |= {f"weight_{name}": self.counts[:, k] for k, name in enumerate(self.classes)}
        return make_frame(columns, backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "label": list(self.label),
            "detail": [self.detail(node) for node in range(len(self.label))],
            "left": self.left.tolist(),
            "right": self.right.tolist(),
            "depth": self.depth.tolist(),
            "weight": self.weight.tolist(),
            "predicted": list(self.predicted),
            "value": None if self.counts is not None else self.value.tolist(),
            "counts": None if self.counts is None else self.counts.tolist(),
            "classes": None if self.classes is None else list(self.classes),
        }

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the tree; returns the axes."""
        return draw_tree(
            self.left,
            self.right,
            self.depth,
            self.label,
            self.predicted,
            self.weight,
            self.value if self.counts is None else self.counts / self.weight[:, None],
            self.classes,
            ax=ax,
        )

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.to_text())}</pre>"


def _rows(counts: NDArray[np.float64]) -> str:
    """Rows of each class, in the order of the classes; weights if they are not whole but for rounding of shares."""
    whole = np.round(counts)
    if bool((np.abs(counts - whole) <= 1e-9 * counts.sum()).all()):
        counts = whole
    texts = [_number(count) for count in counts.tolist()]
    listed = " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
    if not bool((counts == whole).all()):
        return f"weight {listed}"
    return f"{listed} row{'' if texts == ['1'] else 's'}"


def _number(value: float) -> str:
    return f"{value:.0f}" if value == round(value) else f"{value:.4g}"
