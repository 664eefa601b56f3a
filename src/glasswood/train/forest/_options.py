"""Options of trees and forests; the field names are the estimators' parameter names."""

import math
from dataclasses import dataclass
from typing import Any, Literal, TypeGuard

import numpy as np

from glasswood._checks import check_at_least, check_choice, check_flag, check_whole
from glasswood._powers import times_power
from glasswood.errors import OptionError


@dataclass(frozen=True, slots=True, kw_only=True)
class TreeOptions:
    """When a tree stops growing, and how splits are rated."""

    criterion: Literal["squared_error", "gini", "entropy"]
    max_depth: int | None = None
    min_samples_split: int | float = 2  # rows; a float is a fraction of all rows
    min_samples_leaf: int | float = 1
    min_weight_leaf: float = 0.0
    min_weight_fraction_leaf: float = 0.0  # of the weight of all rows
    max_leaf_nodes: int | None = None  # if given, the best split is made first, until there are so many leaves
    max_features: int | float | Literal["sqrt", "log2"] | None = None  # drawn per node; None: all
    ccp_alpha: float = 0.0
    needs_gain: bool = False  # if False, splits of gain 0 are made

    def __post_init__(self) -> None:
        check_whole("max_depth", self.max_depth, 1, none=True)
        _check_count("min_samples_split", self.min_samples_split, 2)
        _check_count("min_samples_leaf", self.min_samples_leaf, 1)
        check_at_least("min_weight_leaf", self.min_weight_leaf)
        check_at_least("min_weight_fraction_leaf", self.min_weight_fraction_leaf)
        check_whole("max_leaf_nodes", self.max_leaf_nodes, 2, none=True)
        check_at_least("ccp_alpha", self.ccp_alpha)
        if isinstance(self.max_features, str):
            check_choice("max_features", self.max_features, ("sqrt", "log2"))
        elif self.max_features is not None:
            _check_count("max_features", self.max_features, 1)

    def weight_needed(self, total: float, exponent: int = 0) -> float:
        """Weight a child needs in a tree whose rows weigh `total`, in units of 2^exponent."""
        needed = float(times_power(np.array(float(self.min_weight_leaf)), -exponent))
        return max(needed, self.min_weight_fraction_leaf * total)

    def n_features_drawn(self, n_features: int) -> int:
        """Number of features tried at a node."""
        wanted = self.max_features
        if wanted is None:
            return n_features
        if wanted == "sqrt":
            return max(1, math.isqrt(n_features))
        if wanted == "log2":
            return max(1, int(math.log2(n_features)))
        if _is_whole(wanted):
            return min(int(wanted), n_features)
        return max(1, int(float(wanted) * n_features))


@dataclass(frozen=True, slots=True, kw_only=True)
class ForestOptions(TreeOptions):
    """Number of trees, and which rows and thresholds each of them uses."""

    n_estimators: int = 100
    bootstrap: bool = True
    max_samples: int | float | None = None  # rows drawn for a tree; None: as many as there are
    splits: Literal["exact", "quantile"] = "exact"
    n_quantiles: int = 10

    def __post_init__(self) -> None:
        # super() without arguments does not work in a dataclass with slots
        TreeOptions.__post_init__(self)
        check_whole("n_estimators", self.n_estimators, 1)
        check_flag("bootstrap", self.bootstrap)
        if self.max_samples is not None:
            _check_count("max_samples", self.max_samples, 1)
            if not self.bootstrap:
                raise OptionError(
                    f"max_samples={self.max_samples!r} draws rows, and bootstrap=False draws none; set bootstrap=True "
                    "or max_samples=None"
                )
        check_choice("splits", self.splits, ("exact", "quantile"))
        check_whole("n_quantiles", self.n_quantiles, 2, most=255)

    def n_rows_drawn(self, n_rows: int) -> int:
        """Number of rows drawn for a tree."""
        return n_rows if self.max_samples is None else rows_of(self.max_samples, n_rows, least=1)


def rows_of(count: int | float, n_rows: int, *, least: int) -> int:
    """Number of rows: as given, or a fraction of all rows, rounded up."""
    return int(count) if _is_whole(count) else max(least, math.ceil(count * n_rows))


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _is_number(value: Any) -> TypeGuard[float]:
    return _is_whole(value) or isinstance(value, float | np.floating)


def _check_count(name: str, value: Any, least: int) -> None:
    valid = value >= least if _is_whole(value) else _is_number(value) and 0 < value <= 1
    if not valid:
        raise OptionError(
            f"{name} must be a whole number, at least {least}, or a fraction above 0 and up to 1.0; got {value!r}"
        )
