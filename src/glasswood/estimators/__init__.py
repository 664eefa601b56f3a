"""Estimators: scikit-learn classes around the training functions; the only package that imports scikit-learn."""

from sklearn.utils.validation import check_is_fitted

from glasswood.estimators._base import all_or_nothing
from glasswood.estimators._boosting_base import check_before_work
from glasswood.estimators._boosting_classifier import BoostingClassifier
from glasswood.estimators._boosting_inputs import read_eval_set
from glasswood.estimators._boosting_regressor import BoostingRegressor
from glasswood.estimators._forest import ForestClassifier, ForestRegressor
from glasswood.estimators._parted_table import PartedTable
from glasswood.estimators._rule_cv import rule_cv
from glasswood.estimators._sirus import SirusClassifier, SirusRegressor
from glasswood.estimators._tree import TreeClassifier, TreeRegressor

__all__ = [
    "BoostingClassifier",
    "BoostingRegressor",
    "ForestClassifier",
    "ForestRegressor",
    "PartedTable",
    "SirusClassifier",
    "SirusRegressor",
    "TreeClassifier",
    "TreeRegressor",
    "all_or_nothing",
    "check_before_work",
    "check_is_fitted",
    "read_eval_set",
    "rule_cv",
]
