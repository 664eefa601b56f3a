"""Refusals: what a GPU does not take yet, each named in its error."""

import numpy as np

from glasswood.errors import OptionError, TableError
from glasswood.train.boosting import FitPlan

MAX_DEPTH = 10
MAX_GROUPS = 64
MAX_ROWS = 2**29


def refuse(plan: FitPlan) -> None:
    """Raise an error that names the first option or feature that a GPU does not take."""
    options, binning = plan.options, plan.binning
    if options.statistics != "quantised":
        raise OptionError(
            f"device='cuda' sums quantised gradients; got statistics={options.statistics!r}: set "
            f"statistics='quantised', or device='cpu'"
        )
    if plan.team.size > 1:
        raise OptionError("device='cuda' grows trees on one machine; a team grows them with device='cpu'")
    if options.max_depth is None or options.max_depth > MAX_DEPTH:
        raise OptionError(f"device='cuda' takes max_depth from 1 to {MAX_DEPTH}; got max_depth={options.max_depth}")
    if plan.symmetric:
        raise OptionError("device='cuda' does not grow symmetric trees yet; set symmetric=False, or device='cpu'")
    if len(plan.train.weight) and options.min_samples_leaf > 1:
        raise OptionError(
            f"device='cuda' does not count rows beside their weights; got min_samples_leaf={options.min_samples_leaf} "
            f"with sample_weight: set min_samples_leaf=1 and use min_weight_leaf, or set device='cpu'"
        )
    wide = np.flatnonzero(binning.is_wide)
    if len(wide):
        raise TableError(
            f"device='cuda' takes categories of up to 254 levels; feature {binning.features.names[wide[0]]!r} has "
            f"{int(binning.n_wide[wide[0]]):,}: set max_bins=254, and its rarest levels share a bin, or device='cpu'"
        )
    groups = max((number + 1 for own in plan.constraints.groups for number in own), default=0)
    if groups > MAX_GROUPS:
        raise OptionError(f"device='cuda' takes up to {MAX_GROUPS} groups in interaction_cst; got {groups}")
    for table in plan.tables:
        if table.rows.n_rows >= MAX_ROWS:
            raise TableError(f"device='cuda' takes tables of fewer than {MAX_ROWS:,} rows; got {table.rows.n_rows:,}")
