"""Partial dependence: the mean of raw with some features fixed, from the shares of rows that reach each leaf."""

from collections.abc import Iterable

from glasswood import _native
from glasswood._native import LeafShares
from glasswood.explain.effects.estimands._tables import Array, Tuples


def single_tables(group: Tuples, shares: LeafShares) -> list[Array]:
    """Partial dependence on single features."""
    paths = group.grid.paths
    flat = _native.effect_terms(paths, shares, group.features)
    mean = _native.mean_raw(paths, shares)
    return [table + mean[:, None] for table in group.split(flat)]


def joint_tables(group: Tuples, shares: Iterable[LeafShares]) -> list[Array]:
    """Partial dependence on more than two features: one pass per tuple."""
    baseline = group.grid.ensemble.baseline.reshape(-1, *[1] * group.degree)
    out = []
    for i, of_tuple in enumerate(shares):
        one = group[i : i + 1]
        flat = _native.joint_table(group.grid.paths, of_tuple, one.features)
        out.append(one.split(flat)[0] + baseline)
    return out
