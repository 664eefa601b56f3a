"""Boosting: one tree after the other on binned rows."""

from glasswood.train.boosting._binning import Binning, LevelLimits
from glasswood.train.boosting._boost import Boosted, boost, check_team_options
from glasswood.train.boosting._boosted_table import MAX_LOG, start_raw
from glasswood.train.boosting._custom_loss import CustomLoss
from glasswood.train.boosting._draws import ROUNDING_STREAM, Draws
from glasswood.train.boosting._fit_plan import FitPlan
from glasswood.train.boosting._losses import REGRESSION_LOSSES, KernelLoss, Loss
from glasswood.train.boosting._options import GAINS, BoostingOptions
from glasswood.train.boosting._round_bytes import pack_rounds, unpack_rounds
from glasswood.train.boosting._round_log import RoundLog, RoundRecord, recorded
from glasswood.train.boosting._set_aside import set_aside
from glasswood.train.boosting._table import BoostingTable
from glasswood.train.boosting._tree_source import largest_step, min_weight_of_leaf

__all__ = [
    "GAINS",
    "MAX_LOG",
    "REGRESSION_LOSSES",
    "ROUNDING_STREAM",
    "Binning",
    "Boosted",
    "BoostingOptions",
    "BoostingTable",
    "CustomLoss",
    "Draws",
    "FitPlan",
    "KernelLoss",
    "LevelLimits",
    "Loss",
    "RoundLog",
    "RoundRecord",
    "boost",
    "check_team_options",
    "largest_step",
    "min_weight_of_leaf",
    "pack_rounds",
    "recorded",
    "set_aside",
    "start_raw",
    "unpack_rounds",
]
