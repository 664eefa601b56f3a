"""The train room: arrays and options → Ensemble."""

from glasswood.train._forest import drawn_counts, grow_forest
from glasswood.train._importance import gain_importance
from glasswood.train._options import ForestOptions, TreeOptions
from glasswood.train._out_of_bag import out_of_bag
from glasswood.train._table import TrainingTable, training_table
from glasswood.train._target import ClassTarget, NumberTarget, Target

__all__ = [
    "ClassTarget",
    "ForestOptions",
    "NumberTarget",
    "Target",
    "TrainingTable",
    "TreeOptions",
    "drawn_counts",
    "gain_importance",
    "grow_forest",
    "out_of_bag",
    "training_table",
]
