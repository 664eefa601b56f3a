"""ask: what onnxruntime itself predicts for the rows of a table."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import VALUES_READ, Ensemble, align
from glasswood.errors import TableError
from glasswood.readers._library import library_process
from glasswood.readers._oracle import FLOAT64_SUMS, Oracle, float32_sums
from glasswood.readers._plain import plain_numbers
from glasswood.readers.onnx._document import DOUBLE, DTYPES, INT32, INT64, TEXT, Input
from glasswood.readers.onnx._flow import columns_before, widths
from glasswood.readers.onnx._parsed import Joint, Parsed, parse, used_columns
from glasswood.readers.onnx._probe_models import MAX_LEAVES, leaf_node, sum_node, with_output, with_trees
from glasswood.readers.onnx._reader import written
from glasswood.readers.onnx._splits import merge_chains
from glasswood.readers.onnx._trees import LEAF
from glasswood.tables import Table

_ROWS = 1_000  # asked at once: the leaves of a thousand trees then take some megabytes
_MODULE = "glasswood.readers.onnx"


@dataclass(frozen=True, slots=True, eq=False)
class OpenedTrees:
    """Sessions of the sum of one tree ensemble, and of its leaves where their numbers fit."""

    parsed: Parsed
    total: Any
    leaves: Any | None

    def sums(self, given: dict[str, NDArray[Any]]) -> NDArray[np.float64]:
        """Sums of the outputs that are kept, with their baseline."""
        scores = self.parsed.scores
        total = _matrix(self.total.run(None, given)[0])[:, scores.kept]
        if len(self.parsed.trees.base) not in (0, scores.n_outputs):
            total = total + scores.baseline  # of two classes, of which one has a base value
        return total


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """Sessions of the model as it is, and of each of its tree ensembles."""

    parsed: Parsed | Joint
    answer: Any
    trees: tuple[OpenedTrees, ...]
    unit: float

    def raw(self, given: dict[str, NDArray[Any]]) -> NDArray[np.float64]:
        """Raw as the sums of onnxruntime give it."""
        sums = [part.sums(given) for part in self.trees]
        return self.parsed.raw(sums) if isinstance(self.parsed, Joint) else self.parsed.after.raw(sums[0])


def ask(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """Let onnxruntime predict in a process of its own: a model that somebody else wrote may crash it."""
    with library_process(_MODULE, written(model), ensemble) as asked:
        return replace(asked(X), asked_with=VALUES_READ)


def ask_as_read(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    """The same: onnxruntime takes arrays only, so it is always asked with the values glasswood reads."""
    return ask(model, ensemble, X)


def predicted(model: Any, ensemble: Ensemble, X: Table) -> None:
    """Nothing more: the answer came with raw."""
    return


def open_file(content: bytes) -> Opened:
    """Let onnxruntime load a model and its two rewritten forms."""
    from onnxruntime import InferenceSession, SessionOptions

    parsed = parse(content)
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 4

    def session(model: bytes) -> Any:
        return InferenceSession(model, options, providers=["CPUExecutionProvider"])

    parts = parsed.parts if isinstance(parsed, Joint) else (parsed,)
    name = parsed.answer.name if isinstance(parsed, Joint) else parsed.after.name
    return Opened(
        parsed,
        session(with_output(parsed.document, name)),
        tuple(_opened(part, session) for part in parts),
        max(_unit(part) for part in parts) * (1 if len(parts) == 1 else 4 + len(parts)),
    )


def _opened(parsed: Parsed, session: Callable[[bytes], Any]) -> OpenedTrees:
    document, node, trees = parsed.document, parsed.node, parsed.trees
    base = trees.base if len(trees.base) == parsed.scores.n_outputs else np.zeros(0)
    total = with_trees(document, node, sum_node(node, parsed.scores.n_outputs, base))
    tree = _tree_of(parsed)
    leaves = None
    if trees.number.max(initial=0) < MAX_LEAVES and tree is not None:
        leaves = session(with_trees(document, node, leaf_node(node, trees, tree)))
    return OpenedTrees(parsed, session(total), leaves)


def ask_opened(opened: Opened, ensemble: Ensemble, X: Table) -> Oracle:
    """Predict with a model that was opened."""
    columns = _columns(X, ensemble)
    parts = [slice(start, start + _ROWS) for start in range(0, len(columns[0]) if columns else 0, _ROWS)]
    raw, answers, leaves = [], [], []
    for part in parts:
        given = _given(opened, ensemble, [column[part] for column in columns])
        raw.append(opened.raw(given))
        answers.append(_matrix(opened.answer.run(None, given)[0]))
        asked = [trees.leaves for trees in opened.trees if trees.leaves is not None]
        if len(asked) == len(opened.trees):
            leaves.append(np.hstack([_matrix(session.run(None, given)[0]) for session in asked]))
    answer = np.concatenate(answers)
    return Oracle(
        raw=np.concatenate(raw),
        leaves=np.concatenate(leaves).astype(np.int32) if leaves else None,
        unit=opened.unit,
        asked_with=VALUES_READ,
        prediction=answer[:, -ensemble.n_outputs :],
    )


def _unit(parsed: Parsed) -> float:
    """What onnxruntime may lose: it adds in the type of the trees' input; the older operators give float32."""
    before = columns_before(parsed.document, parsed.node, used_columns(parsed))
    wide = all(segment.type == DOUBLE for segment in before)
    if not wide:
        return float32_sums(len(parsed.trees.root) + 2)
    return FLOAT64_SUMS if parsed.node.operator == "TreeEnsemble" else float32_sums(1)


def _tree_of(parsed: Parsed) -> NDArray[np.int64] | None:
    """Tree of every node, None where a leaf of the list serves several trees."""
    trees = merge_chains(parsed.trees)
    from glasswood import _native

    order, start = _native.preorder(trees.root, trees.true, trees.false)
    tree = np.full(len(trees.mode), -1, dtype=np.int64)
    tree[order] = np.repeat(np.arange(len(start) - 1), np.diff(start))
    if parsed.node.operator == "TreeEnsemble":
        leaf = (trees.mode == LEAF) & (tree >= 0)
        pairs = np.unique(np.column_stack([trees.number[leaf], tree[leaf]]), axis=0)
        if len(np.unique(pairs[:, 0])) < len(pairs):
            return None
    return tree


def _matrix(answer: Any) -> NDArray[np.float64]:
    values = np.asarray(answer, dtype=np.float64)
    return values.reshape(len(values), -1)


def _columns(X: Table, ensemble: Ensemble) -> list[NDArray[Any]]:
    """The columns as numbers: plain ones as they came, categories as their labels."""
    matrix = plain_numbers(X, ensemble.features)
    if matrix is not None:
        return list(matrix.T)
    rows = align(X, ensemble.features)
    return [_labels(rows.column(j), labels) for j, labels in enumerate(ensemble.features.categories)]


def _labels(column: NDArray[Any], labels: tuple[Any, ...] | None) -> NDArray[Any]:
    if labels is not None and (not labels or isinstance(labels[0], str)):
        return _texts(column, labels)
    if not labels:
        return column.astype(np.float64)
    unseen = float(max(map(float, labels)) + 1)
    return np.array([*map(float, labels), unseen, np.nan])[np.where(column < 0, -1, np.minimum(column, len(labels)))]


def _texts(codes: NDArray[Any], labels: tuple[str, ...]) -> NDArray[Any]:
    """Texts of a column; a level that the model does not know, and a missing one, as a text that it does not know."""
    unseen = "unseen"
    while unseen in labels:
        unseen += "_"
    known = np.array([*labels, unseen], dtype=object)
    return known[np.where(codes < 0, len(labels), np.minimum(codes, len(labels)).astype(np.int64))]


def _given(opened: Opened, ensemble: Ensemble, columns: list[NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """One array per input of the graph, in its type."""
    found, start = {}, 0
    document = opened.parsed.document
    for given, width in zip(document.inputs, widths(document, len(ensemble.features)), strict=True):
        part = np.column_stack(columns[start : start + width])
        start += width
        found[given.name] = _typed(part, given)
    return found


def _typed(part: NDArray[Any], given: Input) -> NDArray[Any]:
    if given.type == TEXT:
        return part.astype(object)
    if given.type in (INT32, INT64) and not np.all(np.floor(part) == part):
        raise TableError(f"the input {given.name!r} of the model takes whole numbers")
    with np.errstate(all="ignore"):
        return np.ascontiguousarray(part.astype(DTYPES[given.type]))
