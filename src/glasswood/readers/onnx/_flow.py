"""Flow: how the columns of the caller's table become those that the trees split.

Each operator before the trees works on every column by itself. It is monotone, so a cut of a column of the trees is a
cut of one column of the table, or it gives each level of a column a number, so a cut is a set of levels. What mixes
columns, or turns back, is refused by name.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.onnx._document import DOUBLE, FLOAT, INT32, INT64, TEXT, TYPE_NAMES, Document, Node

_FLOATS = {FLOAT: np.float32, DOUBLE: np.float64}
_WHOLE = (INT64, INT32)
_MAX_SEGMENTS = 100_000
_MAX_COLUMNS = 1_000_000  # beyond it a file must be as large as its columns are many

_OF_NUMBERS = ("Scaler", "Imputer", "Add", "Sub", "Mul", "Div", "FeatureVectorizer")

Apply = Callable[[NDArray[Any], NDArray[np.intp]], NDArray[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Levels:
    """The numbers that an encoder gives for the levels of one column."""

    labels: tuple[Label, ...]
    hot: NDArray[np.int64] | None  # one-hot: the level of each column; otherwise None
    codes: NDArray[np.float64]  # otherwise (n_labels + 1,) number of each level, and of any other
    unseen_refused: bool = False

    def values(self, column: int) -> NDArray[np.float64]:
        """Number of each level in a column, and of any other level."""
        if self.hot is None:
            return self.codes
        return np.asarray(np.arange(len(self.labels) + 1) == self.hot[column], dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """Columns that went the same way."""

    source: NDArray[np.int64]  # (n_columns,) their columns in the caller's table
    type: int  # of their numbers now
    steps: tuple[Apply, ...]  # numbers, and which columns of the segment they are of → numbers
    casts_only: bool = True
    narrow: bool = False  # they have been float32 on their way
    levels: Levels | None = None  # set if the numbers are those of levels
    deep: bool = False  # a tensor of three dimensions, of which the second has size 1, as OneHotEncoder gives it

    def values(self, x: NDArray[np.float64], which: NDArray[np.intp]) -> NDArray[np.float64]:
        """What becomes of numbers x of the table in columns `which`."""
        with np.errstate(all="ignore"):
            found: NDArray[Any] = x
            for step in self.steps:
                found = step(found, which)
            return found.astype(np.float64)

    def take(self, columns: NDArray[np.int64]) -> "Segment":
        """Some of the columns."""
        picked = tuple(_picked(step, columns) for step in self.steps)
        levels = self.levels
        if levels is not None and levels.hot is not None:
            levels = replace(levels, hot=levels.hot[columns])
        return replace(self, source=self.source[columns], steps=picked, levels=levels)

    def then(self, step: Apply, kind: int) -> "Segment":
        """The columns after a step that does arithmetic."""
        return replace(
            self, type=kind, steps=(*self.steps, step), casts_only=False, narrow=self.narrow or kind == FLOAT
        )

    def cast(self, kind: int) -> "Segment":
        """The columns as numbers of another type."""
        if kind == self.type:
            return self
        if kind in _WHOLE and self.type in (*_FLOATS, *_WHOLE):
            return replace(self.then(_to_whole, kind), narrow=self.narrow)
        if kind not in _FLOATS or self.type == TEXT:
            raise UnsupportedModelError(
                f"Cast to {TYPE_NAMES.get(kind, kind)} stands before the trees, which glasswood does not read"
            )
        dtype = _FLOATS[kind]
        return replace(
            self,
            type=kind,
            steps=(*self.steps, lambda x, which: x.astype(dtype)),
            narrow=self.narrow or kind == FLOAT,
        )


def _to_whole(x: NDArray[Any], which: NDArray[np.intp]) -> NDArray[Any]:
    """Numbers without their fraction, as a processor converts them; NaN becomes the smallest whole number."""
    return np.where(np.isnan(x), -(2.0**63), np.trunc(x.astype(np.float64)))


def _picked(step: Apply, columns: NDArray[np.int64]) -> Apply:
    return lambda x, which: step(x, columns[which])


Flow = tuple[Segment, ...]


def columns_before(document: Document, trees: Node, n_columns: int) -> Flow:
    """Follow the inputs of the graph to the trees, which use `n_columns` columns at least."""
    known = _inputs(document, widths(document, n_columns))
    needed = _needed(document, trees)
    for node in document.nodes:
        if node is trees:
            break
        if not needed.intersection(node.outputs):
            continue
        if node.operator not in _OPERATORS:
            raise UnsupportedModelError(
                f"the operator {node.operator!r} stands before the trees, which glasswood does not read; export the "
                "tree model alone, or read the model from the library that trained it"
            )
        known[node.outputs[0]] = _OPERATORS[node.operator](document, node, known)
        if sum(map(len, known.values())) > _MAX_SEGMENTS:
            raise ModelFileError("it takes its columns apart too often")
    if trees.inputs[:1] and trees.inputs[0] in known:
        if any(segment.deep for segment in known[trees.inputs[0]]):
            raise UnsupportedModelError("a tensor of three dimensions reaches the trees, which glasswood does not read")
        by_levels = any(segment.levels is not None for segment in known[trees.inputs[0]])
        if by_levels and len(document.inputs) == 1 and document.inputs[0].width is None:
            raise UnsupportedModelError("its input does not say how many columns it has; export it with their number")
        # a whole number is compared with the float32 of a node as a float32
        return tuple(s if s.type in _FLOATS else s.cast(FLOAT) for s in known[trees.inputs[0]])
    raise UnsupportedModelError(f"the input of {trees.operator} does not come from an input of the model")


def widths(document: Document, n_columns: int) -> list[int]:
    """Columns of each input; a single one that does not state them has those that the trees use."""
    if len(document.inputs) == 1 and document.inputs[0].width is None:
        found = [n_columns]
    else:
        found = [given.width or 1 for given in document.inputs]
    if sum(found) > _MAX_COLUMNS + document.n_bytes:
        raise ModelFileError(f"it announces {sum(found)} columns, more than it could use")
    return found


def _inputs(document: Document, columns: list[int]) -> dict[str, Flow]:
    """Every input of numbers or texts."""
    start, found = 0, dict[str, Flow]()
    for given, width in zip(document.inputs, columns, strict=True):
        if given.type in (FLOAT, DOUBLE, INT64, INT32):
            place = np.arange(start, start + width)
            segment = Segment(place, DOUBLE, ())
            found[given.name] = (segment.cast(FLOAT) if given.type == FLOAT else replace(segment, type=given.type),)
        elif given.type == TEXT:
            found[given.name] = (Segment(np.arange(start, start + width), TEXT, ()),)
        start += width
    return found


def _needed(document: Document, trees: Node) -> set[str]:
    """Names of all values that the input of the trees is made of."""
    needed = set(trees.inputs[:1])
    before = False
    for node in reversed(document.nodes):
        if before and needed.intersection(node.outputs):
            needed.update(node.inputs)
        before = before or node is trees
    return needed


def _one(node: Node, known: dict[str, Flow]) -> Flow:
    if not node.inputs or node.inputs[0] not in known:
        raise UnsupportedModelError(f"the first input of {node.operator!r} is not a column of the model")
    flow = known[node.inputs[0]]
    if node.operator in _OF_NUMBERS and any(segment.type == TEXT for segment in flow):
        raise UnsupportedModelError(f"{node.operator!r} before the trees takes texts, which glasswood does not read")
    return flow


def _identity(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    return _one(node, known)


def _cast(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    return tuple(segment.cast(node.integer("to", 0)) for segment in _one(node, known))


def _concat(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    lost = [name for name in node.inputs if name not in known]
    if lost:
        raise UnsupportedModelError(f"{node.operator!r} takes {lost[0][:40]!r}, which is not a column of the model")
    parts = tuple(segment for name in node.inputs for segment in known[name])
    deep = {segment.deep for segment in parts}
    if node.operator == "Concat" and (len(deep) > 1 or node.integer("axis", 1) not in (1 + max(deep, default=0), -1)):
        raise UnsupportedModelError("Concat puts rows together before the trees, which glasswood does not read")
    if node.operator == "FeatureVectorizer":
        return tuple(segment.cast(FLOAT) for segment in parts)
    return parts


def _select(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    """Some of the columns, by number."""
    flow = _one(node, known)
    chosen = document.constant(node.inputs[1]) if len(node.inputs) > 1 else None
    axes = (1 + max((segment.deep for segment in flow), default=False), -1)
    fixed = chosen is not None and chosen.dtype.kind == "i"
    if chosen is None or not fixed or (node.operator == "Gather" and node.integer("axis", 0) not in axes):
        raise UnsupportedModelError(f"{node.operator!r} before the trees does not pick fixed columns")
    numbers, sizes = chosen.ravel().astype(np.int64), [len(segment.source) for segment in flow]
    numbers = np.where(numbers < 0, numbers + sum(sizes), numbers)
    if np.any((numbers < 0) | (numbers >= sum(sizes))):
        raise ModelFileError(f"{node.operator!r} picks a column that is not there")
    if len(flow) == 1:
        return (flow[0].take(numbers),)
    ends = np.cumsum(sizes)
    owner = np.searchsorted(ends, numbers, side="right")
    runs = np.split(numbers, np.flatnonzero(np.diff(owner)) + 1)
    return tuple(
        flow[k].take(run - (ends[k] - sizes[k]))
        for run in runs
        if len(run)
        for k in (int(np.searchsorted(ends, run[0], side="right")),)
    )


def _per_column(flow: Flow, constants: NDArray[Any], name: str) -> list[NDArray[Any]]:
    """Constants of each segment: one for all columns, or one per column."""
    total, flat = sum(len(segment.source) for segment in flow), constants.ravel()
    if len(flat) == 1:
        return [np.broadcast_to(flat, (len(segment.source),)) for segment in flow]
    if len(flat) != total or constants.shape[-1:] != (total,):
        raise UnsupportedModelError(f"{name!r} before the trees has {len(flat)} constants for {total} columns")
    return np.split(flat, np.cumsum([len(segment.source) for segment in flow])[:-1])


def _scaler(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    flow = _one(node, known)
    scale, offset = node.floats("scale"), node.floats("offset")
    if not np.all(np.isfinite(scale) & (scale != 0)) or not np.all(np.isfinite(offset)):
        raise UnsupportedModelError("a Scaler before the trees multiplies by 0 or by what is not a number")
    scales, offsets = (_per_column(flow, part, "Scaler") for part in (scale, offset))
    return tuple(_scaled(segment, s, o) for segment, s, o in zip(flow, scales, offsets, strict=True))


def _scaled(segment: Segment, scale: NDArray[Any], offset: NDArray[Any]) -> Segment:
    """(x − offset)·scale as onnxruntime computes it: in float64 where x is, else in float32; float32 comes out."""
    dtype: Any = np.float64 if segment.type == DOUBLE else np.float32
    s, o = scale.astype(dtype), offset.astype(dtype)
    return segment.then(lambda x, which: ((x.astype(dtype) - o[which]) * s[which]).astype(np.float32), FLOAT)


def _imputer(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    flow = _one(node, known)
    replaced = node.attributes["replaced_value_float"].number() if "replaced_value_float" in node.attributes else 0.0
    if not np.isnan(replaced) or any(segment.type != FLOAT for segment in flow):
        raise UnsupportedModelError(
            "an Imputer before the trees replaces something other than NaN in float32 numbers, which no threshold can "
            "express"
        )
    values = _per_column(flow, node.floats("imputed_value_floats"), "Imputer")
    return tuple(_imputed(segment, part) for segment, part in zip(flow, values, strict=True))


def _imputed(segment: Segment, value: NDArray[Any]) -> Segment:
    filled = value.astype(np.float32)
    return segment.then(lambda x, which: np.where(np.isnan(x.astype(np.float32)), filled[which], x), FLOAT)


def _arithmetic(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    """A column and a constant; onnxruntime computes in the type of both."""
    operands = [document.constant(name) for name in node.inputs]
    if len(operands) != 2 or (operands[0] is None) == (operands[1] is None):
        raise UnsupportedModelError(
            f"{node.operator!r} before the trees mixes columns, which glasswood does not read; export the tree model "
            "alone, or read the model from the library that trained it"
        )
    second = operands[1] is not None
    constant = operands[1] if operands[1] is not None else operands[0]
    flow = known.get(node.inputs[0 if second else 1])
    assert constant is not None
    if flow is None or any(segment.type not in _FLOATS for segment in flow) or constant.dtype.kind != "f":
        raise UnsupportedModelError(f"{node.operator!r} before the trees does not compute with floats")
    if not np.all(np.isfinite(constant)) or (node.operator in ("Mul", "Div") and np.any(constant == 0)):
        raise UnsupportedModelError(f"{node.operator!r} before the trees has a constant that is 0 or not a number")
    if node.operator == "Div" and not second:
        raise UnsupportedModelError("a constant is divided by a column before the trees, which is not monotone")
    function = {"Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide}[node.operator]
    parts = _per_column(flow, constant, node.operator)
    return tuple(_computed(segment, function, part, second) for segment, part in zip(flow, parts, strict=True))


def _computed(segment: Segment, function: Callable[..., NDArray[Any]], constant: NDArray[Any], second: bool) -> Segment:
    dtype = _FLOATS[segment.type]
    c = constant.astype(dtype)

    def step(x: NDArray[Any], which: NDArray[np.intp]) -> NDArray[Any]:
        here = x.astype(dtype)
        return function(here, c[which]) if second else function(c[which], here)

    return segment.then(step, segment.type)


def _single(flow: Flow) -> Segment:
    """The only column of a flow."""
    if len(flow) != 1 or len(flow[0].source) != 1:
        raise UnsupportedModelError(
            "OneHotEncoder before the trees takes several columns; export it with one per column"
        )
    return flow[0]


def _labels_of(segment: Segment, texts: list[str], numbers: NDArray[Any], name: str) -> tuple[Label, ...]:
    """Levels that an encoder knows, of the kind that its column holds."""
    if segment.levels is not None:
        raise UnsupportedModelError(f"{name!r} before the trees encodes what another encoder made")
    if segment.type == TEXT:
        labels: tuple[Label, ...] = tuple(texts)
    elif not np.all(np.abs(numbers) < 2**53) or not np.all(numbers == np.floor(numbers)):
        raise UnsupportedModelError(f"{name!r} before the trees encodes numbers that are not whole")
    else:
        labels = tuple(int(number) for number in numbers)
    if not labels or len(set(labels)) < len(labels):
        raise UnsupportedModelError(f"{name!r} before the trees does not list the levels of its column, each once")
    return labels


def _one_hot(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    """A column per level, 1 where the level is the row's."""
    segment = _single(_one(node, known))
    labels = _labels_of(segment, node.texts("cats_strings"), node.integers("cats_int64s"), node.operator)
    levels = Levels(labels, np.arange(len(labels)), np.zeros(0), node.integer("zeros", 1) == 0)
    source = np.repeat(segment.source, len(labels))
    return (Segment(source, FLOAT, (), casts_only=False, narrow=True, levels=levels, deep=True),)


def _label_encoder(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    """A number per level."""
    whole = "values_int64s" in node.attributes
    values = node.integers("values_int64s").astype(np.float64) if whole else node.floats("values_floats")
    other = float(node.integer("default_int64", -1)) if whole else _number(node, "default_float", 0.0)
    keys: NDArray[Any] = node.integers("keys_int64s")
    keys = keys if len(keys) else node.floats("keys_floats")
    found = []
    for segment in _one(node, known):
        labels = _labels_of(segment, node.texts("keys_strings"), keys, node.operator)
        if len(values) != len(labels):
            raise UnsupportedModelError("LabelEncoder before the trees does not give a number per level")
        levels = Levels(labels, None, np.append(values, other))
        kind = INT64 if whole else FLOAT
        found.append(Segment(segment.source, kind, (), casts_only=False, narrow=True, levels=levels, deep=segment.deep))
    return tuple(found)


def _number(node: Node, name: str, default: float) -> float:
    return node.attributes[name].number() if name in node.attributes else default


def _reshape(document: Document, node: Node, known: dict[str, Flow]) -> Flow:
    """Rows and columns, as they were."""
    flow = _one(node, known)
    shape = document.constant(node.inputs[1]) if len(node.inputs) > 1 else None
    n_columns = sum(len(segment.source) for segment in flow)
    if shape is None or shape.ravel().tolist() != [-1, n_columns]:
        raise UnsupportedModelError("Reshape before the trees does not keep rows and columns")
    return tuple(replace(segment, deep=False) for segment in flow)


_OPERATORS: dict[str, Callable[[Document, Node, dict[str, Flow]], Flow]] = {
    "Identity": _identity,
    "Cast": _cast,
    "Concat": _concat,
    "FeatureVectorizer": _concat,
    "ArrayFeatureExtractor": _select,
    "Gather": _select,
    "Scaler": _scaler,
    "Imputer": _imputer,
    "OneHotEncoder": _one_hot,
    "LabelEncoder": _label_encoder,
    "Reshape": _reshape,
    **dict.fromkeys(("Add", "Sub", "Mul", "Div"), _arithmetic),
}
