"""Ensemble: the flat, frozen arrays that every reader produces and every explanation uses."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from glasswood._derived import derived
from glasswood._jobs import resolve_n_jobs
from glasswood._native import Plan, Trees
from glasswood.ensemble._align import align
from glasswood.ensemble._link import Link
from glasswood.ensemble._provenance import Provenance
from glasswood.ensemble._schema import FeatureSchema
from glasswood.tables import Table

T = TypeVar("T")

# dtype of every array; kernels take exactly these and bindings refuse others
ARRAY_DTYPES: dict[str, Any] = {
    "tree_start": np.int32,
    "tree_output": np.int32,
    "feature": np.int32,
    "threshold": np.float64,
    "left": np.int32,
    "right": np.int32,
    "missing_left": np.bool_,
    "category_set": np.int32,
    "unseen_left": np.bool_,
    "leaf_id": np.int32,
    "stated_threshold": np.float64,
    "value": np.float64,
    "weight": np.float64,
    "gain": np.float64,
    "set_start": np.int64,
    "set_bits": np.uint64,
    "baseline": np.float64,
}


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True, weakref_slot=True)
class Ensemble:
    """All trees one after the other: node i is row i of every node array, and a child always comes after its parent.

    ``raw = baseline + Σ value[leaf]`` and ``prediction = inverse_link(raw)``. `build_ensemble` makes one from parts.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> ens = tree.ensemble_
    >>> ens.n_trees, ens.n_nodes, ens.feature_names
    (1, 7, ('x0', 'x1'))
    >>> ens.predict_raw(X)
    array([0., 1., 2., 6.])
    >>> ens.cut(1).predict_raw(X)
    array([0.5, 0.5, 4. , 4. ])
    """

    tree_start: NDArray[np.int32]  # (n_trees + 1,) first node of each tree, its root
    tree_output: NDArray[np.int32]  # (n_trees,) first output the tree adds to
    feature: NDArray[np.int32]  # (n_nodes,) split feature, −1 in a leaf
    threshold: NDArray[np.float64]  # (n_nodes,) the largest float64 that goes left; NaN in leaves and category splits
    left: NDArray[np.int32]  # (n_nodes,) absolute child index, −1 in a leaf
    right: NDArray[np.int32]  # (n_nodes,)
    missing_left: NDArray[np.bool_]  # (n_nodes,) where a missing value goes
    category_set: NDArray[np.int32]  # (n_nodes,) −1, or the index of the set whose members go left
    unseen_left: NDArray[np.bool_]  # (n_nodes,) where a category the model has never seen goes
    leaf_id: NDArray[np.int32]  # (n_nodes,) the source's number of the leaf, −1 in inner nodes
    stated_threshold: NDArray[np.float64]  # (n_nodes,) the threshold as the source states it, for labels only
    value: NDArray[np.float64]  # (n_nodes, width) what a leaf adds to raw; in inner nodes the mean of their leaves
    weight: NDArray[np.float64]  # (n_nodes,) training mass; NaN if the model has none
    gain: NDArray[np.float64]  # (n_nodes,) split gain; NaN where unknown
    set_start: NDArray[np.int64]  # (n_sets + 1,) first word of each category set
    set_bits: NDArray[np.uint64]  # bit c of a set: code c goes left
    baseline: NDArray[np.float64]  # (n_outputs,) added once
    link: Link
    features: FeatureSchema
    outputs: tuple[str, ...]
    source: Provenance
    _derived: dict[str, Any] = field(default_factory=dict, init=False)  # values that `_cached` keeps

    @property
    def n_trees(self) -> int:
        """Number of trees."""
        return len(self.tree_output)

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.feature < 0))

    @property
    def n_outputs(self) -> int:
        """Number of columns of raw."""
        return len(self.baseline)

    @property
    def feature_names(self) -> tuple[str, ...]:
        """Names of the features, in the model's order."""
        return self.features.names

    def predict_raw(self, X: Table, *, n_jobs: int | None = None) -> NDArray[np.float64]:
        """Sum of the baseline and the leaf values, before the link.

        Parameters
        ----------
        X : table
            numpy, pandas, polars, pyarrow or any object with an Arrow C stream.
        n_jobs : int, optional
            Threads; None is 1, −1 all cores. The result has the same bits for any number.

        Returns
        -------
        ndarray of float64, (n_rows,) for one output, else (n_rows, n_outputs)

        Examples
        --------
        >>> import glasswood as gw
        >>> from sklearn.tree import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
        >>> gw.read(tree).predict_raw(np.array([[0.5], [2.0]]))
        array([1., 4.])
        """
        raw = self._raw(X, n_jobs)
        return raw[:, 0] if self.n_outputs == 1 else raw

    def predict(self, X: Table, *, n_jobs: int | None = None) -> NDArray[np.float64]:
        """Prediction: the inverse link of raw, in the same shape (two classes: probability of the second).

        Examples
        --------
        >>> import glasswood as gw
        >>> from sklearn.ensemble import RandomForestClassifier
        >>> X, y = np.arange(8.0).reshape(-1, 1), [0, 0, 0, 0, 1, 1, 1, 1]
        >>> forest = RandomForestClassifier(10, random_state=0).fit(X, y)
        >>> gw.read(forest).predict(np.array([[0.0], [7.0]]))
        array([0., 1.])
        """
        source = self.source
        prediction = self.link.inverse(self._raw(X, n_jobs), objective=source.objective, notes=source.notes)
        return prediction[:, 0] if self.n_outputs == 1 else prediction

    def apply(self, X: Table, *, n_jobs: int | None = None) -> NDArray[np.int32]:
        """The leaf each row reaches in each tree, numbered as the source library numbers its leaves, if it does.

        Returns
        -------
        ndarray of int32, (n_rows, n_trees)

        Examples
        --------
        >>> import glasswood as gw
        >>> from sklearn.tree import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 4.0])
        >>> gw.read(tree).apply(np.array([[0.0], [2.0]])).ravel()
        array([1, 4], dtype=int32)
        """
        rows = align(X, self.features)
        return self._plan().apply(rows.data, resolve_n_jobs(n_jobs))

    def cut(self, depth: int) -> Ensemble:
        """Truncate every tree at a depth (the root has depth 0); the tree is not refitted.

        Examples
        --------
        >>> import glasswood as gw
        >>> from sklearn.tree import DecisionTreeRegressor
        >>> tree = DecisionTreeRegressor().fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
        >>> gw.read(tree).cut(0).predict_raw(np.array([[2.0]]))
        array([3.])
        """
        from glasswood.ensemble._cut import cut

        return cut(self, depth)

    def save(self, path: str | Path) -> None:
        """Write the ensemble to one versioned, checksummed file; `glasswood.load` reads it back."""
        from glasswood.ensemble._file import save

        save(self, path)

    def _validate(self) -> None:
        """Raise `InvalidEnsembleError` that names the first broken invariant."""
        from glasswood.ensemble._validate import validate

        validate(self)

    def _trees(self) -> Trees:
        """The arrays as kernels take them."""
        return self._cached("trees", _kernel_trees)

    def _plan(self) -> Plan:
        """The trees compiled for prediction."""
        return self._cached("plan", _plan)

    def _cached(self, name: str, make: Callable[[Ensemble], T]) -> T:
        """What `make` derives from the model; computed when first asked for, then kept under `name`."""
        return derived(self._derived, name, lambda: make(self))

    def _with_source(self, source: Provenance) -> Ensemble:
        """The same model with another provenance; derived values are shared."""
        other = dataclasses.replace(self, source=source)
        object.__setattr__(other, "_derived", self._derived)
        return other

    def _with_features(self, features: FeatureSchema) -> Ensemble:
        """The same trees with another schema; compiled values are kept if only names and labels differ."""
        if features == self.features:
            return self
        other = dataclasses.replace(self, features=features)
        if self.features.same_to_kernels(features):
            other._derived.update({name: self._derived[name] for name in _COMPILED if name in self._derived})
        return other

    def _arrays(self) -> dict[str, NDArray[Any]]:
        """Every array by its field name."""
        return {name: getattr(self, name) for name in ARRAY_DTYPES}

    def _raw(self, X: Table, n_jobs: int | None) -> NDArray[np.float64]:
        rows = align(X, self.features)
        return self._plan().predict_raw(rows.data, resolve_n_jobs(n_jobs))

    def __eq__(self, other: object) -> bool:
        """Compare the model bit by bit, without its provenance."""
        if not isinstance(other, Ensemble):
            return NotImplemented
        if (self.link, self.outputs, self.features) != (other.link, other.outputs, other.features):
            return False
        mine, theirs = self._arrays(), other._arrays()
        return all(np.array_equal(mine[name], theirs[name], equal_nan=mine[name].dtype.kind == "f") for name in mine)

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in dataclasses.fields(self) if f.init}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, part in state.items():
            object.__setattr__(self, name, part)
            if name in ARRAY_DTYPES:
                part.flags.writeable = False  # pickle and copy give writable arrays
        self.features.freeze()
        object.__setattr__(self, "_derived", {})

    def __repr__(self) -> str:
        from glasswood.ensemble._describe import describe_text

        return describe_text(self)

    def _repr_html_(self) -> str:
        from glasswood.ensemble._describe import describe_html

        return describe_html(self)


_COMPILED = ("trees", "plan")  # made by kernels, which use neither names nor labels
_KERNEL_ARRAYS = tuple(name for name in ARRAY_DTYPES if name not in ("stated_threshold", "weight", "gain"))


def _kernel_trees(ensemble: Ensemble) -> Trees:
    ensemble._validate()  # kernels do not check their input, and any code may have made this object
    return Trees(
        **{name: getattr(ensemble, name) for name in _KERNEL_ARRAYS},
        n_levels=ensemble.features.n_levels,
        zero_is_missing=ensemble.features.zero_is_missing,
    )


def _plan(ensemble: Ensemble) -> Plan:
    return Plan(ensemble._trees())
