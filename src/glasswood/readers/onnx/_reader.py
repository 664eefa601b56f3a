"""Reader: ONNX models with a tree ensemble → Ensemble."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import (
    LOGIT,
    NO_LINK,
    OVA,
    SOFTMAX,
    Ensemble,
    FeatureSchema,
    Label,
    Link,
    Provenance,
    build_ensemble,
    pack_set,
)
from glasswood.errors import GlasswoodError, InvalidEnsembleError, ModelFileError, UnsupportedModelError
from glasswood.readers._fingerprint import digest
from glasswood.readers.onnx._after import After, after_trees, link_of
from glasswood.readers.onnx._document import INT32, INT64, Document, Node, looks_like_onnx, parse_document
from glasswood.readers.onnx._flow import columns_before, widths
from glasswood.readers.onnx._splits import Splits, merge_chains, splits_of
from glasswood.readers.onnx._trees import LEAF, OPERATORS, Trees, trees_of
from glasswood.tables import class_names

_MAX_WORDS = 1 << 20  # of category sets, and of values: beyond it a file must be as large as they are
_TRANSFORMS = ("NONE", "LOGISTIC", "SOFTMAX", "SOFTMAX_ZERO", "PROBIT")
_WHOLE = "the model takes whole numbers; glasswood compares a fraction as it is"


@dataclass(frozen=True, slots=True, eq=False)
class Parsed:
    """A model taken apart as far as both reading and asking need it."""

    document: Document
    node: Node  # of the trees
    trees: Trees
    scores: "Scores"
    after: After


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """What the trees add up to: outputs, their baseline and link before the rest of the graph."""

    n_outputs: int
    kept: NDArray[np.int64]  # outputs of the trees that are outputs of the ensemble
    baseline: NDArray[np.float64]
    link: Link
    names: tuple[str, ...]


def recognises(content: bytes) -> bool:
    """Say whether the bytes are an ONNX model."""
    return looks_like_onnx(content)


def written(model: Any) -> bytes:
    """The bytes of a ModelProto."""
    if not hasattr(model, "SerializeToString") or not hasattr(model, "graph"):
        raise UnsupportedModelError(f"onnx's {type(model).__name__} is not a model glasswood reads; pass a ModelProto")
    return bytes(model.SerializeToString())


def fingerprint(model: Any, content: bytes) -> bytes:
    """Digest of the bytes, which are all there is."""
    return digest(content)


def read_model(model: Any, content: bytes | None = None) -> Ensemble:
    """Read a ModelProto."""
    return _read(written(model) if content is None else content, "ModelProto")


def read_file(content: bytes, name: str) -> Ensemble:
    """Read the bytes of a file; untrusted."""
    try:
        return _read(content, "onnx file")
    except GlasswoodError as error:
        kind = UnsupportedModelError if isinstance(error, UnsupportedModelError) else ModelFileError
        raise kind(f"{name}: {error}") from None


def parse(content: bytes) -> Parsed:
    """Take a model apart and find its trees."""
    document = parse_document(content)
    found = [node for node in document.nodes if node.operator in OPERATORS]
    if len(found) != 1:
        first = document.nodes[0].operator[:40] if document.nodes else "nothing"
        raise UnsupportedModelError(
            f"its graph has no tree ensemble; it begins with {first!r}"
            if not found
            else f"its graph has {len(found)} tree ensembles, and glasswood reads one; export each model by itself"
        )
    node = found[0]
    if not node.inputs or not node.outputs or node.outputs[0] == "":
        raise ModelFileError(f"{node.operator} has no input or no output")
    trees = trees_of(node)
    scores = _scores(node, trees)
    return Parsed(document, node, trees, scores, after_trees(document, node, scores.link, len(scores.kept)))


def _scores(node: Node, trees: Trees) -> Scores:
    k, base = trees.n_outputs, trees.base
    if trees.transform not in _TRANSFORMS:
        raise UnsupportedModelError(f"post_transform is {trees.transform[:40]!r}, which glasswood does not know")
    if trees.aggregate not in ("SUM", "AVERAGE") and len(trees.root) > 1:
        raise UnsupportedModelError(
            f"the trees are joined by {trees.aggregate[:40]!r}, which is not a sum over trees, so it has no effects"
        )
    if not 0 < k <= _MAX_WORDS:
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


def _read(content: bytes, kind: str) -> Ensemble:
    parsed = parse(content)
    try:
        return _assemble(parsed, kind)
    except InvalidEnsembleError as error:
        raise ModelFileError(str(error)) from error


def _assemble(parsed: Parsed, kind: str) -> Ensemble:
    document, scores, after = parsed.document, parsed.scores, parsed.after
    trees = merge_chains(parsed.trees)
    inner = trees.mode != LEAF
    flow = columns_before(document, parsed.node, int(trees.feature[inner].max(initial=-1)) + 1)
    try:
        order, tree_start = _native.preorder(trees.root, trees.true, trees.false)
    except ValueError as error:
        raise ModelFileError(f"its nodes do not form trees: {error}") from None
    used = np.zeros(len(trees.mode), dtype=bool)
    used[order] = True
    splits = splits_of(trees, flow, used)
    # a comparison that points the other way has its branches exchanged, and with them the order of its nodes
    order, tree_start = _native.preorder(trees.root, splits.left, splits.right)
    position = np.full(len(trees.mode) + 1, -1, dtype=np.int64)  # the last entry serves −1
    position[order] = np.arange(len(order))
    value, tree_output = _values(parsed, trees, order, tree_start)
    names, named = _names(document, int(trees.feature[inner].max(initial=-1)) + 1)
    category_set, set_start, set_bits = _sets(splits, order, document.n_bytes)
    factor = after.factor / (len(trees.root) if trees.aggregate == "AVERAGE" else 1)
    number = trees.number[order]
    fits = np.all((number >= 0) & (number < 2**31))
    leaf = trees.mode[order] == LEAF
    categories: list[tuple[Label, ...] | None] = [None] * len(names)
    for feature, labels in splits.categories.items():
        categories[feature] = labels
    whole = any(given.type in (INT32, INT64) for given in document.inputs)
    return build_ensemble(
        tree_start=tree_start,
        tree_output=tree_output,
        feature=splits.feature[order],
        threshold=splits.threshold[order],
        stated_threshold=np.where(np.isnan(splits.threshold), np.nan, trees.split)[order],
        left=position[splits.left[order]],
        right=position[splits.right[order]],
        missing_left=splits.missing_left[order],
        category_set=category_set,
        leaf_id=np.where(
            leaf, number if fits else position[order] - np.repeat(tree_start[:-1], np.diff(tree_start)), -1
        ),
        value=value * factor,
        set_start=set_start,
        set_bits=set_bits,
        baseline=after.raw(scores.baseline),
        link=after.link,
        features=FeatureSchema(
            names=names,
            named=named,
            categories=tuple(categories),
            coded=np.zeros(len(names), dtype=bool),
            missing_routed=np.full(len(names), trees.routes_missing),
            zero_is_missing=np.zeros(len(names), dtype=bool),
        ),
        outputs=scores.names,
        source=Provenance(
            library="ONNX",
            version=document.producer,
            model=f"{parsed.node.operator}, {kind}",
            objective=trees.transform,
            weight_kind="none",
            notes=(_WHOLE,) if whole else (),
            classes=trees.labels,
        ),
    )


def _values(
    parsed: Parsed, trees: Trees, order: NDArray[Any], tree_start: NDArray[Any]
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Value of every node, (n_nodes, width), and the output each tree adds to."""
    position = np.full(len(trees.mode), -1, dtype=np.int64)
    position[order] = np.arange(len(order))
    place = position[trees.weight_node]
    kept = np.flatnonzero(place >= 0)
    at, output, weight = place[kept], trees.weight_output[kept], trees.weight[kept]
    has = np.zeros(len(order), dtype=bool)
    has[at] = True
    if np.any(~has & (trees.mode[order] == LEAF)):
        raise ModelFileError("a leaf has no weight")
    column = np.full(parsed.scores.n_outputs, -1, dtype=np.int64)
    column[parsed.scores.kept] = np.arange(len(parsed.scores.kept))
    output = column[output]
    at, weight, output = at[output >= 0], weight[output >= 0], output[output >= 0]
    tree = np.searchsorted(tree_start, at, side="right") - 1
    first = np.full(len(tree_start) - 1, len(parsed.scores.kept), dtype=np.int64)
    last = np.full(len(tree_start) - 1, -1, dtype=np.int64)
    np.minimum.at(first, tree, output)
    np.maximum.at(last, tree, output)
    width = 1 if np.array_equal(first, last) else len(parsed.scores.kept)
    if width * len(order) > _MAX_WORDS + 4 * parsed.document.n_bytes:
        raise ModelFileError(f"{width} outputs and {len(order)} nodes are more than the file holds weights for")
    value = np.zeros((len(order), width))
    np.add.at(value, (at, output if width > 1 else np.zeros(len(at), dtype=np.int64)), weight)
    return value, np.zeros(len(first), dtype=np.int64) if width > 1 else first


def _names(document: Document, n_columns: int) -> tuple[tuple[str, ...], bool]:
    """Names of the columns: of inputs with one column each their own; else positions."""
    columns = widths(document, n_columns)
    if len(columns) > 1 and set(columns) == {1}:
        return tuple(given.name for given in document.inputs), True
    return FeatureSchema.positions(sum(columns)), False


def _sets(
    splits: Splits, order: NDArray[Any], n_bytes: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    """The set of every node that splits a category."""
    category_set = np.full(len(order), -1, dtype=np.int64)
    words, sizes = [np.zeros(0, dtype=np.uint64)], [0]
    position = np.full(int(order.max(initial=-1)) + 1, -1, dtype=np.int64)
    position[order] = np.arange(len(order))
    for node, members in splits.members.items():
        sizes.append(sizes[-1] + int(members.max()) // 64 + 1)
        if sizes[-1] > _MAX_WORDS + n_bytes:
            raise ModelFileError("its category sets are larger than the file")
        flags = np.zeros(int(members.max()) + 1, dtype=bool)
        flags[members] = True
        words.append(pack_set(flags))
        category_set[position[node]] = len(sizes) - 2
    return category_set, np.array(sizes, dtype=np.int64), np.concatenate(words)
