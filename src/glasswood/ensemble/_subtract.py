"""subtract: raw of one ensemble minus raw of another, as an ensemble."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._build import build_ensemble
from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._link import IDENTITY
from glasswood.ensemble._place import Place, placed
from glasswood.ensemble._provenance import Provenance
from glasswood.ensemble._schema import FeatureSchema
from glasswood.ensemble._unite import unite
from glasswood.errors import UnsupportedModelError

_OBJECTIVE = "difference of raw"


def is_difference(ensemble: Ensemble) -> bool:
    """Whether the ensemble is the difference of two models, which predicts no target."""
    return ensemble.source.library == "glasswood" and ensemble.source.objective == _OBJECTIVE


def subtract(a: Ensemble, b: Ensemble) -> Ensemble:
    """Trees of both, those of b with negated leaves; raw is raw of a minus raw of b.

    The trees alternate, so that equal trees cancel before anything is rounded.
    """
    schema, (place_a, place_b) = unite(a, b)
    outputs = _outputs(a, b)
    width = _width(a, b, outputs)
    parts = [_moved(a, place_a, schema, np.arange(a.n_outputs), width, 1.0)]
    parts.append(_moved(b, place_b, schema, outputs, width, -1.0))
    arrays = _alternate(*parts)
    baseline = a.baseline.copy()
    baseline[outputs] -= b.baseline
    kinds = {a.source.weight_kind, b.source.weight_kind}
    source = Provenance(
        library="glasswood",
        version="",
        model=f"difference of {a.source.model} and {b.source.model}",
        objective=_OBJECTIVE,
        weight_kind=a.source.weight_kind if len(kinds) == 1 else "weights",
    )
    return build_ensemble(**arrays, baseline=baseline, features=schema, link=IDENTITY, outputs=a.outputs, source=source)


def _outputs(a: Ensemble, b: Ensemble) -> NDArray[np.int64]:
    """Output of a for each output of b."""
    if a.n_outputs == b.n_outputs == 1:
        return np.zeros(1, dtype=np.int64)
    if sorted(a.outputs) != sorted(b.outputs) or len(set(a.outputs)) < a.n_outputs:
        raise UnsupportedModelError(
            f"the models have other outputs: {', '.join(a.outputs)} and {', '.join(b.outputs)}; outputs are matched by "
            "name"
        )
    return np.array([a.outputs.index(name) for name in b.outputs], dtype=np.int64)


def _width(a: Ensemble, b: Ensemble, outputs: NDArray[np.int64]) -> int:
    """Outputs that a tree of the difference adds to: all, unless both models have the same fewer ones."""
    width = int(a.value.shape[1])
    if width != b.value.shape[1] or (width > 1 and np.any(np.diff(outputs) != 1)):
        return a.n_outputs
    return width


def _moved(
    model: Ensemble, place: Place, schema: FeatureSchema, outputs: NDArray[np.int64], width: int, sign: float
) -> dict[str, NDArray[Any]]:
    """Arrays of a model with the features, levels and outputs of the difference."""
    arrays = model._arrays()
    del arrays["baseline"]
    value = sign * model.value
    if model.value.shape[1] == width and (width == 1 or np.all(np.diff(outputs) == 1)):
        tree_output = outputs[model.tree_output] if len(model.tree_output) else model.tree_output
    else:
        wide = np.zeros((model.n_nodes, width))
        first = np.repeat(model.tree_output, np.diff(model.tree_start))
        for column in range(model.value.shape[1]):
            wide[np.arange(model.n_nodes), outputs[first + column]] = value[:, column]
        value, tree_output = wide, np.zeros(model.n_trees, dtype=np.int64)
    return arrays | {"value": value, "tree_output": tree_output} | placed(model, place, schema)


def _alternate(a: dict[str, NDArray[Any]], b: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """Arrays of both, with their trees in turn."""
    n_nodes, n_sets = len(a["feature"]), len(a["set_start"]) - 1
    moved = {
        "left": np.where(b["left"] >= 0, b["left"] + n_nodes, -1),
        "right": np.where(b["right"] >= 0, b["right"] + n_nodes, -1),
        "category_set": np.where(b["category_set"] >= 0, b["category_set"] + n_sets, -1),
        "tree_start": b["tree_start"][1:] + n_nodes,
        "set_start": b["set_start"][1:] + a["set_start"][-1],
    }
    both = {name: np.concatenate([array, moved.get(name, b[name])]) for name, array in a.items()}
    n_a, n_b = len(a["tree_output"]), len(b["tree_output"])
    order = np.argsort(np.concatenate([2 * np.arange(n_a), 2 * np.arange(n_b) + 1]), kind="stable")
    size = np.diff(both["tree_start"])[order]
    start = np.concatenate([[0], np.cumsum(size)])
    nodes = np.repeat(both["tree_start"][:-1][order] - start[:-1], size) + np.arange(start[-1])
    place = np.empty(len(nodes), dtype=np.int64)
    place[nodes] = np.arange(len(nodes))
    found = {}
    for name, array in both.items():
        if name in ("left", "right"):
            child = array[nodes]
            found[name] = np.where(child >= 0, place[child], -1)
        elif name == "tree_start":
            found[name] = start
        else:
            found[name] = array if name.startswith("set_") else array[order if name == "tree_output" else nodes]
    return found
