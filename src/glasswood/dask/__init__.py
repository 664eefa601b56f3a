"""Dask: boosting on a cluster, and predictions and explanations of Dask collections.

This is the only package that imports dask; `pip install "glasswood[dask]"` installs it.
"""

from glasswood.dask._attributions import attributions
from glasswood.dask._estimators import DaskBoostingClassifier, DaskBoostingRegressor
from glasswood.dask._examples import examples
from glasswood.dask._explain import effects, interactions, ledger
from glasswood.dask._explain_rows import compare, rules
from glasswood.dask._predict import predict

__all__ = [
    "DaskBoostingClassifier",
    "DaskBoostingRegressor",
    "attributions",
    "compare",
    "effects",
    "examples",
    "interactions",
    "ledger",
    "predict",
    "rules",
]
