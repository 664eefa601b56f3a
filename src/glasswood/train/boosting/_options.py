"""Options of boosting; the field names are the estimators' parameter names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from glasswood import _native
from glasswood._checks import check_at_least, check_between, check_choice, check_flag, check_whole
from glasswood.errors import OptionError

GAINS = _native.gain_names()
SYMMETRIC_ROWS = 10_000  # fewer rows make trees symmetric unless `symmetric` says otherwise
SYMMETRIC_DEPTH = 8  # of such trees at most
SHARED_OUTPUTS = 4  # from so many on, their symmetric trees ask the same questions
MAX_SYMMETRIC_DEPTH = 16  # of trees that are asked to be symmetric


@dataclass(frozen=True, slots=True, kw_only=True)
class BoostingOptions:
    """How trees are grown and added up."""

    loss: Any = "squared_error"  # a name, or an object that computes gradients
    quantile: float = 0.5  # of the quantile loss
    power: float = 1.5  # of the tweedie loss
    gain: Literal["newton", "cred_var", "cred_std", "welch"] = "newton"
    rho: float = 1.0  # power of the expected noise in the gain of welch
    n_estimators: int = 100
    learning_rate: float = 0.1
    max_depth: int | None = 6  # largest number of splits between the root and a leaf
    # if given, the leaf with the largest gain is split first, until there are so many leaves
    max_leaf_nodes: int | None = None
    symmetric: bool | None = None  # all nodes of a level ask the same question; None: see `grows_symmetric`
    min_samples_leaf: int = 1  # rows of positive weight
    min_weight_leaf: float = 1.0
    min_gain: float = 0.0
    l2: float = 1.0
    max_bins: int = 255
    subsample: float = 1.0  # share of rows drawn per round
    colsample: float = 0.8  # share of features drawn per tree
    monotonic_cst: Mapping[str, int] | Sequence[int] | None = None
    interaction_cst: Sequence[Sequence[int | str]] | None = None
    early_stopping: bool = False
    validation_fraction: float = 0.1  # of the rows, set aside for early stopping if there is no evaluation table
    n_iter_no_change: int = 10
    tol: float = 0.0
    metrics: Any = None  # names, beside the loss
    statistics: Literal["exact", "quantised"] = "exact"

    def __post_init__(self) -> None:
        check_choice("gain", self.gain, GAINS)
        check_choice("statistics", self.statistics, ("exact", "quantised"))
        for name in ("n_estimators", "n_iter_no_change"):
            check_whole(name, getattr(self, name), 1)
        check_whole("min_samples_leaf", self.min_samples_leaf, 1, most=2**32 - 1)
        check_whole("max_depth", self.max_depth, 1, none=True)
        check_whole("max_leaf_nodes", self.max_leaf_nodes, 2, none=True)
        check_whole("max_bins", self.max_bins, 2, most=255)
        for name in ("min_weight_leaf", "min_gain", "l2", "rho", "tol", "learning_rate"):
            check_at_least(name, getattr(self, name))
        for name in ("subsample", "colsample"):
            check_between(name, getattr(self, name), 0, 1, high_counts=True)
        check_flag("early_stopping", self.early_stopping)
        if self.symmetric is not None:
            check_flag("symmetric", self.symmetric)
        if self.symmetric:
            self._check_symmetric()
        check_between("validation_fraction", self.validation_fraction, 0, 1)
        check_between("quantile", self.quantile, 0, 1)
        check_between("power", self.power, 1, 2)

    def _check_symmetric(self) -> None:
        """Raise `OptionError` if trees of these options cannot be symmetric."""
        if self.max_leaf_nodes is not None:
            raise OptionError("symmetric=True grows level by level: limit max_depth, with max_leaf_nodes=None")
        if self.max_depth is None or self.max_depth > MAX_SYMMETRIC_DEPTH:
            raise OptionError(
                f"symmetric=True needs max_depth from 1 to {MAX_SYMMETRIC_DEPTH}, because all nodes of a level are in "
                f"memory at once; got max_depth={self.max_depth}"
            )

    def grows_symmetric(self, n_rows: int) -> bool:
        """Whether trees are symmetric on so many rows.

        Without a choice they are if rows are few and the other options leave a choice. Sums of quantised gradients are
        made for large tables.
        """
        if self.symmetric is not None:
            return self.symmetric
        possible = self.max_leaf_nodes is None and self.max_depth is not None and self.max_depth <= SYMMETRIC_DEPTH
        return possible and self.statistics == "exact" and n_rows < SYMMETRIC_ROWS

    def shares_questions(self, n_outputs: int, *, symmetric: bool, monotone: bool) -> bool:
        """Whether the trees of all outputs ask the same questions.

        They do not if features are monotone: a split may keep the order of values in one tree and break it in another.
        """
        return symmetric and n_outputs >= SHARED_OUTPUTS and not monotone and self.statistics == "exact"
