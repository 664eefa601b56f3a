"""Reader: ONNX models with a tree ensemble → Ensemble."""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood.ensemble import (
    Ensemble,
    FeatureSchema,
    Label,
    Provenance,
    build_ensemble,
    join,
    pack_set,
)
from glasswood.errors import GlasswoodError, InvalidEnsembleError, ModelFileError, UnsupportedModelError
from glasswood.readers._fingerprint import digest
from glasswood.readers.onnx._document import INT32, INT64, TEXT, Document, looks_like_onnx
from glasswood.readers.onnx._flow import Flow, columns_before, widths
from glasswood.readers.onnx._parsed import MAX_WORDS, Joint, Parsed, parse, used_columns
from glasswood.readers.onnx._splits import Splits, merge_chains, splits_of
from glasswood.readers.onnx._trees import LEAF, Trees
from glasswood.tables import class_names

_WHOLE = "the model takes whole numbers; glasswood compares a fraction as it is"


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


def _read(content: bytes, kind: str) -> Ensemble:
    parsed = parse(content)
    try:
        return _assemble(parsed, kind, used_columns(parsed)) if isinstance(parsed, Parsed) else _joined(parsed, kind)
    except InvalidEnsembleError as error:
        raise ModelFileError(str(error)) from error


def _joined(joint: Joint, kind: str) -> Ensemble:
    """The trees of all ensembles, with their weights in the answer."""
    answer, n_columns = joint.answer, max(map(used_columns, joint.parts))
    ensembles = [_assemble(part, kind, n_columns) for part in joint.parts]
    n_outputs, n_nodes = len(answer.shift), sum(ensemble.n_nodes for ensemble in ensembles)
    if n_outputs * n_nodes > MAX_WORDS + 4 * joint.document.n_bytes:
        raise ModelFileError(f"{n_outputs} outputs and {n_nodes} nodes are more than the file holds weights for")
    if any(ensemble.features != ensembles[0].features for ensemble in ensembles):
        raise UnsupportedModelError(
            "its tree ensembles read the columns of the table differently; export each model by itself"
        )
    names, classes = _joint_names(joint)
    source = dataclasses.replace(
        ensembles[0].source,
        model=f"{len(ensembles)} × {joint.parts[0].node.operator}, {kind}",
        classes=classes,
        notes=tuple(dict.fromkeys(note for ensemble in ensembles for note in ensemble.source.notes)),
    )
    weighted = [
        dataclasses.replace(
            ensemble,
            value=_weighted(ensemble, weights),
            tree_output=np.zeros(ensemble.n_trees, dtype=np.int32),
            baseline=joint.raw([ensemble.baseline[np.newaxis] for ensemble in ensembles])[0],
            link=answer.link,
            outputs=names,
            source=source,
        )
        for ensemble, weights in zip(ensembles, answer.weights, strict=True)
    ]
    return join(*weighted)


def _weighted(ensemble: Ensemble, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values of the nodes for the outputs of the answer."""
    if ensemble.value.shape[1] == 1:
        sizes = np.diff(ensemble.tree_start)
        return np.asarray(ensemble.value * np.repeat(weights[ensemble.tree_output], sizes, axis=0))
    value = np.zeros((ensemble.n_nodes, weights.shape[1]))
    for j in range(ensemble.value.shape[1]):
        value += ensemble.value[:, j, np.newaxis] * weights[j]
    return value


def _joint_names(joint: Joint) -> tuple[tuple[str, ...], tuple[Label, ...]]:
    """Names of the outputs, and the classes if they are known."""
    n = len(joint.answer.shift)
    n_classes = n + joint.answer.complement
    labels: tuple[Label, ...] = joint.parts[0].trees.labels
    if len(labels) != n_classes or any(part.trees.labels != labels for part in joint.parts):
        labels = _listed_classes(joint.document, n_classes) if labels else ()
    if labels:
        return class_names(labels[1:] if joint.answer.complement else labels), labels
    return ("y",) if n == 1 else tuple(f"y{j}" for j in range(n)), ()


def _listed_classes(document: Document, n: int) -> tuple[Label, ...]:
    """Classes among which the graph picks its label."""
    for node in document.nodes:
        listed = document.constant(node.inputs[0]) if node.operator == "ArrayFeatureExtractor" and node.inputs else None
        if listed is not None and listed.size == n and listed.dtype.kind == "i":
            return tuple(int(label) for label in listed.ravel())
    return ()


def _assemble(parsed: Parsed, kind: str, n_columns: int) -> Ensemble:
    document, scores, after = parsed.document, parsed.scores, parsed.after
    trees = merge_chains(parsed.trees)
    flow = columns_before(document, parsed.node, n_columns)
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
    names, named = _names(document, n_columns)
    category_set, set_start, set_bits = _sets(splits, order, document.n_bytes)
    factor = after.factor / (len(trees.root) if trees.aggregate == "AVERAGE" else 1)
    number = trees.number[order]
    fits = np.all((number >= 0) & (number < 2**31))
    leaf = trees.mode[order] == LEAF
    categories: list[tuple[Label, ...] | None] = [None] * len(names)
    for feature, labels in splits.categories.items():
        categories[feature] = labels
    for feature in _text_columns(document, len(names)):
        categories[feature] = categories[feature] or ()  # no split uses a text that no encoder reads
    notes = _notes(document, flow)
    return build_ensemble(
        tree_start=tree_start,
        tree_output=tree_output,
        feature=splits.feature[order],
        threshold=splits.threshold[order],
        stated_threshold=np.where(np.isnan(splits.threshold), np.nan, trees.split)[order],
        left=position[splits.left[order]],
        right=position[splits.right[order]],
        missing_left=splits.missing_left[order],
        unseen_left=splits.unseen_left[order],
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
            notes=notes,
            classes=trees.labels,
        ),
    )


def _text_columns(document: Document, n_columns: int) -> list[int]:
    """Columns of the table that hold texts."""
    start, found = 0, list[int]()
    for given, width in zip(document.inputs, widths(document, n_columns), strict=True):
        if given.type == TEXT:
            found.extend(range(start, start + width))
        start += width
    return found


def _notes(document: Document, flow: Flow) -> tuple[str, ...]:
    """What the ensemble accepts and onnxruntime does not."""
    notes = []
    if any(given.type in (INT32, INT64) for given in document.inputs):
        notes.append(_WHOLE)
    if any(given.type == TEXT for given in document.inputs):
        notes.append("onnxruntime knows no missing text; one is taken for a level that the model has not seen")
    if any(segment.levels is not None and segment.levels.unseen_refused for segment in flow):
        notes.append("onnxruntime refuses rows with a level that an encoder has not seen")
    return tuple(notes)


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
    if width * len(order) > MAX_WORDS + 4 * parsed.document.n_bytes:
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
        largest = int(members.max(initial=0))
        sizes.append(sizes[-1] + largest // 64 + 1)
        if sizes[-1] > MAX_WORDS + n_bytes:
            raise ModelFileError("its category sets are larger than the file")
        flags = np.zeros(largest + 1, dtype=bool)
        flags[members] = True
        words.append(pack_set(flags))
        category_set[position[node]] = len(sizes) - 2
    return category_set, np.array(sizes, dtype=np.int64), np.concatenate(words)
