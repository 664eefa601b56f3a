"""BoostingClassifier: histogram boosting of classes, with credibility."""

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets

from glasswood.ensemble import largest_share
from glasswood.errors import TableError
from glasswood.estimators._base import all_or_nothing, read_target
from glasswood.estimators._boosting_base import BoostingEstimator, options_of
from glasswood.estimators._team_inputs import shared_classes
from glasswood.gpu import on_host
from glasswood.tables import Table, class_labels, class_names
from glasswood.team import ALONE, Exchange, agree
from glasswood.train.boosting import BoostingOptions


class BoostingClassifier(ClassifierMixin, BoostingEstimator):
    """Boosted trees for classes: logistic loss for two, softmax with one tree per class and round for more.

    Missing values and categories (text and category columns of a frame) are handled natively.

    Parameters
    ----------
    gain : {"newton", "cred_var", "cred_std", "welch"}
        How splits are ranked: by the decrease of the loss, or by one of the credibility rules.
    rho : float
        Power of the noise that ``welch`` divides by; 0 ranks splits by the squared error they remove.
    n_estimators : int
        Rounds (HistGradientBoosting: ``max_iter``).
    learning_rate : float
        Factor of every leaf value.
    max_depth : int, optional
        Largest number of splits between the root and a leaf; None: no limit.
    max_leaf_nodes : int, optional
        Largest number of leaves; the leaf with the largest gain is split first.
    symmetric : bool, optional
        All nodes of a level ask the same question, the one that gains most in all of them together; a node that it
        does not divide waits for the next. Such trees follow the noise of few rows less closely. By default, tables
        of fewer than 10,000 rows grow symmetric trees if ``max_depth`` is at most 8, ``max_leaf_nodes`` is None and
        ``statistics`` is "exact". With four classes or more, the trees of all classes of a round ask the same
        questions, unless a feature is monotone.
    min_samples_leaf : int
        Smallest number of rows in a leaf, whatever their weights; rows of weight 0 do not count.
    min_weight_leaf : float
        Smallest sum of weights in a leaf (XGBoost's ``min_child_weight`` sums Hessians instead).
    min_gain : float
        A split must have a larger gain than this; in a symmetric tree, the splits of a level together.
    l2 : float
        Ridge penalty of leaf values (HistGradientBoosting: ``l2_regularization``).
    max_bins : int
        Largest number of bins per feature, at most 255. With 255, up to 65,000 levels of a category are told apart;
        with less, at most `max_bins`. Of more levels the rarest share a bin, and a warning says so. More than 65,536
        levels raise `TableError`.
    subsample, colsample : float
        Share of the rows drawn per round, and of the features drawn per tree (HistGradientBoosting draws features per
        node: ``max_features``). By default every tree sees four fifths of the features.
    categorical_features : "from_dtype", list or mask, optional
        Columns to treat as categories. Columns of text or category dtype are always categories.
    monotonic_cst : mapping of names or list, optional
        1: the prediction may only increase with the feature, -1: only decrease, 0: no constraint.
    interaction_cst : list of lists, optional
        Groups of features that may be used together on a path.
    early_stopping : bool
        Stop when the first table of `eval_set` (or a share of the rows) has not improved by more than `tol` for
        `n_iter_no_change` rounds, and keep the best round.
    validation_fraction : float
        Share of the rows to set aside for early stopping. With an `eval_set`, no rows are set aside.
    n_iter_no_change, tol
        See `early_stopping`.
    metrics : list of {"accuracy", "auc"}, optional
        Metrics in `history_` beside the loss; early stopping uses the loss (HistGradientBoosting: ``scoring``).
    statistics : {"exact", "quantised"}
        How gradients are summed: exactly, or quantised to 17 bits with random rounding, which is faster. Leaf values
        are computed from unrounded numbers in both cases.
    device : {"cpu", "cuda"}
        Where trees are grown. ``"cuda"``, an NVIDIA GPU, needs ``statistics="quantised"`` and gives the CPU's bits.
    warm_start : bool
        Continue the last fit; classes, features and constraints must be the same.
    random_state : int, RandomState, Generator, optional
        Seed of the draws; by default the same in every fit. None: a new seed in every fit.
    n_jobs : int, optional
        Number of threads. The model has the same bits for any number.

    Attributes
    ----------
    ensemble_ : Ensemble
    classes_ : ndarray, (n_classes,)
    history_ : TrainingHistory
        Every metric of every table after every round.
    feature_importances_ : ndarray of float64, (n_features,)
        Share of each feature in the gain of all splits.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> gw.BoostingClassifier(n_estimators=20, max_depth=2).fit(X, y).score(X, y) > 0.95
    True
    """

    classes_: NDArray[Any]

    def __init__(
        self,
        *,
        gain: Literal["newton", "cred_var", "cred_std", "welch"] = "newton",
        rho: float = 1.0,
        n_estimators: int = 100,
        learning_rate: float = 0.1,
        max_depth: int | None = 6,
        max_leaf_nodes: int | None = None,
        symmetric: bool | None = None,
        min_samples_leaf: int = 1,
        min_weight_leaf: float = 1.0,
        min_gain: float = 0.0,
        l2: float = 1.0,
        max_bins: int = 255,
        subsample: float = 1.0,
        colsample: float = 0.8,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 0.0,
        metrics: Any = None,
        statistics: Literal["exact", "quantised"] = "exact",
        device: Literal["cpu", "cuda"] = "cpu",
        warm_start: bool = False,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.gain = gain
        self.rho = rho
        self.n_estimators = n_estimators
        self.learning_rate = learning_rate
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.symmetric = symmetric
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_leaf = min_weight_leaf
        self.min_gain = min_gain
        self.l2 = l2
        self.max_bins = max_bins
        self.subsample = subsample
        self.colsample = colsample
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.metrics = metrics
        self.statistics = statistics
        self.device = device
        self.warm_start = warm_start
        self.random_state = random_state
        self.n_jobs = n_jobs

    @all_or_nothing
    def fit(
        self,
        X: Table,
        y: Any,
        sample_weight: Any = None,
        *,
        offset: Any = None,
        eval_set: Any = None,
        row_id: Any = None,
        team: Exchange | None = None,
        progress: bool = False,
    ) -> "BoostingClassifier":
        """Fit the boosted ensemble.

        Parameters
        ----------
        X : table
            numpy, pandas, polars, pyarrow or any object with an Arrow C stream. With ``device="cuda"`` also a CuPy
            array, any other with ``__cuda_array_interface__`` or a cuDF frame of numbers, which stays on the GPU.
        y : array of labels, (n_rows,)
        sample_weight : array, (n_rows,), optional
        offset : array, (n_rows,) for two classes, else (n_rows, n_classes), optional
            Added to raw. `predict` and `predict_proba` have an `offset` of their own.
        eval_set : list of (X, y[, sample_weight[, offset]]), optional
            Tables whose metrics `history_` keeps. Early stopping uses the first of them and then ignores
            `validation_fraction`.
        row_id : array of whole numbers, (n_rows,), optional
            A unique number for each row. Rows are then drawn by this number, and the model has the same bits for any
            order of the rows; without it, rows are numbered by position.
        team : Exchange, optional
            Other processes that fit the same model, from `glasswood.team.join`. X, y, sample_weight, offset, eval_set
            and row_id are then the rows of this member; each member ends with the model of all rows, with the bits of
            a fit in one process. Without `row_id`, rows are numbered member after member.
        progress : bool
            Show a bar on stderr.
        """
        team = ALONE if team is None else team
        table = self._training_table(X, team)
        n = table.rows.n_rows
        values = agree(team, lambda: _read_classes(y, n, is_part=team.size > 1))
        classes = np.unique(values) if team.size == 1 else shared_classes(team, values)
        if not self.warm_start or not hasattr(self, "classes_"):
            self.classes_ = classes
        elif not np.array_equal(self.classes_, classes):
            raise TableError("warm_start cannot continue: y has other classes than before; set warm_start=False")
        names = class_names(self.classes_)
        options = self._options(len(names))
        self._check_team(team, options, n, eval_set, sample_weight=sample_weight, offset=offset)
        outputs = names if len(names) > 2 else names[-1:]
        self._fit(
            table,
            self._codes(values),
            options,
            outputs,
            sample_weight=sample_weight,
            offset=offset,
            eval_set=eval_set,
            row_id=row_id,
            team=team,
            progress=progress,
            classes=class_labels(self.classes_),
        )
        return self

    def predict_proba(self, X: Table, *, offset: Any = None) -> NDArray[np.float64]:
        """Predicted probability of each class, (n_rows, n_classes); `offset` is added to raw."""
        return self._shares(self._raw(X, offset))

    def predict(self, X: Table, *, offset: Any = None) -> NDArray[Any]:
        """Class with the largest probability, (n_rows,); of equal ones, the first."""
        share = self.predict_proba(X, offset=offset)  # raises if the model is not fitted
        chosen: NDArray[Any] = self.classes_[largest_share(share)]
        return chosen

    def decision_function(self, X: Table, *, offset: Any = None) -> NDArray[np.float64]:
        """Raw of each row: (n_rows,) for two classes, else (n_rows, n_classes)."""
        raw = self._raw(X, offset)
        return raw[:, 0] if raw.shape[1] == 1 else raw

    def staged_predict_proba(self, X: Table, *, offset: Any = None) -> Iterator[NDArray[np.float64]]:
        """Probabilities after every round."""
        for raw in self._staged_raw(X, offset):
            yield self._shares(raw)

    def staged_predict(self, X: Table, *, offset: Any = None) -> Iterator[NDArray[Any]]:
        """Class after every round."""
        for share in self.staged_predict_proba(X, offset=offset):
            yield self.classes_[largest_share(share)]

    def _shares(self, raw: NDArray[np.float64]) -> NDArray[np.float64]:
        share = self._inverse(raw)
        if len(self.classes_) == 2:
            return np.hstack([1.0 - share, share])
        return share if len(self.classes_) > 2 else np.ones_like(share)

    def _options(self, n_classes: int = 2) -> BoostingOptions:
        return options_of(self, loss="logistic" if n_classes <= 2 else "softmax")

    def _target(self, y: Any, n_rows: int) -> NDArray[np.float64]:
        return self._codes(read_target(on_host(y), n_rows))

    def _codes(self, values: NDArray[Any]) -> NDArray[np.float64]:
        """Number of each row's class; a single class counts as the second of two."""
        try:
            place = np.searchsorted(self.classes_, values)
        except TypeError:  # text and numbers cannot be compared
            place = np.zeros(len(values), dtype=np.intp)
        wrong = self.classes_[np.minimum(place, len(self.classes_) - 1)] != values
        if np.any(wrong):
            raise TableError(f"y has the class {values[np.argmax(wrong)]}, which training never saw")
        return np.ones(len(values)) if len(self.classes_) == 1 else place.astype(np.float64)


def _read_classes(y: Any, n_rows: int, *, is_part: bool) -> NDArray[Any]:
    values = read_target(on_host(y), n_rows)
    if is_part and n_rows:  # few rows of many classes are no sign of a regression: the other members have more of each
        some = values if values.dtype.kind == "O" else np.unique(values)
        check_classification_targets(np.tile(some, 3))
    elif n_rows:
        check_classification_targets(values)
    return values
