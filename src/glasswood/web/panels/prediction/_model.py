"""The model for the page: trees in whole numbers, so that the page can predict and explain a changed row offline.

Rows and splits are compared by their cells, as in the tree panel (decision 0061); `static/panels/prediction_model.js`
evaluates the trees.
"""

from collections.abc import Collection
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import ZERO, AlignedRows, Ensemble
from glasswood.web.page._text import edge, number
from glasswood.web.panels._dates import date_text
from glasswood.web.panels.tree._plane import Plane
from glasswood.web.panels.tree._view import splits_to_dict

MAX_NODES = 60_000  # with more nodes, the trees would not fit into a page


def model_to_dict(ensemble: Ensemble, plane: Plane) -> dict[str, Any] | None:
    """JSON-ready: splits of the inner nodes and values of the leaves, tree after tree; None if there are too many.

    `left` and `right` say how many positions after its parent a child is stored; `left` is empty if that is always one.
    """
    if ensemble.n_nodes > MAX_NODES:
        return None
    inner = np.flatnonzero(ensemble.feature >= 0)
    splits = splits_to_dict(ensemble, plane)
    return {
        "start": ensemble.tree_start.tolist(),
        "output": ensemble.tree_output.tolist(),
        "feature": splits["feature"],
        "cut": [splits["cut"][node] for node in inner.tolist()],
        "levels": splits["levels"],
        "left": [] if bool((ensemble.left[inner] == inner + 1).all()) else (ensemble.left[inner] - inner).tolist(),
        "right": (ensemble.right[inner] - inner).tolist(),
        "missing": "".join(map(str, ensemble.missing_left[inner].astype(int).tolist())),
        "value": ensemble.value[ensemble.feature < 0].ravel().tolist(),
        "width": int(ensemble.value.shape[1]),
        "baseline": ensemble.baseline.tolist(),
    }


def cells_of(plane: Plane, ensemble: Ensemble, table: AlignedRows) -> NDArray[np.int64]:
    """Cell of every row in every feature of the plane, (n_rows, n_features); −1 is missing."""
    found = np.empty((table.n_rows, len(plane.features)), dtype=np.int64)
    for k, feature in enumerate(plane.features):
        values, levels = table.column(feature), ensemble.features.categories[feature]
        if levels is not None:
            found[:, k] = np.where(values < 0, -1, np.minimum(values, len(levels)))
        else:
            numbers = values.astype(np.float64)
            found[:, k] = np.where(np.isnan(numbers), -1, np.searchsorted(plane.cuts[feature], numbers, side="left"))
    return found


def features_to_dict(
    plane: Plane, ensemble: Ensemble, missing: NDArray[np.bool_], dates: Collection[str] = ()
) -> list[dict[str, Any]]:
    """JSON-ready: name and texts of the cells of each feature; `missing`: some row lacks a value."""
    return [
        _feature_to_dict(plane, ensemble, feature, bool(missing[k]), ensemble.feature_names[feature] in dates)
        for k, feature in enumerate(plane.features)
    ]


def _feature_to_dict(plane: Plane, ensemble: Ensemble, feature: int, missing: bool, is_date: bool) -> dict[str, Any]:
    levels, name = ensemble.features.categories[feature], ensemble.feature_names[feature]
    if levels is not None:
        return {"name": name, "kind": "category", "levels": [str(level) for level in levels], "missing": missing}
    # no number is above a threshold at infinity, which only tests whether the value is missing
    cuts = plane.cuts[feature][plane.cuts[feature] < np.inf].tolist()
    if is_date:
        texts = [date_text(cut) for cut in cuts]
    else:
        gaps = [np.inf, *(high - low for low, high in pairwise(cuts)), np.inf]
        texts = [edge(cut, min(gaps[k : k + 2])) if np.isfinite(cut) else number(cut) for k, cut in enumerate(cuts)]
    # the exact thresholds, with which the page compares a value that somebody types
    exact = [cut if np.isfinite(cut) else -float(np.finfo(np.float64).max) for cut in cuts]
    return {
        "name": name,
        "kind": "date" if is_date else "number",
        "edges": texts,
        "cuts": [int(cut) if cut.is_integer() and abs(cut) < 2**53 else cut for cut in exact],
        "missing": missing,
        # numbers as close to 0 as this count as missing
        **({"zero": ZERO} if ensemble.features.zero_is_missing[feature] else {}),
    }
