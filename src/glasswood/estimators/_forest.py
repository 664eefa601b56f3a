"""ForestClassifier and ForestRegressor: bagged trees, on exact or quantile splits."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import accuracy_score, r2_score
from sklearn.utils.validation import check_is_fitted

from glasswood._checks import seed_of
from glasswood._progress import Progress
from glasswood.ensemble import largest_share
from glasswood.errors import OptionError, warn
from glasswood.estimators._base import (
    EnsembleClassifier,
    EnsembleRegressor,
    GrownEstimator,
    all_or_nothing,
    options_of,
    read_numbers,
    read_sample_weight,
    with_class_weight,
)
from glasswood.tables import Table
from glasswood.train import Target, TrainingTable
from glasswood.train.forest import ForestOptions, drawn_counts, grow_forest, out_of_bag


def _forest_options(estimator: "_Forest") -> ForestOptions:
    options = options_of(estimator, ForestOptions)
    if estimator.oob_score and not options.bootstrap:
        raise OptionError("oob_score needs bootstrap=True: without it every tree sees every row")
    return options


class _Forest(GrownEstimator):
    """What both forests have in common."""

    random_state: Any
    oob_score: bool
    criterion: str

    def _grow(
        self,
        table: TrainingTable,
        target: Target,
        weight: NDArray[np.float64] | None,
        options: ForestOptions,
        progress: bool,
    ) -> NDArray[np.float64] | None:
        """Grow the ensemble; returns the out-of-bag prediction if it is wanted."""
        self._draws = (weight, table.rows.n_rows, options, seed_of(self.random_state))
        seed = self._draws[-1]
        with Progress("trees", options.n_estimators, show=progress) as bar:
            self.ensemble_ = grow_forest(
                table,
                target,
                weight,
                options,
                seed=seed,
                source=self._source(self.criterion),
                on_trees=bar.step,
                n_jobs=self.n_jobs,
            )
        if not self.oob_score:
            return None
        prediction = out_of_bag(self.ensemble_, table, weight, options, seed=seed, n_jobs=self.n_jobs)
        never = int(np.isnan(prediction).any(axis=1).sum())
        if never:
            warn(f"{never} rows were drawn by every tree and have no out-of-bag prediction; use more trees")
        return prediction

    @property
    def _n_samples(self) -> int:
        """Number of training rows, under scikit-learn's name, for code that reads `estimators_samples_`."""
        return self._draws[1]

    @property
    def estimators_samples_(self) -> list[NDArray[np.int64]]:
        """Rows each tree was grown on; a row is repeated as often as it was drawn."""
        check_is_fitted(self, "ensemble_")
        weight, n_rows, options, seed = self._draws
        rows = np.arange(n_rows)
        if not options.bootstrap:
            return [rows] * options.n_estimators
        return [
            np.repeat(rows, drawn_counts(weight, n_rows, options, seed=seed, tree=tree).astype(np.int64))
            for tree in range(options.n_estimators)
        ]


class ForestRegressor(_Forest, EnsembleRegressor):
    """Regression forest: the mean of trees grown on drawn rows, with drawn features at each node.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    criterion : {"squared_error"}
        What a split reduces.
    splits : {"exact", "quantile"}
        Try every threshold, or only the `n_quantiles` quantiles of each feature over the whole table.
    n_quantiles : int
        Number of quantiles for ``splits="quantile"``, at most 255.
    max_depth, min_samples_split, min_samples_leaf, min_weight_leaf, min_weight_fraction_leaf, max_leaf_nodes, ccp_alpha
        As in `TreeRegressor`; if rows are drawn, weights are numbers of draws.
    max_features : int, float, "sqrt" or "log2", optional
        Number of features drawn at each node; None tries all.
    bootstrap : bool
        Draw rows with replacement, with a probability proportional to their weight; if False, every tree uses all rows.
    max_samples : int or float, optional
        Number of rows drawn for a tree; None draws as many as there are. Needs ``bootstrap=True``.
    oob_score : bool
        Score each row with the trees that did not draw it.
    random_state : int, RandomState, Generator, optional
        Seed of the draws.
    n_jobs : int, optional
        Number of threads. The model has the same bits for any number.

    Attributes
    ----------
    ensemble_ : Ensemble
    feature_importances_ : ndarray of float64, (n_features,)
        Share of each feature in the gain of all splits.
    oob_score_ : float
        R² of the out-of-bag prediction.
    oob_prediction_ : ndarray of float64, (n_rows,)
        NaN if every tree drew the row.
    estimators_samples_ : list of ndarray
        Rows each tree was grown on.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True)
    >>> forest = gw.ForestRegressor(50, max_features=0.5, oob_score=True, random_state=0).fit(X, y)
    >>> forest.oob_score_ > 0.35
    True
    """

    oob_score_: float
    oob_prediction_: NDArray[np.float64]

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: Literal["squared_error"] = "squared_error",
        splits: Literal["exact", "quantile"] = "exact",
        n_quantiles: int = 10,
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        max_leaf_nodes: int | None = None,
        ccp_alpha: float = 0.0,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        oob_score: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.splits = splits
        self.n_quantiles = n_quantiles
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.random_state = random_state
        self.n_jobs = n_jobs

    @all_or_nothing
    def fit(self, X: Table, y: Any, sample_weight: Any = None, *, progress: bool = False) -> "ForestRegressor":
        """Grow the forest.

        Parameters
        ----------
        X : table
            numpy, pandas, polars, pyarrow or any object with an Arrow C stream.
        y : array of numbers, (n_rows,)
        sample_weight : array, (n_rows,), optional
        progress : bool
            Show a bar on stderr, with a step for each tree.
        """
        options = _forest_options(self)
        table = self._read_training_table(X)
        target = read_numbers(y, table.rows.n_rows)
        weight = read_sample_weight(sample_weight, table.rows.n_rows)
        prediction = self._grow(table, target, weight, options, progress)
        if prediction is not None:
            self.oob_prediction_ = prediction[:, 0]
            known = ~np.isnan(self.oob_prediction_)
            self.oob_score_ = float(r2_score(target.y[known], self.oob_prediction_[known]))
        return self


class ForestClassifier(_Forest, EnsembleClassifier):
    """Classification forest: the mean class shares of trees grown on drawn rows, with drawn features at each node.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    criterion : {"gini", "entropy"}
        What a split reduces.
    splits : {"exact", "quantile"}
        Try every threshold, or only the `n_quantiles` quantiles of each feature over the whole table.
    n_quantiles : int
        Number of quantiles for ``splits="quantile"``, at most 255.
    max_depth, min_samples_split, min_samples_leaf, min_weight_leaf, min_weight_fraction_leaf
        As in `TreeClassifier`; if rows are drawn, weights are numbers of draws.
    max_leaf_nodes, ccp_alpha, class_weight
        As in `TreeClassifier`.
    max_features : int, float, "sqrt" or "log2", optional
        Number of features drawn at each node; None tries all.
    bootstrap : bool
        Draw rows with replacement, with a probability proportional to their weight; if False, every tree uses all rows.
    max_samples : int or float, optional
        Number of rows drawn for a tree; None draws as many as there are. Needs ``bootstrap=True``.
    oob_score : bool
        Score each row with the trees that did not draw it.
    random_state : int, RandomState, Generator, optional
        Seed of the draws.
    n_jobs : int, optional
        Number of threads. The model has the same bits for any number.

    Attributes
    ----------
    ensemble_ : Ensemble
    classes_ : ndarray, (n_classes,)
    feature_importances_ : ndarray of float64, (n_features,)
        Share of each feature in the gain of all splits.
    oob_score_ : float
        Accuracy of the out-of-bag prediction.
    oob_decision_function_ : ndarray of float64, (n_rows, n_classes)
        Out-of-bag class shares; NaN if every tree drew the row.
    estimators_samples_ : list of ndarray
        Rows each tree was grown on.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> gw.ForestClassifier(50, oob_score=True, random_state=0).fit(X, y).oob_score_ > 0.9
    True
    """

    oob_score_: float
    oob_decision_function_: NDArray[np.float64]

    def __init__(
        self,
        n_estimators: int = 100,
        *,
        criterion: Literal["gini", "entropy"] = "gini",
        splits: Literal["exact", "quantile"] = "exact",
        n_quantiles: int = 10,
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | Literal["sqrt", "log2"] | None = "sqrt",
        max_leaf_nodes: int | None = None,
        ccp_alpha: float = 0.0,
        class_weight: Any = None,
        bootstrap: bool = True,
        max_samples: int | float | None = None,
        oob_score: bool = False,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.criterion = criterion
        self.splits = splits
        self.n_quantiles = n_quantiles
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.class_weight = class_weight
        self.bootstrap = bootstrap
        self.max_samples = max_samples
        self.oob_score = oob_score
        self.random_state = random_state
        self.n_jobs = n_jobs

    @all_or_nothing
    def fit(self, X: Table, y: Any, sample_weight: Any = None, *, progress: bool = False) -> "ForestClassifier":
        """Grow the forest.

        Parameters
        ----------
        X : table
            numpy, pandas, polars, pyarrow or any object with an Arrow C stream.
        y : array of labels, (n_rows,)
        sample_weight : array, (n_rows,), optional
        progress : bool
            Show a bar on stderr, with a step for each tree.
        """
        options = _forest_options(self)
        table = self._read_training_table(X)
        target = self._read_classes(y, table.rows.n_rows)
        weight = read_sample_weight(sample_weight, table.rows.n_rows)
        weight = with_class_weight(weight, self.class_weight, target, self.classes_)
        prediction = self._grow(table, target, weight, options, progress)
        if prediction is not None:
            shares = np.hstack([1.0 - prediction, prediction]) if len(self.classes_) == 2 else prediction
            known = ~np.isnan(shares).any(axis=1)
            self.oob_decision_function_ = shares
            self.oob_score_ = float(accuracy_score(target.labels[known], largest_share(shares[known])))
        return self
