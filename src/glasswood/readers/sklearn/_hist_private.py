"""Private parts of HistGradientBoosting that have no public equivalent; only this module uses them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class HistTree:
    """One tree: its node records, and the sets of its category splits."""

    nodes: NDArray[Any]  # (n_nodes,) records; a child comes after its parent
    left_sets: NDArray[np.uint32]  # (n_category_splits, 8) bit c: code c of the encoder goes left


@dataclass(frozen=True, slots=True, eq=False)
class HistInsides:
    """The fitted parts of a HistGradientBoosting model."""

    trees: tuple[HistTree, ...]  # stage by stage; within a stage one per output
    baseline: NDArray[np.float64]  # (n_outputs,)
    categories: tuple[NDArray[Any], ...]  # for each category feature what its encoder learnt


def insides(model: Any) -> HistInsides:
    """Fitted parts of `model`; the names are the same in scikit-learn 1.5 to 1.9."""
    preprocessor = model._preprocessor
    return HistInsides(
        trees=tuple(HistTree(tree.nodes, tree.raw_left_cat_bitsets) for stage in model._predictors for tree in stage),
        baseline=np.asarray(model._baseline_prediction, dtype=np.float64).ravel(),
        categories=() if preprocessor is None else tuple(preprocessor.named_transformers_["encoder"].categories_),
    )


def raw_prediction(model: Any, X: Any) -> NDArray[np.float64]:
    """Raw of a regressor; its predict has applied the inverse link, which cannot be inverted exactly."""
    return np.asarray(model._raw_predict(X), dtype=np.float64)
