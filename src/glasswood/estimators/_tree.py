"""TreeClassifier and TreeRegressor: CART on exact thresholds."""

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from glasswood._checks import seed_of
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
from glasswood.explain.trees import tree_diagram
from glasswood.results import TreeDiagram
from glasswood.tables import Table, class_names
from glasswood.train import Target, TrainingTable
from glasswood.train.forest import TreeOptions, grow_forest


class _Tree(GrownEstimator):
    """What both trees have in common."""

    criterion: str
    random_state: Any

    def _grow(self, table: TrainingTable, target: Target, weight: NDArray[np.float64] | None) -> None:
        """Grow the ensemble."""
        self.ensemble_ = grow_forest(
            table,
            target,
            weight,
            options_of(self, TreeOptions),
            seed=seed_of(self.random_state),
            source=self._source(self.criterion),
            n_jobs=self.n_jobs,
        )

    def diagram(self) -> TreeDiagram:
        """The tree as text, frame or picture: `to_text`, `to_frame`, `plot`."""
        check_is_fitted(self, "ensemble_")
        known = getattr(self, "classes_", None)
        return tree_diagram(self.ensemble_, classes=None if known is None else class_names(known))

    def to_text(self) -> str:
        """The tree as indented text, one line per node."""
        return self.diagram().to_text()

    def plot(self, ax: Any = None) -> Any:
        """Draw the tree with matplotlib; returns the axes."""
        return self.diagram().plot(ax)


class TreeRegressor(_Tree, EnsembleRegressor):
    """Regression tree: CART with squared error on exact thresholds.

    Missing values and categories (text and category columns of a frame) are handled natively.

    Parameters
    ----------
    criterion : {"squared_error"}
        What a split reduces.
    max_depth : int, optional
        Largest number of splits between the root and a leaf; None: no limit.
    min_samples_split : int or float
        Smallest number of rows that a node must have to be split; a float is a fraction of all rows.
    min_samples_leaf : int or float
        Smallest number of rows of a child; a float is a fraction of all rows.
    min_weight_leaf : float
        Smallest weight of a child.
    min_weight_fraction_leaf : float
        Smallest weight of a child, as a fraction of the weight of all rows.
    max_features : int, float, "sqrt" or "log2", optional
        Number of features drawn at each node; None tries all.
    max_leaf_nodes : int, optional
        Largest number of leaves; the split with the largest gain is made first.
    ccp_alpha : float
        Cost of a leaf in minimal cost-complexity pruning.
    random_state : int, RandomState, Generator, optional
        Seed of the draws.
    n_jobs : int, optional
        Number of threads. The model has the same bits for any number.

    Attributes
    ----------
    ensemble_ : Ensemble
        The tree.
    feature_importances_ : ndarray of float64, (n_features,)
        Share of each feature in the gain of all splits.

    Notes
    -----
    `min_samples_split` and `min_samples_leaf` count rows whatever their weight, as in scikit-learn; `min_weight_leaf`
    counts weight. If the first two are left at their defaults, a row of weight k is equivalent to k copies of the row.

    Examples
    --------
    >>> import glasswood as gw
    >>> import numpy as np
    >>> tree = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    >>> tree.predict([[0.5], [3.0]])
    array([1., 4.])
    """

    def __init__(
        self,
        *,
        criterion: Literal["squared_error"] = "squared_error",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        max_leaf_nodes: int | None = None,
        ccp_alpha: float = 0.0,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.random_state = random_state
        self.n_jobs = n_jobs

    @all_or_nothing
    def fit(self, X: Table, y: Any, sample_weight: Any = None) -> "TreeRegressor":
        """Grow the tree.

        Parameters
        ----------
        X : table
            numpy, pandas, polars, pyarrow or any object with an Arrow C stream.
        y : array of numbers, (n_rows,)
        sample_weight : array, (n_rows,), optional
        """
        table = self._read_training_table(X)
        target = read_numbers(y, table.rows.n_rows)
        weight = read_sample_weight(sample_weight, table.rows.n_rows)
        self._grow(table, target, weight)
        return self


class TreeClassifier(_Tree, EnsembleClassifier):
    """Classification tree: CART with gini or entropy on exact thresholds.

    Missing values and categories (text and category columns of a frame) are handled natively. A leaf predicts class
    shares; `predict` returns the most frequent class; of equally frequent ones, the first.

    Parameters
    ----------
    criterion : {"gini", "entropy"}
        What a split reduces.
    max_depth : int, optional
        Largest number of splits between the root and a leaf; None: no limit.
    min_samples_split : int or float
        Smallest number of rows that a node must have to be split; a float is a fraction of all rows.
    min_samples_leaf : int or float
        Smallest number of rows of a child; a float is a fraction of all rows.
    min_weight_leaf : float
        Smallest weight of a child.
    min_weight_fraction_leaf : float
        Smallest weight of a child, as a fraction of the weight of all rows.
    max_features : int, float, "sqrt" or "log2", optional
        Number of features drawn at each node; None tries all.
    max_leaf_nodes : int, optional
        Largest number of leaves; the split with the largest gain is made first.
    ccp_alpha : float
        Cost of a leaf in minimal cost-complexity pruning.
    class_weight : dict or "balanced", optional
        Weights of the classes; "balanced" gives every class the same total weight.
    random_state : int, RandomState, Generator, optional
        Seed of the draws.
    n_jobs : int, optional
        Number of threads. The model has the same bits for any number.

    Attributes
    ----------
    ensemble_ : Ensemble
        The tree; with two classes it has one output, the share of the second.
    classes_ : ndarray, (n_classes,)
    feature_importances_ : ndarray of float64, (n_features,)
        Share of each feature in the gain of all splits.

    Examples
    --------
    >>> import glasswood as gw
    >>> tree = gw.TreeClassifier().fit([[0.0], [1.0], [2.0]], ["no", "no", "yes"])
    >>> tree.predict([[0.5], [3.0]]).tolist()
    ['no', 'yes']
    """

    def __init__(
        self,
        *,
        criterion: Literal["gini", "entropy"] = "gini",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_leaf: float = 0.0,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        max_leaf_nodes: int | None = None,
        ccp_alpha: float = 0.0,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.max_leaf_nodes = max_leaf_nodes
        self.ccp_alpha = ccp_alpha
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    @all_or_nothing
    def fit(self, X: Table, y: Any, sample_weight: Any = None) -> "TreeClassifier":
        """Grow the tree.

        Parameters
        ----------
        X : table
            numpy, pandas, polars, pyarrow or any object with an Arrow C stream.
        y : array of labels, (n_rows,)
        sample_weight : array, (n_rows,), optional
        """
        table = self._read_training_table(X)
        target = self._read_classes(y, table.rows.n_rows)
        weight = read_sample_weight(sample_weight, table.rows.n_rows)
        self._grow(table, target, with_class_weight(weight, self.class_weight, target, self.classes_))
        return self
