"""Training: arrays and options → Ensemble."""

from glasswood.train._importance import gain_importance
from glasswood.train._parted_rows import PartedRows
from glasswood.train._target import ClassTarget, NumberTarget, Target
from glasswood.train._training_table import TrainingTable, check_levels, training_table

__all__ = [
    "ClassTarget",
    "NumberTarget",
    "PartedRows",
    "Target",
    "TrainingTable",
    "check_levels",
    "gain_importance",
    "training_table",
]
