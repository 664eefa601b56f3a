"""After: what the graph does with the sum over the trees: a factor, a shift, a link, and names for the classes."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glasswood._elementary import log
from glasswood.ensemble import IDENTITY, LOG, LOGIT, NO_LINK, OVA, SOFTMAX, Link
from glasswood.errors import UnsupportedModelError
from glasswood.readers.onnx._document import Document, Node

_SAME = ("Identity", "Cast", "Reshape", "Flatten", "Squeeze", "Unsqueeze")
_ARITHMETIC = ("Add", "Sub", "Mul", "Div")


@dataclass(frozen=True, slots=True, eq=False)
class After:
    """How an output of the graph follows from the sum: link of (sum·factor + shift)."""

    name: str  # of the value in the graph
    link: Link
    factor: float = 1.0
    shift: float = 0.0

    def raw(self, total: NDArray[np.float64]) -> NDArray[np.float64]:
        """Raw of a sum over the trees."""
        return total if (self.factor, self.shift) == (1.0, 0.0) else total * self.factor + self.shift


def after_trees(document: Document, trees: Node, link: Link, n_outputs: int) -> After:
    """Follow the sum over the trees to an output of the graph."""
    scores = shown_scores(trees)
    known, lost, zipped = {scores: After(scores, link)}, dict[str, str](), dict[str, After]()
    for node in document.nodes:
        given = [name for name in node.inputs if name in known or name in lost]
        if not given or not node.outputs:
            continue
        found = _through(document, node, known, n_outputs) if len(given) == 1 and given[0] in known else None
        if node.operator == "ZipMap" and given[0] in known:
            zipped[node.outputs[0]] = known[given[0]]
        elif found is not None:
            known[node.outputs[0]] = found
        else:
            lost.update(dict.fromkeys(node.outputs, node.operator))
    ends = [known.get(name) or zipped.get(name) for name in document.outputs]
    reached = [end for end in ends if end is not None]
    if reached:
        return reached[-1]
    operator = next((lost[name] for name in reversed(document.outputs) if name in lost), None)
    raise UnsupportedModelError(
        "no output of the model shows the trees' answer"
        if operator is None
        else f"the operator {operator!r} stands after the trees, which glasswood does not read; export the tree model "
        "alone, or read the model from the library that trained it"
    )


def shown_scores(trees: Node) -> str:
    """Name of the value that shows the sum over the trees."""
    scores = "".join(trees.outputs[1:2]) if trees.operator == "TreeEnsembleClassifier" else trees.outputs[0]
    if not scores:
        raise UnsupportedModelError("the classifier gives labels only; export it with its probabilities")
    return scores


def _through(document: Document, node: Node, known: dict[str, After], n_outputs: int) -> After | None:
    """The value after one operator, None where it is not one that is read."""
    name = next(name for name in node.inputs if name in known)
    before = replace(known[name], name=node.outputs[0])
    plain = before.link == IDENTITY
    match node.operator:
        case operator if operator in _SAME:
            return before
        case "Exp" if plain:
            return replace(before, link=LOG)
        case "Sigmoid" if plain:
            return replace(before, link=LOGIT if n_outputs == 1 else OVA)
        case "Softmax" if plain and n_outputs > 1:
            return replace(before, link=SOFTMAX)
        case operator if operator in _ARITHMETIC and len(node.inputs) == 2:
            return _with_constant(document, node, name, before)
    return None


def _with_constant(document: Document, node: Node, name: str, before: After) -> After | None:
    """The sum with one number added or multiplied; after an exponential a factor is a shift of raw."""
    first = node.inputs[0] == name
    constant = document.constant(node.inputs[1 if first else 0])
    if constant is None or constant.size != 1 or constant.dtype.kind != "f":
        return None
    number = float(constant.astype(np.float64).ravel()[0])
    if not np.isfinite(number) or (node.operator in ("Mul", "Div") and number == 0):
        return None
    match node.operator:
        case "Mul" if before.link == IDENTITY:
            return replace(before, factor=before.factor * number, shift=before.shift * number)
        case "Div" if before.link == IDENTITY and first:
            return replace(before, factor=before.factor / number, shift=before.shift / number)
        case "Add" if before.link == IDENTITY:
            return replace(before, shift=before.shift + number)
        case "Sub" if before.link == IDENTITY and first:
            return replace(before, shift=before.shift - number)
        case "Mul" if before.link == LOG and number > 0:
            return replace(before, shift=before.shift + float(log(np.array([number]))[0]))
    return None


def link_of(transform: str, n_outputs: int, *, classifier: bool, one_score: bool, all_positive: bool) -> Link:
    """The link that onnxruntime applies for `post_transform`.

    It is not always the one the attribute names: one target is left as it is unless by PROBIT, and the single score of
    two classes without a logistic function is a share where no weight is negative.
    """
    if transform in ("PROBIT", "SOFTMAX_ZERO"):
        return NO_LINK if transform == "PROBIT" or n_outputs > 1 else IDENTITY
    if classifier and one_score:
        if transform == "LOGISTIC":
            return LOGIT
        return IDENTITY if all_positive else NO_LINK
    if n_outputs == 1:
        return IDENTITY
    return {"NONE": IDENTITY, "LOGISTIC": OVA, "SOFTMAX": SOFTMAX}[transform]
