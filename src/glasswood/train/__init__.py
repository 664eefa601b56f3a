"""The train room: arrays and options → Ensemble."""

from glasswood.train._boosting import Boosted, boost
from glasswood.train._boosting_options import GAINS, BoostingOptions
from glasswood.train._boosting_table import BoostingTable
from glasswood.train._forest import drawn_counts, grow_forest
from glasswood.train._importance import gain_importance
from glasswood.train._losses import REGRESSION_LOSSES
from glasswood.train._options import ForestOptions, TreeOptions
from glasswood.train._out_of_bag import out_of_bag
from glasswood.train._own_loss import CustomLoss
from glasswood.train._table import TrainingTable, training_table
from glasswood.train._target import ClassTarget, NumberTarget, Target

__all__ = [
    "GAINS",
    "REGRESSION_LOSSES",
    "Boosted",
    "BoostingOptions",
    "BoostingTable",
    "ClassTarget",
    "CustomLoss",
    "ForestOptions",
    "NumberTarget",
    "Target",
    "TrainingTable",
    "TreeOptions",
    "boost",
    "drawn_counts",
    "gain_importance",
    "grow_forest",
    "out_of_bag",
    "training_table",
]
