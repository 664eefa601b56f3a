"""Effects by their definitions: every method at any degree, slow and obvious, for a small Ensemble.

A cell is a pair (kind, k): ("interval", k), ("level", code), ("unseen", 0), ("missing", 0).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble

Cell = tuple[str, int]
Row = tuple[Cell, ...]  # a cell per feature
Array = NDArray[np.float64]


@dataclass(frozen=True)
class Tables:
    """Result of a method for one set of features; arrays are (cells …, n_outputs)."""

    cells: tuple[tuple[Cell, ...], ...]
    value: Array
    weight: Array
    spread: Array


def threshold_of(e: Ensemble, node: int) -> float:
    """If 0 is missing, so are the values next to it: thresholds among them are merged."""
    threshold = float(e.threshold[node])
    joins = e.features.zero_is_missing[e.feature[node]] and abs(threshold) <= float(np.float32(1e-35))
    return 0.0 if joins else threshold


def thresholds(e: Ensemble, f: int) -> list[float]:
    """Thresholds of a feature; +inf only separates missing values and bounds no cell."""
    found = {threshold_of(e, node) for node in np.flatnonzero(e.feature == f).tolist()}
    return sorted(t for t in found if not np.isnan(t) and t < np.inf)


def goes_left(e: Ensemble, node: int, cell: Cell) -> bool:
    kind, k = cell
    if kind == "missing":
        return bool(e.missing_left[node])
    if kind == "unseen":
        return bool(e.unseen_left[node])
    if kind == "interval":
        return k <= sum(t < threshold_of(e, node) for t in thresholds(e, int(e.feature[node])))
    first, last = e.set_start[e.category_set[node]], e.set_start[e.category_set[node] + 1]
    words = e.set_bits[first:last]
    return k // 64 < len(words) and bool((int(words[k // 64]) >> (k % 64)) & 1)


def plain_cells(e: Ensemble, f: int) -> list[Cell]:
    """Cells of a feature without the missing one."""
    if f not in e.feature:
        return [("interval", 0)]
    if e.features.categories[f] is None:
        return [("interval", k) for k in range(len(thresholds(e, f)) + 1)]
    return [*(("level", c) for c in range(len(e.features.categories[f]))), ("unseen", 0)]


def stand_in(e: Ensemble, f: int) -> Cell | None:
    """The interval (or unseen) that goes where missing values go at every split."""
    nodes = np.flatnonzero(e.feature == f)
    for cell in plain_cells(e, f):
        if cell[0] != "level" and all(goes_left(e, n, cell) == goes_left(e, n, ("missing", 0)) for n in nodes):
            return cell
    return None


def cells(e: Ensemble, f: int) -> tuple[Cell, ...]:
    if f not in e.feature:
        return (("interval", 0),)
    missing = e.features.missing_routed[f] or stand_in(e, f) is None
    return (*plain_cells(e, f), *([("missing", 0)] if missing else []))


def is_regular(cell: Cell) -> bool:
    return cell[0] in ("interval", "level")


def cell_of(e: Ensemble, f: int, x: float) -> Cell:
    """Cell of a value: a number, or a category code with −1 for missing."""
    if f not in e.feature:
        return ("interval", 0)
    labels = e.features.categories[f]
    missing = np.isnan(x) or (labels is not None and x < 0)
    if labels is None and e.features.zero_is_missing[f] and abs(x) <= float(np.float32(1e-35)):
        missing = True
    if missing:
        own = ("missing", 0)
        return own if own in cells(e, f) else stand_in(e, f) or own
    if labels is not None:
        return ("level", int(x)) if x < len(labels) else ("unseen", 0)
    return ("interval", sum(t < x for t in thresholds(e, f)))


def encode(e: Ensemble, columns: Sequence[Array]) -> list[Row]:
    return [tuple(cell_of(e, f, float(x)) for f, x in enumerate(row)) for row in zip(*columns, strict=True)]


def raw(e: Ensemble, row: Row) -> Array:
    """F at a row of cells."""
    out = e.baseline.astype(float).copy()
    for tree in range(e.n_trees):
        node = int(e.tree_start[tree])
        while e.feature[node] >= 0:
            node = int((e.left if goes_left(e, node, row[e.feature[node]]) else e.right)[node])
        add(e, tree, out, e.value[node])
    return out


def add(e: Ensemble, tree: int, out: Array, value: Array) -> None:
    first = e.tree_output[tree]
    out[..., first : first + e.value.shape[1]] += value


def table(e: Ensemble, S: Sequence[int]) -> tuple[tuple[tuple[Cell, ...], ...], Array]:
    axes = tuple(cells(e, f) for f in S)
    return axes, np.zeros((*(len(axis) for axis in axes), e.n_outputs))


def replaced(row: Row, S: Sequence[int], z: Sequence[Cell]) -> Row:
    out = list(row)
    for f, cell in zip(S, z, strict=True):
        out[f] = cell
    return tuple(out)


def row_weight(e: Ensemble, S: Sequence[int], rows: list[Row], w: Array) -> Array:
    axes, out = table(e, S)
    for row, weight in zip(rows, w, strict=True):
        out[tuple(axis.index(row[f]) for axis, f in zip(axes, S, strict=True))] += weight
    return out


def interventional(e: Ensemble, S: Sequence[int], rows: list[Row], w: Array) -> Tables:
    axes, value = table(e, S)
    for at, z in zip(np.ndindex(*value.shape[:-1]), product(*axes), strict=True):
        value[at] = sum(weight * raw(e, replaced(row, S, z)) for row, weight in zip(rows, w, strict=True)) / w.sum()
    return Tables(axes, value, row_weight(e, S, rows, w), np.full(value.shape, np.nan))


def observed(e: Ensemble, S: Sequence[int], rows: list[Row], w: Array) -> Tables:
    axes, value = table(e, S)
    spread = value.copy()
    for at, z in zip(np.ndindex(*value.shape[:-1]), product(*axes), strict=True):
        inside = [r for r, row in enumerate(rows) if tuple(row[f] for f in S) == z and w[r] > 0]
        if not inside:
            value[at], spread[at] = np.nan, np.nan
            continue
        F, u = np.array([raw(e, rows[r]) for r in inside]), w[inside]
        value[at] = u @ F / u.sum()
        n_eff = u.sum() ** 2 / (u**2).sum()
        variance = u @ (F - value[at]) ** 2 / u.sum()
        spread[at] = np.sqrt(variance / (n_eff - 1)) if len(inside) > 1 else np.nan
    return Tables(axes, value, row_weight(e, S, rows, w), spread)


def path(e: Ensemble, S: Sequence[int]) -> Tables:
    axes, value = table(e, S)

    def follow(node: int, z: dict[int, Cell]) -> Array:
        if e.feature[node] < 0:
            return e.value[node]
        left, right = int(e.left[node]), int(e.right[node])
        if int(e.feature[node]) in z:
            return follow(left if goes_left(e, node, z[int(e.feature[node])]) else right, z)
        total = e.weight[left] + e.weight[right]
        share = 0.5 if total == 0 else e.weight[left] / total
        return share * follow(left, z) + (1 - share) * follow(right, z)

    for at, z in zip(np.ndindex(*value.shape[:-1]), product(*axes), strict=True):
        value[at] += e.baseline
        for tree in range(e.n_trees):
            add(e, tree, value[at], follow(int(e.tree_start[tree]), dict(zip(S, z, strict=True))))
    return Tables(axes, value, leaf_tables(e, S, "shared").weight, np.full(value.shape, np.nan))


@dataclass(frozen=True)
class Leaf:
    node: int
    sides: dict[int, tuple[Cell, ...]]  # feature → cells that lead to it


def leaves(e: Ensemble, tree: int) -> Iterator[Leaf]:
    """Leaves of a tree whose box is not empty."""
    stack: list[tuple[int, dict[int, tuple[Cell, ...]]]] = [(int(e.tree_start[tree]), {})]
    while stack:
        node, sides = stack.pop()
        f = int(e.feature[node])
        if f < 0:
            if all(sides.values()):
                yield Leaf(node, sides)
            continue
        here = sides.get(f, cells(e, f))
        stack.append((int(e.left[node]), sides | {f: tuple(c for c in here if goes_left(e, node, c))}))
        stack.append((int(e.right[node]), sides | {f: tuple(c for c in here if not goes_left(e, node, c))}))


def leaf_tables(e: Ensemble, S: Sequence[int], method: str) -> Tables:
    """`shared`, `leafmean`, `treemind`."""
    axes, value = table(e, S)
    spread, weight = value.copy(), value.copy()
    width = e.value.shape[1]
    outputs = [range(o, o + width) for o in e.tree_output]
    n_trees = np.array([sum(o in span for span in outputs) for o in range(e.n_outputs)])
    uses = [any(f in S for f in e.feature[e.tree_start[t] : e.tree_start[t + 1]]) for t in range(e.n_trees)]
    n_using = np.array(
        [sum(o in span for span, used in zip(outputs, uses, strict=True) if used) for o in range(e.n_outputs)]
    )
    value += e.baseline
    for tree in range(e.n_trees):
        boxes = list(leaves(e, tree))
        root = e.value[e.tree_start[tree]]
        for at, z in zip(np.ndindex(*value.shape[:-1]), product(*axes), strict=True):
            met = [
                b for b in boxes if all(c in b.sides.get(f, axes[d]) for d, (f, c) in enumerate(zip(S, z, strict=True)))
            ]
            c = np.array([e.weight[b.node] / (span(e, b, S) if method == "shared" else 1) for b in met])
            v = np.array([e.value[b.node] for b in met]).reshape(len(met), width)
            if c.sum() > 0:
                mean = c @ v / c.sum()
                add(e, tree, value[at], mean)
                add(e, tree, spread[at], np.sqrt(c @ (v - mean) ** 2 / c.sum()))
            else:
                add(e, tree, value[at], root)
            gain = {"shared": c.sum() * uses[tree], "leafmean": c.sum() / max(1, len(met)), "treemind": c.sum()}[method]
            add(e, tree, weight[at], np.full(width, gain))
    if method == "treemind":
        weight /= np.maximum(n_trees, 1)
    if method == "shared":
        weight /= np.maximum(n_using, 1)
        n_regular = np.prod([max(1, sum(map(is_regular, axis))) for axis in axes])
        for o in np.flatnonzero((n_using == 0) & (n_trees > 0)):
            roots = [e.weight[e.tree_start[t]] for t in range(e.n_trees) if o in outputs[t]]
            weight[..., o] = np.mean(roots) / n_regular
    for at, z in zip(np.ndindex(*value.shape[:-1]), product(*axes), strict=True):
        if not all(map(is_regular, z)):
            weight[at] = 0
    return Tables(axes, value, weight, spread)


def pair_leaves(arrays: dict[str, NDArray[Any]], pair: Sequence[int], first_tree: int, last_tree: int) -> int:
    """Leaves of some trees whose path asks for both features."""
    feature, count = arrays["feature"], 0
    for tree in range(first_tree, last_tree):
        stack: list[tuple[int, frozenset[int]]] = [(int(arrays["tree_start"][tree]), frozenset())]
        while stack:
            node, asked = stack.pop()
            if feature[node] < 0:
                count += asked.issuperset(pair)
                continue
            asked = asked | {int(feature[node])}
            stack += [(int(arrays["left"][node]), asked), (int(arrays["right"][node]), asked)]
    return count


def span(e: Ensemble, leaf: Leaf, S: Sequence[int]) -> int:
    """Regular cells of the grid of S that a leaf's box meets."""
    return int(np.prod([max(1, sum(map(is_regular, leaf.sides.get(f, cells(e, f))))) for f in S]))


def compute(
    e: Ensemble, S: Sequence[int], method: str, rows: list[Row] | None = None, w: Array | None = None
) -> Tables:
    """Tables by any method; with rows, the weights come from them."""
    if rows is not None and w is None:
        w = np.ones(len(rows))
    if method in ("interventional", "observed"):
        return {"interventional": interventional, "observed": observed}[method](e, S, rows, w)
    found = path(e, S) if method == "path" else leaf_tables(e, S, method)
    if rows is None:
        return found
    return Tables(found.cells, found.value, row_weight(e, S, rows, w), found.spread)


def baseline(value: Array, weight: Array) -> Array:
    """Weighted mean of each output of (cells …, n_outputs); cells without weight count in no mean."""
    flat_v, flat_w = value.reshape(-1, value.shape[-1]), weight.reshape(-1, weight.shape[-1])
    return np.array([np.average(v[w > 0], weights=w[w > 0]) for v, w in zip(flat_v.T, flat_w.T, strict=True)])


def purify(value: Array, weight: Array) -> Array:
    """Residual of one table (cells …) after functions of all but one feature: dense weighted least squares.

    What the cells with weight leave open is decided by least squares over the cells of weight 0: the best second
    solution in the null space of the first problem.
    """
    index = np.stack(np.meshgrid(*map(np.arange, value.shape), indexing="ij"), axis=-1).reshape(-1, value.ndim)
    columns = []
    for S in combinations(range(value.ndim), value.ndim - 1):
        _, label = np.unique(index[:, list(S)], axis=0, return_inverse=True)
        label = label.reshape(-1)
        columns.append(np.eye(label.max() + 1)[label] if S else np.ones((len(index), 1)))
    A, v, w = np.hstack(columns), value.reshape(-1), np.sqrt(weight.reshape(-1))
    x = np.linalg.lstsq(A * w[:, None], v * w, rcond=1e-12)[0]
    if np.any(w == 0):
        _, s, vt = np.linalg.svd(A[w > 0] if np.any(w > 0) else np.zeros((1, A.shape[1])), full_matrices=True)
        null = vt[np.sum(s > 1e-10 * max(s.max(initial=0), 1e-300)) :].T
        zero = w == 0
        open_ = A[zero] @ null
        if np.abs(open_).max(initial=0) > 1e-9:  # otherwise the null space changes no cell
            x = x + null @ np.linalg.lstsq(open_, v[zero] - A[zero] @ x, rcond=1e-10)[0]
    return (v - A @ x).reshape(value.shape)


def h2(e: Ensemble, j: int, k: int, rows: list[Row], w: Array) -> Array:
    """Friedman's H² of a pair, at the rows."""
    joint, one, two = (interventional(e, S, rows, w) for S in ((j, k), (j,), (k,)))

    def centred(t: Tables, S: Sequence[int]) -> Array:
        at_rows = np.array([t.value[tuple(a.index(r[f]) for a, f in zip(t.cells, S, strict=True))] for r in rows])
        return at_rows - w @ at_rows / w.sum()

    pd = centred(joint, (j, k))
    rest = pd - centred(one, (j,)) - centred(two, (k,))
    above, below = w @ rest**2, w @ pd**2
    return np.divide(above, below, out=np.zeros_like(above), where=below > 1e-24)


@dataclass(frozen=True)
class CoarseTable:
    """Means over the rows of coarse cells (cells …, n_outputs), and how much of the term's variance they keep."""

    value: Array
    weight: Array
    kept: Array
    term_sd: Array


def coarse_pair(
    e: Ensemble, S: tuple[int, int], owners: Sequence[NDArray[np.int64]], rows: list[Row], w: Array
) -> CoarseTable:
    """The exact joint table of a pair, row by row, averaged over cells; `owners` says which cells are joined."""
    joint, one, two = (interventional(e, T, rows, w) for T in (S, S[:1], S[1:]))
    mean = sum(weight * raw(e, row) for row, weight in zip(rows, w, strict=True)) / w.sum()

    def at(t: Tables, T: Sequence[int], row: Row) -> Array:
        return t.value[tuple(axis.index(row[f]) for axis, f in zip(t.cells, T, strict=True))]

    value = np.zeros((*(int(owner.max()) + 1 for owner in owners), e.n_outputs))
    weight, total, cells, terms = np.zeros(value.shape), value.copy(), [], []
    for row, u in zip(rows, w, strict=True):
        both = at(joint, S, row)
        cell = tuple(int(o[axis.index(row[f])]) for o, axis, f in zip(owners, joint.cells, S, strict=True))
        term = both - at(one, S[:1], row) - at(two, S[1:], row) + mean
        value[cell] += u * both
        total[cell] += u * term
        weight[cell] += u
        cells.append(cell)
        terms.append(term)
    value, total = (np.where(weight > 0, x / np.where(weight > 0, weight, 1), np.nan) for x in (value, total))
    exact, coarse = np.array(terms), np.nan_to_num(np.array([total[cell] for cell in cells]))
    variance = w @ (exact - w @ exact / w.sum()) ** 2 / w.sum()
    within = w @ (exact - coarse) ** 2 / w.sum()
    kept = np.where(variance > 1e-22, 1 - within / np.where(variance > 1e-22, variance, 1), 1.0)
    return CoarseTable(value, weight, kept, np.sqrt(variance))


def ledger(e: Ensemble, rows: list[Row], w: Array) -> tuple[Array, Array, Array]:
    """Variance of raw, and the shares reproduced by the effects and by effects and pairs."""
    F = np.array([raw(e, row) for row in rows])
    empty = w @ F / w.sum()
    p = len(e.features)
    single = {(j,): interventional(e, (j,), rows, w) for j in range(p)}
    double = {S: interventional(e, S, rows, w) for S in combinations(range(p), 2)}

    def at_rows(t: Tables, S: Sequence[int]) -> Array:
        return np.array([t.value[tuple(a.index(r[f]) for a, f in zip(t.cells, S, strict=True))] for r in rows])

    f1 = {S: at_rows(t, S) - empty for S, t in single.items()}
    f2 = [at_rows(t, S) - empty - f1[S[:1]] - f1[S[1:]] for S, t in double.items()]

    def variance(x: Array) -> Array:
        return w @ (x - w @ x / w.sum()) ** 2 / w.sum()

    def left(terms: list[Array], o: int) -> float:
        """Variance of output o that no linear combination of the terms and a constant reproduces."""
        root = np.sqrt(w / w.sum())
        A = np.stack([np.ones(len(F)), *(term[:, o] for term in terms)], axis=1) * root[:, None]
        fit = A @ np.linalg.lstsq(A, F[:, o] * root, rcond=1e-10)[0]
        return float(np.sum((F[:, o] * root - fit) ** 2))

    total = variance(F)
    safe = np.where(total > 1e-24, total, 1)
    rest = [np.array([left(terms, o) for o in range(F.shape[1])]) for terms in (list(f1.values()), [*f1.values(), *f2])]
    shares = [np.where(total > 1e-24, 1 - part / safe, 1.0) for part in rest]
    return total, shares[0], shares[1]
