"""Boosting: one tree after the other on binned rows."""

from glasswood.train.boosting._binning import LevelLimits
from glasswood.train.boosting._boost import Boosted, boost
from glasswood.train.boosting._custom_loss import CustomLoss
from glasswood.train.boosting._losses import REGRESSION_LOSSES
from glasswood.train.boosting._options import GAINS, BoostingOptions
from glasswood.train.boosting._set_aside import set_aside
from glasswood.train.boosting._table import BoostingTable

__all__ = [
    "GAINS",
    "REGRESSION_LOSSES",
    "Boosted",
    "BoostingOptions",
    "BoostingTable",
    "CustomLoss",
    "LevelLimits",
    "boost",
    "set_aside",
]
