"""SirusClassifier and SirusRegressor: a short, stable list of rules from a forest on quantile splits."""

import dataclasses
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import seed_of
from glasswood._powers import power_of, times_power
from glasswood._progress import Progress
from glasswood.ensemble import AlignedRows, Ensemble, align
from glasswood.errors import OptionError, warn
from glasswood.estimators._base import (
    EnsembleClassifier,
    EnsembleEstimator,
    EnsembleRegressor,
    all_or_nothing,
    read_numbers,
    read_sample_weight,
    with_class_weight,
)
from glasswood.explain.rules import (
    PathCounts,
    RuleOptions,
    RulePrefixes,
    RuleSet,
    RuleTarget,
    count_paths,
    expected_stability,
    fit_rules,
    grown_grid,
    rule_prefixes,
    warn_if_empty,
)
from glasswood.tables import Table, frame_kind
from glasswood.train import Target, TrainingTable
from glasswood.train.forest import ForestOptions, grow_forest

_STABLE = 0.95  # expected share of common paths at which "auto" stops (1 − α of the papers)
_AUTO_TREES = (500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingData:
    """Training data after reading and checking."""

    table: TrainingTable
    target: Target
    rule_target: RuleTarget
    weight: NDArray[np.float64] | None
    criterion: Literal["squared_error", "gini"]

    @property
    def exponent(self) -> int:
        """Power of two by which `row_weight` is scaled."""
        return 0 if self.weight is None else power_of(self.weight)

    @property
    def row_weight(self) -> NDArray[np.float64]:
        """Weights of the rows, scaled to an ordinary size; 1 if none are given."""
        return np.ones(self.table.rows.n_rows) if self.weight is None else times_power(self.weight, -self.exponent)


class _Sirus(EnsembleEstimator):
    """What both estimators have in common: steps 1 to 6 of SIRUS."""

    rules_: RuleSet
    forest_: Ensemble
    n_estimators_: int

    n_estimators: int | Literal["auto"]
    p0: float
    max_rules: int
    n_quantiles: int
    max_depth: int | None
    max_features: int | float | Literal["sqrt", "log2"] | None
    bootstrap: bool
    random_state: Any

    def _read(self, X: Table, y: Any, sample_weight: Any) -> TrainingData:
        raise NotImplementedError

    def _options(self, seed: int) -> RuleOptions:
        l2 = getattr(self, "l2", None)
        return RuleOptions(p0=self.p0, max_rules=self.max_rules, l2=l2, seed=seed, n_jobs=self.n_jobs)

    def _fit_rules(self, X: Table, y: Any, sample_weight: Any, progress: bool) -> None:
        seed = seed_of(self.random_state)
        options = self._options(seed)
        data = self._read(X, y, sample_weight)
        n_steps = self.n_estimators + 2 if isinstance(self.n_estimators, int | np.integer) else None
        with Progress("rules", n_steps, show=progress) as bar:
            counts = self._count(data, seed, bar)
            self.rules_ = fit_rules(
                counts,
                data.table.rows,
                data.rule_target,
                data.row_weight,
                options,
                exponent=data.exponent,
                kind=frame_kind(X),
            )
            bar.step()
        warn_if_empty(self.rules_, self.p0)
        rules = self.rules_.ensemble()
        classes = self.forest_.source.classes
        self.ensemble_ = rules._with_source(dataclasses.replace(rules.source, classes=classes))
        self.n_estimators_ = counts.n_trees

    def _prefixes(self, X: Table, y: Any, sample_weight: Any, others: Table) -> RulePrefixes:
        """What the first k rules of the list predict for other rows, for every k."""
        seed = seed_of(self.random_state)
        data = self._read(X, y, sample_weight)
        return rule_prefixes(
            self._count(data, seed, Progress("rules", None, show=False)),
            data.table.rows,
            data.rule_target,
            data.row_weight,
            align(others, data.table.features),
            self._options(seed),
            n_quantiles=self.n_quantiles,
        )

    def _count(self, data: TrainingData, seed: int, bar: Progress) -> PathCounts:
        """Grow the forest and count its paths; with "auto", grow more trees until the selection is stable."""
        auto = self.n_estimators == "auto"
        if isinstance(self.n_estimators, str) and not auto:
            raise OptionError(f'n_estimators must be a whole number or "auto"; got {self.n_estimators!r}')
        n_features = len(data.table.features)
        for n_trees in _AUTO_TREES if auto else (self.n_estimators,):
            options = ForestOptions(
                criterion=data.criterion,
                n_estimators=n_trees,  # type: ignore[arg-type]
                splits="quantile",
                n_quantiles=self.n_quantiles,
                max_depth=self.max_depth,
                max_features=max(1, n_features // 3) if self.max_features is None else self.max_features,
                bootstrap=self.bootstrap,
                needs_gain=True,
            )
            self.forest_ = self._grow(data, options, seed, bar)
            grid = grown_grid(self.forest_, data.table.rows, data.rule_target.place, data.row_weight)
            counts = count_paths(self.forest_, grid, None)
            bar.step()
            if not auto or expected_stability(counts.count, counts.n_trees, self.p0) >= _STABLE:
                return counts
        warn(f"the selection of paths is not stable after {counts.n_trees:,} trees; using them anyway")
        return counts

    def _grow(self, data: TrainingData, options: ForestOptions, seed: int, bar: Progress) -> Ensemble:
        """Grow on columns in the order of their names, so that the order in the table does not matter."""
        table, features = data.table, data.table.features
        if features.named:
            order = np.array(sorted(range(len(features)), key=lambda f: features.names[f]), dtype=np.int32)
            table = _in_order(table, order)
        forest = grow_forest(
            table,
            data.target,
            data.weight,
            options,
            seed=seed,
            source=self._source(options.criterion),
            on_trees=bar.step,
            n_jobs=self.n_jobs,
        )
        if not features.named:
            return forest
        feature = np.where(forest.feature < 0, -1, order[forest.feature]).astype(np.int32)
        return dataclasses.replace(forest, feature=feature, features=features)


def _in_order(table: TrainingTable, order: NDArray[np.int32]) -> TrainingTable:
    features = table.features
    moved = dataclasses.replace(
        features,
        names=tuple(features.names[f] for f in order),
        categories=tuple(features.categories[f] for f in order),
        **{name: getattr(features, name)[order] for name in ("coded", "missing_routed", "zero_is_missing")},
    )
    columns = [table.rows.stored(f) for f in order.tolist()]
    return TrainingTable(features=moved, rows=AlignedRows(table.rows.n_rows, columns))


class SirusRegressor(_Sirus, EnsembleRegressor):
    """Rules for a number: the frequent paths of a forest on quantile splits, weighted by non-negative ridge.

    After Bénard, Biau, Da Veiga, Scornet: Interpretable Random Forests via Rule Extraction (AISTATS 2021).

    Parameters
    ----------
    n_estimators : int or "auto"
        Number of trees; "auto" adds trees until two forests are expected to share 95 % of their selected paths.
    p0 : float
        A path becomes a rule if more than this share of the trees has it.
    max_rules : int
        Largest number of rules.
    n_quantiles : int
        Number of quantiles that thresholds are taken from, at most 255.
    max_depth : int, optional
        Depth of the trees, and therefore the largest number of conditions of a rule; None: no limit.
    max_features : int, float, "sqrt" or "log2", optional
        Number of features drawn at each node; None draws a third of them.
    bootstrap : bool
        Draw rows with replacement for each tree.
    l2 : float, optional
        Penalty on the squared weights of the rules; None chooses it by 10-fold cross-validation.
    random_state : int, RandomState, Generator, optional
        Seed of the draws.
    n_jobs : int, optional
        Number of threads. The model has the same bits for any number.

    Attributes
    ----------
    rules_ : RuleSet
    ensemble_ : Ensemble
        The rules as trees, one tree per rule; it gives the prediction.
    forest_ : Ensemble
        The forest from which the rules were taken.
    n_estimators_ : int
        Number of trees of the forest.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.datasets import load_diabetes
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True, scaled=False)
    >>> sirus = gw.SirusRegressor(300, max_rules=10, random_state=0).fit(X, y)
    >>> sirus.rules_[0].to_text(), sirus.score(X, y) > 0.4
    ('bmi <= 26.9', True)
    """

    def __init__(
        self,
        n_estimators: int | Literal["auto"] = 1000,
        *,
        p0: float = 0.01,
        max_rules: int = 25,
        n_quantiles: int = 10,
        max_depth: int | None = 2,
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        bootstrap: bool = True,
        l2: float | None = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.p0 = p0
        self.max_rules = max_rules
        self.n_quantiles = n_quantiles
        self.max_depth = max_depth
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.l2 = l2
        self.random_state = random_state
        self.n_jobs = n_jobs

    @all_or_nothing
    def fit(self, X: Table, y: Any, sample_weight: Any = None, *, progress: bool = False) -> "SirusRegressor":
        """Find the rules.

        Parameters
        ----------
        X : table
            numpy, pandas, polars, pyarrow or any object with an Arrow C stream.
        y : array of numbers, (n_rows,)
        sample_weight : array, (n_rows,), optional
        progress : bool
            Show a bar on stderr, with a step for each tree, one for counting paths and one for fitting the rules; with
            "auto", trees are grown and paths counted several times.
        """
        self._fit_rules(X, y, sample_weight, progress)
        return self

    def _read(self, X: Table, y: Any, sample_weight: Any) -> TrainingData:
        table = self._read_training_table(X)
        target = read_numbers(y, table.rows.n_rows)
        weight = read_sample_weight(sample_weight, table.rows.n_rows)
        row_weight = np.ones(table.rows.n_rows) if weight is None else times_power(weight, -power_of(weight))
        rule_target = RuleTarget.of_numbers(target.y, row_weight, target.outputs)
        return TrainingData(table, target, rule_target, weight, "squared_error")


class SirusClassifier(_Sirus, EnsembleClassifier):
    """Rules for classes: the frequent paths of a forest on quantile splits; the prediction is their mean.

    After Bénard, Biau, Da Veiga, Scornet: SIRUS: Stable and Interpretable RUle Set for classification (EJS 2021).

    Parameters
    ----------
    n_estimators : int or "auto"
        Number of trees; "auto" adds trees until two forests are expected to share 95 % of their selected paths.
    p0 : float
        A path becomes a rule if more than this share of the trees has it.
    max_rules : int
        Most rules that are kept.
    Largest number of rules.
        Number of quantiles that thresholds are taken from, at most 255.
    max_depth : int, optional
        Depth of the trees, so the most conditions of a rule; None: no limit.
    Depth of the trees, and therefore the largest number of conditions of a rule; None: no limit.
        Features drawn at each node; None: a third of them.
    Number of features drawn at each node; None draws a third of them.
        Draw rows with replacement for each tree.
    class_weight : dict or "balanced", optional
        Weights of the classes.
    random_state : int, RandomState, Generator, optional
        Seed of the draws.
    n_jobs : int, optional
        Number of threads. The model has the same bits for any number.

    Attributes
    ----------
    rules_ : RuleSet
    classes_ : ndarray, (n_classes,)
    ensemble_ : Ensemble
        The rules as trees, one tree per rule; it gives the prediction.
    forest_ : Ensemble
        The forest from which the rules were taken.
    n_estimators_ : int
        Number of trees of the forest.

    Examples
    --------
    >>> import glasswood as gw
    >>> from glasswood.data import load_titanic
    >>> passengers = load_titanic("pandas")
    >>> sirus = gw.SirusClassifier(300, max_rules=5, random_state=0)
    >>> sirus = sirus.fit(passengers[["pclass", "sex", "age", "fare"]], passengers["survived"].astype(int))
    >>> sirus.rules_[0].to_text()
    'sex in {male}'
    """

    def __init__(
        self,
        n_estimators: int | Literal["auto"] = 1000,
        *,
        p0: float = 0.01,
        max_rules: int = 25,
        n_quantiles: int = 10,
        max_depth: int | None = 2,
        max_features: int | float | Literal["sqrt", "log2"] | None = None,
        bootstrap: bool = True,
        class_weight: Any = None,
        random_state: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_estimators = n_estimators
        self.p0 = p0
        self.max_rules = max_rules
        self.n_quantiles = n_quantiles
        self.max_depth = max_depth
        self.max_features = max_features
        self.bootstrap = bootstrap
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    @all_or_nothing
    def fit(self, X: Table, y: Any, sample_weight: Any = None, *, progress: bool = False) -> "SirusClassifier":
        """Find the rules.

        Parameters
        ----------
        X : table
            numpy, pandas, polars, pyarrow or any object with an Arrow C stream.
        y : array of labels, (n_rows,)
        sample_weight : array, (n_rows,), optional
        progress : bool
            Show a bar on stderr, with a step for each tree, one for counting paths and one for fitting the rules; with
            "auto", trees are grown and paths counted several times.
        """
        self._fit_rules(X, y, sample_weight, progress)
        return self

    def _read(self, X: Table, y: Any, sample_weight: Any) -> TrainingData:
        table = self._read_training_table(X)
        target = self._read_classes(y, table.rows.n_rows)
        weight = read_sample_weight(sample_weight, table.rows.n_rows)
        weight = with_class_weight(weight, self.class_weight, target, self.classes_)
        rule_target = RuleTarget.of_classes(target.labels, target.classes)
        return TrainingData(table, target, rule_target, weight, "gini")
