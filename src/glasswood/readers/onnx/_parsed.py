"""Parsed models: the tree ensembles of a graph, what they add up to, and how an output follows from that."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import IDENTITY, LOGIT, NO_LINK, OVA, SOFTMAX, Link
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.onnx._after import After, after_trees, link_of, shown_scores
from glasswood.readers.onnx._combine import Answer, Sums, combination
from glasswood.readers.onnx._document import Document, Node, parse_document
from glasswood.readers.onnx._trees import LEAF, OPERATORS, Trees, trees_of
from glasswood.tables import class_names

MAX_WORDS = 1 << 20  # of category sets, and of values: beyond it a file must be as large as they are
_MAX_PARTS = 1_000  # tree ensembles in one graph
_TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")


@dataclass(frozen=True, slots=True, eq=False)
class Parsed:
    """A model taken apart as far as both reading and asking need it."""

    document: Document
    node: Node  # of the trees
    trees: Trees
    scores: "Scores"
    after: After


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """A model of several tree ensembles, whose answer is a weighted sum of theirs."""

    document: Document
    parts: tuple[Parsed, ...]
    answer: Answer

    def raw(self, sums: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Raw of the sums of the ensembles."""
        total = np.broadcast_to(self.answer.shift, (len(sums[0]), len(self.answer.shift))).copy()
        for part, weights in zip(sums, self.answer.weights, strict=True):
            for j in range(part.shape[1]):
                total += part[:, j, np.newaxis] * weights[j]
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What the trees add up to: outputs, their baseline and link before the rest of the graph."""

    n_outputs: int
    kept: NDArray[np.int64]  # outputs of the trees that are outputs of the ensemble
    baseline: NDArray[np.float64]
    link: Link
    names: tuple[str, ...]


def parse(content: bytes) -> Parsed | Joint:
    """Take a model apart and find its trees."""
    document = parse_document(content)
    found = [node for node in document.nodes if node.operator in OPERATORS]
    if not found:
        first = document.nodes[0].operator[:40] if document.nodes else "nothing"
        raise UnsupportedModelError(f"its graph has no tree ensemble; it begins with {first!r}")
    if len(found) > _MAX_PARTS:
        raise UnsupportedModelError(
            f"its graph has {len(found)} tree ensembles, and glasswood reads {_MAX_PARTS} at most"
        )
    for node in found:
        if not node.inputs or not node.outputs or node.outputs[0] == "":
            raise ModelFileError(f"{node.operator} has no input or no output")
    if len(found) == 1:
        trees = trees_of(found[0])
        scores = _scores(found[0], trees)
        return Parsed(document, found[0], trees, scores, after_trees(document, found[0], scores.link, len(scores.kept)))
    parts = []
    for node in found:
        trees = trees_of(node)
        parts.append(Parsed(document, node, trees, _scores(node, trees), After(shown_scores(node), IDENTITY)))
    return Joint(document, tuple(parts), combination(document, [_sums(part) for part in parts]))


def _sums(part: Parsed) -> Sums:
    classifier = part.node.operator == "TreeEnsembleClassifier"
    n_outputs = len(part.scores.kept)
    return Sums(part.after.name, n_outputs, part.scores.link, classifier and n_outputs == 1)


def _scores(node: Node, trees: Trees) -> Scores:
    k, base = trees.n_outputs, trees.base
    if trees.transform not in _TRANSFORMS:
        raise UnsupportedModelError(f"post_transform is {trees.transform[:40]!r}, which glasswood does not know")
    if trees.aggregate not in ("SUM", "AVERAGE") and len(trees.root) > 1:
        raise UnsupportedModelError(
            f"the trees are joined by {trees.aggregate[:40]!r}, which is not a sum over trees, so it has no effects"
        )
    if not 0 < k <= MAX_WORDS:
        raise ModelFileError(f"{k} outputs are announced, more than the file could use")
    if np.any((trees.weight_output < 0) | (trees.weight_output >= k)):
        raise ModelFileError(f"a weight belongs to an output that does not exist; there are {k}")
    if not np.all(np.isfinite(trees.weight)) or not np.all(np.isfinite(base)):
        raise ModelFileError("a weight or a base value is not a finite number")
    if node.operator != "TreeEnsembleClassifier":
        if len(base) not in (0, k):
            raise UnsupportedModelError(f"{len(base)} base_values for {k} targets")
        link = link_of(trees.transform, k, classifier=False, one_score=False, all_positive=False)
        if node.operator == "TreeEnsemble" and link in (OVA, SOFTMAX):
            link = NO_LINK  # onnxruntime takes 1 for logistic and 2 for softmax, the standard the other way round
        names = ("y",) if k == 1 else tuple(f"y{j}" for j in range(k))
        return Scores(k, np.arange(k), base if len(base) else np.zeros(k), link, names)
    return _class_scores(trees, k, base)


def _class_scores(trees: Trees, k: int, base: NDArray[np.float64]) -> Scores:
    """Outputs of a classifier, as onnxruntime completes them."""
    if k < 2:
        raise UnsupportedModelError(f"a classifier of {k} classes has nothing to explain")
    names = class_names(trees.labels)
    if k > 2:
        if len(base) not in (0, k):
            raise UnsupportedModelError(f"{len(base)} base_values for {k} classes")
        link = link_of(trees.transform, k, classifier=True, one_score=False, all_positive=False)
        return Scores(k, np.arange(k), base if len(base) else np.zeros(k), link, names)
    if len(base) > 1:
        raise UnsupportedModelError(
            f"{len(base)} base_values for two classes, which onnxruntime reads in its own way; export one base value"
        )
    only_first = not np.any(trees.weight_output == 1)
    link = link_of(
        trees.transform, 2, classifier=True, one_score=only_first, all_positive=bool(np.all(trees.weight >= 0))
    )
    if only_first:  # the score of the first class stands for the second
        return Scores(1, np.zeros(1, dtype=np.int64), base if len(base) else np.zeros(1), link, names[1:])
    baseline = np.array([base[0] if len(base) else 0.0, 0.0])
    if link == OVA and not len(base) and _opposite(trees):
        return Scores(2, np.ones(1, dtype=np.int64), np.zeros(1), LOGIT, names[1:])
    return Scores(2, np.arange(2), baseline, link, names)


def _opposite(trees: Trees) -> bool:
    """Whether each leaf has one weight per class and the first is minus the second, as CatBoost writes them."""
    order = np.lexsort((trees.weight_output, trees.weight_node))
    node, output, weight = trees.weight_node[order], trees.weight_output[order], trees.weight[order]
    if len(node) % 2 or not np.array_equal(output, np.arange(len(node)) % 2):
        return False
    return np.array_equal(node[::2], node[1::2]) and np.array_equal(weight[::2], -weight[1::2])


def used_columns(parsed: Parsed) -> int:
    """Number of columns before the trees that a split needs."""
    return int(parsed.trees.feature[parsed.trees.mode != LEAF].max(initial=-1)) + 1
