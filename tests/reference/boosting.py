"""The slow, obvious version of boosting: every candidate of every node, with sums over masks of rows."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from tests.reference.random import row_key

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


def edges_of(values: Floats, weight: NDArray[np.int64], max_bins: int) -> Floats:
    """Edges by the definition, with a weight of k as k rows: as many quantiles as give at most max_bins - 1 edges."""
    rows = np.repeat(values, weight)
    rows = np.sort(rows[~np.isnan(rows)])
    distinct = np.unique(rows)
    if len(distinct) <= max_bins:
        return (distinct[1:] + distinct[:-1]) / 2
    found, enough, too_many = quantiles(rows, max_bins), max_bins, 2**22
    while len(found) < max_bins - 1 and enough + 1 < too_many:
        asked = min(2 * enough, too_many - 1) if too_many == 2**22 else (enough + too_many) // 2
        more = quantiles(rows, asked)
        if len(more) < max_bins:
            found, enough = more, asked
        else:
            too_many = asked
    return found


def quantiles(rows: Floats, m: int) -> Floats:
    """The type-7 quantiles at k/m of sorted rows; of those that separate the rows equally, the lowest."""
    position = (len(rows) - 1) * np.arange(1, m) / m
    whole = np.floor(position).astype(int)
    low, high = rows[whole], rows[np.minimum(whole + 1, len(rows) - 1)]
    edges = np.where(low == high, low, low + (high - low) * (position - whole))
    n_below, first = np.unique(np.searchsorted(rows, edges, side="right"), return_index=True)
    return edges[first[n_below < len(rows)]]


def slopes(loss: str, y: Floats, raw: Floats, alpha: float, power: float) -> tuple[Floats, Floats]:
    """Gradient and hessian per row, without weight."""
    one = np.ones_like(y)
    mu = np.exp(raw)
    match loss:
        case "squared_error":
            return raw - y, one
        case "absolute_error":
            return np.sign(raw - y), one
        case "quantile":
            return np.where(y > raw, -alpha, np.where(y < raw, 1 - alpha, 0.0)), one
        case "poisson":
            return mu - y, mu
        case "gamma":
            return 1 - y / mu, y / mu
        case "tweedie":
            first, second = mu ** (2 - power), y * mu ** (1 - power)
            return first - second, (2 - power) * first - (1 - power) * second
        case "logistic":
            share = 1 / (1 + np.exp(-raw))
            return share - y, share * (1 - share)
    raise ValueError(loss)


@dataclass
class Sums:
    S: float
    W: float
    Q: float
    N: float


def gain_of(kind: str, left: Sums, right: Sums, l2: float, rho: float = 1.0) -> float:
    node = Sums(left.S + right.S, left.W + right.W, left.Q + right.Q, left.N + right.N)
    if kind == "welch":
        return welch(left, right, node, rho)
    return term(kind, left, l2) + term(kind, right, l2) - term(kind, node, l2)


def term(kind: str, s: Sums, l2: float) -> float:
    if kind == "newton":
        return s.S**2 / (s.W + l2)
    vhm = (s.S / s.W) ** 2
    evpv = max(2.2e-16, s.Q / s.W - vhm)
    Z = vhm / (vhm + evpv) if kind == "cred_var" else vhm**0.5 / (vhm**0.5 + evpv**0.5)
    return Z * abs(s.S) / (1 + l2 / s.W)


def welch(left: Sums, right: Sums, node: Sums, rho: float) -> float:
    within = {id(c): max(0.0, c.Q - c.S**2 / c.W) for c in (left, right, node)}
    B = left.W * right.W / node.W * (left.S / left.W - right.S / right.W) ** 2
    pool = (within[id(left)] + within[id(right)]) / max(node.N - 2, 1)
    v = {id(c): (within[id(c)] + 5 * pool) / (max(c.N - 1, 0) + 5) for c in (left, right)}
    noise = (right.W * v[id(left)] + left.W * v[id(right)]) / node.W
    N0 = max(noise, 1e-9 * within[id(node)] / max(node.N - 1, 1))
    return B / N0**rho if N0 > 0 else 0.0


def at_least_one_unit(values: Floats) -> Floats:
    unit = 2.0 ** (math.frexp(values.max())[1] - 16)
    return np.where(values > 0, np.maximum(np.rint(values / unit), 1), 0) * unit


@dataclass
class Problem:
    """One tree to check: the table, the statistics before the tree, and the options."""

    X: Floats  # (n, n_features); categories as codes, NaN is missing
    is_category: list[bool]
    edges: list[Floats]
    level_bin: list[NDArray[np.int64]]
    g: Floats  # times the weight
    h: Floats
    weight: Floats
    gain: str
    l2: float
    min_weight_leaf: float
    min_gain: float
    max_depth: int
    rho: float = 1.0
    min_samples_leaf: int = 1
    square: Floats | None = None  # g²/h if it does not follow from g and h

    def sums(self, rows: Mask) -> Sums:
        square = self.square[rows] if self.square is not None else self.g[rows] ** 2 / self.h[rows]
        return Sums(-self.g[rows].sum(), self.h[rows].sum(), square.sum(), self.weight[rows].sum())

    def quantised(self, seed: int, stream: int) -> "Problem":
        """The same with 17-bit statistics, rounded randomly by the key of each row."""
        bits = [row_key(seed, stream, row) for row in range(len(self.g))]
        up, other_up = np.array([b >> 32 for b in bits]) / 2**32, np.array([b % 2**32 for b in bits]) / 2**32
        square = np.divide(self.g**2, self.h, out=np.zeros_like(self.g), where=self.h > 0)
        unit = [2.0 ** (math.frexp(np.abs(a).max())[1] - 16) if np.any(a) else 1.0 for a in (self.g, square)]
        return replace(
            self,
            g=np.floor(self.g / unit[0] + up) * unit[0],
            square=np.floor(square / unit[1] + other_up) * unit[1],
            h=at_least_one_unit(self.h),
            weight=at_least_one_unit(self.weight),
        )

    def rounding(self, rows: Mask) -> tuple[float, float]:
        """Tolerance of gains, absolute and relative: with hardly any noise, differences are only rounding."""
        node = self.sums(rows)
        total = 1e-9 + float(np.abs(self.g[rows]).sum()) + node.Q
        if self.gain == "newton":
            return 1e-9 * total, 1e-6
        if self.gain == "welch":  # Q − S²/W is rounded by 1e-16 of Q and compared with 1e-9 of itself
            within = max(node.Q - node.S**2 / node.W, 1e-300)
            if within < 1e-12 * node.Q:  # all residuals are equal: the remaining noise is rounding
                return 1e300, 1.0
            return 1e-9 * total, min(1.0, 1e-6 + 1e-6 * node.Q / within)
        return 1e-7 * total, 1e-6  # the root of a variance of 1e-16

    def candidates(self, rows: Mask) -> Iterator[tuple[float, Mask]]:
        """Gain and left rows of every valid candidate, in the order in which ties are decided."""
        for f in range(self.X.shape[1]):
            x = self.X[:, f]
            missing = rows & np.isnan(x)
            for with_missing in (False, True) if missing.any() else (False,):
                for left in self.cuts(f, rows):
                    left = left | missing if with_missing else left
                    gain = self.gain_at(rows, left)
                    if gain is not None:
                        yield gain, left

    def cuts(self, f: int, rows: Mask) -> Iterator[Mask]:
        x = self.X[:, f]
        known = rows & ~np.isnan(x)
        if not self.is_category[f]:
            for edge in self.edges[f]:
                yield known & (x <= edge)
            yield known
            return
        bins = np.where(known, self.level_bin[f][np.where(known, x, 0).astype(int)], -1)
        groups = [known & (bins == b) for b in np.unique(bins[known])]
        rows_per_level = 2 if self.level_bin[f].max(initial=0) + 1 > 254 else 1
        groups = self.in_order([m for m in groups if (self.weight[m] > 0).any()], rows, rows_per_level)
        for k in range(1, len(groups) + 1):
            yield np.logical_or.reduce(groups[:k])

    def in_order(self, levels: list[Mask], rows: Mask, rows_per_level: int) -> list[Mask]:
        """Levels by their mean; levels with a credibility below one half share one mean, all levels with few rows."""
        sums = [self.sums(m) for m in levels]
        S, W, Q, N = (sum(getattr(s, name) for s in sums) for name in "SWQN")
        N *= max(np.count_nonzero(rows & (self.weight > 0)) / self.weight[rows].sum(), 1.0)
        explained = sum(s.S**2 / s.W for s in sums)
        known = (1 + 1e-9) * rows_per_level * len(levels) < N
        within = max(Q - explained, 0.0) / (N - len(levels)) if known else math.inf
        beyond_noise = explained - S**2 / W - (len(levels) - 1) * within if len(levels) > 1 else 0.0
        between = beyond_noise / (W - sum(s.W**2 for s in sums) / W) if beyond_noise > 1e-9 * Q else 0.0
        credible = [between > 0 and s.W * between >= (1 - 1e-9) * within for s in sums]
        others = [s for s, own in zip(sums, credible, strict=True) if not own]
        common = sum(s.S for s in others) / sum(s.W for s in others) if others else 0.0
        means = [s.S / s.W if own else common for s, own in zip(sums, credible, strict=True)]
        return [levels[k] for k in np.argsort(means, kind="stable")]

    def gain_at(self, rows: Mask, left: Mask) -> float | None:
        right = rows & ~left
        if not (left & (self.weight > 0)).any() or not (right & (self.weight > 0)).any():
            return None
        a, b = self.sums(left), self.sums(right)
        if min(a.N, b.N) < self.min_weight_leaf:
            return None
        if min(np.count_nonzero(side & (self.weight > 0)) for side in (left, right)) < self.min_samples_leaf:
            return None
        node = self.sums(rows)
        if a.W * b.W / node.W * (a.S / a.W - b.S / b.W) ** 2 <= 1e-20 * node.Q:
            return None  # the means differ only by rounding
        return gain_of(self.gain, a, b, self.l2, self.rho)


def goes_left(ensemble: Ensemble, node: int, x: Floats) -> Mask:
    """Which values go left at a split."""
    if ensemble.category_set[node] < 0:
        return np.where(np.isnan(x), ensemble.missing_left[node], x <= ensemble.threshold[node])
    start, end = ensemble.set_start[ensemble.category_set[node] :][:2]
    words = [int(word) for word in ensemble.set_bits[start:end]]
    known = [bool(words[int(v) // 64] >> (int(v) % 64) & 1) if not np.isnan(v) else False for v in x]
    return np.where(np.isnan(x), ensemble.missing_left[node], known)


def check_tree(problem: Problem, ensemble: Ensemble, tree: int, *, limited: bool = False) -> dict[int, Mask]:
    """Assert that every split is the best one and that every leaf could not be split; returns the rows of every node.

    `limited`: leaves may also result from the limit on their number.
    """
    root = int(ensemble.tree_start[tree])
    rows_of = {root: problem.weight > 0}
    depth = {root: 0}
    for node in range(root, int(ensemble.tree_start[tree + 1])):
        rows = rows_of[node]
        found = list(problem.candidates(rows)) if depth[node] < problem.max_depth else []
        scale, share = problem.rounding(rows)
        best = max((gain for gain, _ in found), default=-np.inf)
        if ensemble.feature[node] < 0:
            assert limited or best <= problem.min_gain + scale, (node, best)
            continue
        left = rows & goes_left(ensemble, node, problem.X[:, ensemble.feature[node]])
        gain = problem.gain_at(rows, left)
        assert gain is not None
        np.testing.assert_allclose(ensemble.gain[node], gain, rtol=share, atol=scale)
        assert gain >= best - 2 * share * abs(best) - scale, (node, gain, best)
        assert any(np.array_equal(left, other) for _, other in found), (node, "not a candidate")
        for child, part in ((ensemble.left[node], left), (ensemble.right[node], rows & ~left)):
            rows_of[int(child)], depth[int(child)] = part, depth[node] + 1
    return rows_of


def bounded_step(S: float, W: float, l2: float, power: float | None, largest: float) -> float:
    """Newton's step, limited by the minimum of a log-link loss with this variance power and by the largest step."""
    value = S / (W + l2)
    if power is not None:
        above, below = W + (2 - power) * S, W - (power - 1) * S
        if above > 0 and below > 0 and abs(math.log(above / below)) < abs(value):
            value = math.log(above / below)
    return min(max(value, -largest), largest)


def lower_quantile(values: Floats, weight: Floats, alpha: float) -> float:
    """Smallest value whose cumulative weight is at least alpha of the total."""
    for value in np.sort(values):
        if weight[values <= value].sum() >= alpha * weight.sum() - 1e-12:
            return float(value)
    raise AssertionError


def check_values(problem: Problem, model: Any, rows_of: Any, options: Any, y: Any, raw: Any) -> Any:
    """Leaves have the value of the definition; raw after the tree."""
    after = raw.copy()
    for node, rows in rows_of.items():
        np.testing.assert_allclose(model.weight[node], problem.weight[rows].sum(), rtol=1e-9)
        if model.feature[node] >= 0:
            continue
        sums = problem.sums(rows)
        power = {"poisson": 1.0, "gamma": 2.0, "tweedie": options["power"]}.get(options["loss"])
        largest = 13.8 if power is not None or options["loss"] in ("logistic", "softmax") else math.inf
        wanted = bounded_step(sums.S, sums.W, options["l2"], power, largest)
        if options["loss"] in ("absolute_error", "quantile"):
            level = 0.5 if options["loss"] == "absolute_error" else options["quantile"]
            wanted = lower_quantile((y - raw)[rows], problem.weight[rows], level)
        np.testing.assert_allclose(model.value[node, 0], 0.1 * wanted, rtol=1e-7, atol=1e-10)
        after[rows] += model.value[node, 0]
    resting = problem.weight == 0
    if resting.any():
        after[resting] = np.nan
    return np.where(np.isnan(after), raw + tree_values(problem, model, rows_of), after)


def tree_values(problem: Problem, model: Any, rows_of: Any) -> Any:
    """Value that each row of the table gets, including rows without weight."""
    node = np.full(len(problem.weight), min(rows_of))
    for at in sorted(rows_of):
        if model.feature[at] >= 0:
            here = node == at
            left = goes_left(model, at, problem.X[:, model.feature[at]])
            node[here] = np.where(left[here], model.left[at], model.right[at])
    return model.value[node, 0]
