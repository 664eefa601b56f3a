"""Combinations: an answer that is made of the sums of several tree ensembles, as votes, bags and one-vs-rest have it.

Every column of a value of the graph is a weighted sum of the outputs of the ensembles, with a shift and a link. What
the graph does with such columns is followed as long as they stay so; everything else is refused by name.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import IDENTITY, LOGIT, NO_LINK, OVA, SOFTMAX, Link, LinkKind
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.onnx._document import Document, Node

_SAME = ("Identity", "Cast", "Flatten")
_MAX_NUMBERS = 1 << 22  # weights of all columns: a file of many ensembles and classes must not take more


@dataclass(frozen=True, slots=True, eq=False)
class Sums:
    """The outputs of one ensemble, before the rest of the graph."""

    name: str  # of the value in the graph
    n_outputs: int
    link: Link
    two_columns: bool  # the graph shows a single output of two classes in two columns


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """An output of the graph: link of (Σ sums·weights + shift)."""

    name: str
    weights: tuple[NDArray[np.float64], ...]  # for each ensemble (n_outputs of it, n_outputs of the answer)
    shift: NDArray[np.float64]  # (n_outputs,)
    link: Link
    complement: bool  # of two columns of the graph only the second is kept, because the first follows from it


@dataclass(frozen=True, slots=True, eq=False)
class _Value:
    """A value of the graph: columns, or one part per member that a mean will join."""

    weights: NDArray[np.float64]  # (n_sums, n_columns): all outputs of all ensembles, one after the other
    shift: NDArray[np.float64]
    links: tuple[Link, ...]  # one per column
    members: tuple["_Value", ...] = ()
    total_of: str | None = None  # the sum over the columns of another value

    @property
    def n_columns(self) -> int:
        return int(self.weights.shape[1])

    def pick(self, columns: Sequence[int]) -> "_Value":
        chosen = list(columns)
        return replace(
            self, weights=self.weights[:, chosen], shift=self.shift[chosen], links=tuple(self.links[c] for c in chosen)
        )

    def is_linear(self) -> bool:
        return not self.members and self.total_of is None and all(link == IDENTITY for link in self.links)


def combination(document: Document, sums: Sequence[Sums]) -> Answer:
    """Follow the sums of several ensembles to an output of the graph."""
    starts = np.cumsum([0, *(part.n_outputs for part in sums)])
    known = {part.name: _first(part, int(start), int(starts[-1])) for part, start in zip(sums, starts, strict=False)}
    lost: dict[str, tuple[str, str]] = {}
    shown = dict[str, str]()  # a value that is a list of dictionaries → the same as a tensor
    for node in document.nodes:
        given = [name for name in node.inputs if name in known or name in lost]
        if not given or not node.outputs or node.outputs[0] in known:
            continue
        operator = _OPERATORS.get(node.operator)
        if node.operator == "Reciprocal":
            followed = _logistic(document, node, known)
        elif operator is None or any(name in lost for name in given):
            followed = None
        else:
            followed = operator(document, node, known)
        if followed is None:
            # the first operator that is not followed, and what it was given
            reason = next((lost[name] for name in given if name in lost), (node.operator, given[0]))
            lost.update(dict.fromkeys(node.outputs, reason))
            continue
        known[node.outputs[0]] = followed
        if node.operator == "ZipMap":
            shown[node.outputs[0]] = node.inputs[0]
        if sum(value.weights.size for value in known.values()) > _MAX_NUMBERS:
            raise ModelFileError("it joins more ensembles and classes than its size allows")
    for name in reversed(document.outputs):
        value = known.get(name)
        if value is not None and not value.members and value.total_of is None:
            return _answer(shown.get(name, name), value, starts)
    raise _not_followed(len(sums), next((lost[name] for name in reversed(document.outputs) if name in lost), None))


def _not_followed(n_sums: int, reason: tuple[str, str] | None) -> UnsupportedModelError:
    """The refusal of an answer that is not a sum; `reason` is the operator, and the value before it."""
    many = f"its graph has {n_sums} tree ensembles, and "
    if reason is None:
        return UnsupportedModelError(f"{many}no output shows their answer; export each model by itself")
    operator, before = reason
    return UnsupportedModelError(
        f"{many}{operator!r} joins them, which is not a sum over trees; export each model by itself, or, to explain "
        f"the value {before!r} before it, make that an output: "
        f"graph.output.append(onnx.helper.make_empty_tensor_value_info({before!r}))"
    )


def _first(part: Sums, start: int, n_sums: int) -> _Value:
    """What the operator of the trees shows of its sums."""
    weights = np.zeros((n_sums, part.n_outputs))
    weights[start + np.arange(part.n_outputs), np.arange(part.n_outputs)] = 1.0
    if part.link.kind not in (LinkKind.IDENTITY, LinkKind.LOGIT, LinkKind.OVA):
        raise UnsupportedModelError(
            f"its graph has several tree ensembles, and joins them after the link {part.link}, which is not a sum over "
            "trees; export each model by itself"
        )
    link = IDENTITY if part.link.kind is LinkKind.IDENTITY else LOGIT
    value = _Value(weights, np.zeros(part.n_outputs), (link,) * part.n_outputs)
    if not part.two_columns:
        return value
    # 1 − p is 1 − raw, or the logistic function of −raw
    shift = np.array([1.0 if link == IDENTITY else 0.0, 0.0])
    return _Value(np.hstack([-weights, weights]), shift, (link, link))


def _answer(name: str, value: _Value, starts: NDArray[np.int64]) -> Answer:
    link = value.links[0]
    if any(other != link for other in value.links):
        raise UnsupportedModelError("the columns of its answer have different links; export each model by itself")
    complement = _is_complement(value)
    value = value.pick([1]) if complement else value
    if link == LOGIT and value.n_columns > 1:
        link = OVA
    return Answer(
        name=name,
        weights=tuple(np.split(value.weights, starts[1:-1], axis=0)),
        shift=value.shift,
        link=link,
        complement=complement,
    )


def _is_complement(value: _Value) -> bool:
    if value.n_columns != 2 or value.links[0].kind not in (LinkKind.IDENTITY, LinkKind.LOGIT):
        return False
    whole = 1.0 if value.links[0] == IDENTITY else 0.0
    close = np.isclose(value.shift[0] + value.shift[1], whole, rtol=0, atol=1e-6)
    return bool(close) and np.array_equal(value.weights[:, 0], -value.weights[:, 1])


def _same(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    return known.get(node.inputs[0])


def _reshape(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    """Rows and columns as they were, or one more dimension in front, which a mean takes away again."""
    value = known.get(node.inputs[0])
    shape = document.constant(node.inputs[1]) if len(node.inputs) > 1 else None
    if value is None or shape is None or value.members:
        return None
    sizes = shape.ravel().tolist()
    if sizes == [-1, value.n_columns]:
        return value
    return replace(value, members=(value,)) if sizes == [1, -1, value.n_columns] else None


def _concat(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    if any(name not in known for name in node.inputs):
        return None
    parts = [known[name] for name in node.inputs]
    if any(part.total_of is not None for part in parts):
        return None
    if node.integer("axis", 1) == 0:
        alike = all(part.members and part.n_columns == parts[0].n_columns for part in parts)
        return replace(parts[0], members=tuple(m for part in parts for m in part.members)) if alike else None
    if node.integer("axis", 1) not in (1, -1) or any(part.members for part in parts):
        return None
    return _Value(
        np.hstack([part.weights for part in parts]),
        np.concatenate([part.shift for part in parts]),
        tuple(link for part in parts for link in part.links),
    )


def _reduce(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    """The mean or sum over members; the sum over columns only as what they are divided by."""
    value = known.get(node.inputs[0])
    axes = document.constant(node.inputs[1]) if len(node.inputs) > 1 else node.integers("axes")
    if value is None or axes is None or len(axes.ravel()) != 1:
        return None
    axis = int(axes.ravel()[0])
    if not value.members:
        over_columns = node.operator == "ReduceSum" and axis in (1, -1) and node.integer("keepdims", 1) == 1
        return replace(value, total_of=node.inputs[0]) if over_columns else None
    if axis != 0 or node.integer("keepdims", 1) != 0 or not all(member.is_linear() for member in value.members):
        return None
    return _sum(value.members, 1.0 / len(value.members) if node.operator == "ReduceMean" else 1.0)


def _sum(values: Sequence[_Value], factor: float = 1.0) -> _Value | None:
    if not all(value.is_linear() and value.n_columns == values[0].n_columns for value in values):
        return None
    weights, shift = np.zeros_like(values[0].weights), np.zeros_like(values[0].shift)
    for value in values:
        weights, shift = weights + value.weights * factor, shift + value.shift * factor
    return _Value(weights, shift, values[0].links)


def _add(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    """Values added up, or a value and constants."""
    if all(name in known for name in node.inputs):
        return _sum([known[name] for name in node.inputs])
    return _with_constant(document, node, known) if node.operator == "Add" else None


def _with_constant(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    if len(node.inputs) != 2:
        return None
    first = node.inputs[0] in known
    value = known.get(node.inputs[0 if first else 1])
    constant = document.constant(node.inputs[1 if first else 0])
    if node.operator == "Div" and value is not None and constant is None:
        return _normalised(node, known)
    if value is None or constant is None or constant.dtype.kind != "f" or not value.is_linear():
        return None
    numbers = constant.astype(np.float64).ravel()
    if len(numbers) not in (1, value.n_columns) or not np.all(np.isfinite(numbers)):
        return None
    match node.operator:
        case "Mul":
            return replace(value, weights=value.weights * numbers, shift=value.shift * numbers)
        case "Div" if first and np.all(numbers != 0):
            return replace(value, weights=value.weights / numbers, shift=value.shift / numbers)
        case "Add":
            return replace(value, shift=value.shift + numbers)
        case "Sub" if first:
            return replace(value, shift=value.shift - numbers)
        case "Sub":
            return replace(value, weights=-value.weights, shift=numbers - value.shift)
    return None


def _normalised(node: Node, known: dict[str, _Value]) -> _Value | None:
    """Columns divided by their sum: raw stays exact, the prediction depends on several columns."""
    value, total = known.get(node.inputs[0]), known.get(node.inputs[1])
    if value is None or total is None or total.total_of != node.inputs[0]:
        return None
    return replace(value, links=(NO_LINK,) * value.n_columns)


def _normalizer(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    value = known.get(node.inputs[0])
    if value is None or node.text("norm", "MAX") != "L1" or value.members or value.total_of is not None:
        return None
    return replace(value, links=(NO_LINK,) * value.n_columns)


def _columns(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    """Some of the columns."""
    value = known.get(node.inputs[0])
    if value is None or value.members or value.total_of is not None:
        return None
    numbers = [document.constant(name) for name in node.inputs[1:]]
    if any(array is None or array.dtype.kind != "i" for array in numbers):
        return None
    fixed = [array.ravel() for array in numbers if array is not None]
    if node.operator == "Slice":
        if len(fixed) != 3 or any(len(part) != 1 for part in fixed) or int(fixed[2][0]) not in (1, -1):
            return None
        chosen = list(range(value.n_columns)[int(fixed[0][0]) : int(fixed[1][0])])
    else:
        if len(fixed) != 1 or (node.operator == "Gather" and node.integer("axis", 0) not in (1, -1)):
            return None
        if np.any((fixed[0] < 0) | (fixed[0] >= value.n_columns)):
            return None
        chosen = fixed[0].tolist()
    return value.pick(chosen) if chosen else None


def _matmul(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    value = known.get(node.inputs[0])
    matrix = document.constant(node.inputs[1]) if len(node.inputs) == 2 else None
    if value is None or matrix is None or matrix.ndim != 2 or matrix.dtype.kind != "f" or not value.is_linear():
        return None
    wide = matrix.astype(np.float64)
    if wide.shape[0] != value.n_columns or not np.all(np.isfinite(wide)):
        return None
    # not the matrix product of numpy, whose bits depend on the library it was built with
    weights = np.stack([(value.weights * wide[:, j]).sum(axis=1) for j in range(wide.shape[1])], axis=1)
    return _Value(weights, (value.shift[:, np.newaxis] * wide).sum(axis=0), (IDENTITY,) * wide.shape[1])


def _negated(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    value = known.get(node.inputs[0])
    if value is None or not value.is_linear():
        return None
    return replace(value, weights=-value.weights, shift=-value.shift)


def _linked(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    value = known.get(node.inputs[0])
    if value is None or not value.is_linear():
        return None
    link = LOGIT if node.operator == "Sigmoid" else SOFTMAX
    return replace(value, links=(link,) * value.n_columns) if link == LOGIT or value.n_columns > 1 else None


def _logistic(document: Document, node: Node, known: dict[str, _Value]) -> _Value | None:
    """1 / (1 + exp(x)), in three operators as the converter of Spark writes it: the logistic function of −x."""
    made_by = {name: other for other in document.nodes for name in other.outputs[:1]}
    one_more = made_by.get(node.inputs[0])
    if one_more is None or one_more.operator != "Add" or len(one_more.inputs) != 2:
        return None
    for powers, one in (one_more.inputs, one_more.inputs[::-1]):
        constant, exponential = document.constant(one), made_by.get(powers)
        if constant is None or exponential is None or exponential.operator != "Exp":
            continue
        value = known.get(exponential.inputs[0]) if exponential.inputs else None
        if value is not None and value.is_linear() and constant.dtype.kind == "f" and np.all(constant == 1):
            links = (LOGIT,) * value.n_columns
            return replace(value, weights=-value.weights, shift=-value.shift, links=links)
    return None


_OPERATORS: dict[str, Callable[[Document, Node, dict[str, _Value]], _Value | None]] = {
    **dict.fromkeys(_SAME, _same),
    "Reshape": _reshape,
    "Concat": _concat,
    **dict.fromkeys(("ReduceMean", "ReduceSum"), _reduce),
    **dict.fromkeys(("Add", "Sum"), _add),
    **dict.fromkeys(("Mul", "Div", "Sub"), _with_constant),
    "Normalizer": _normalizer,
    **dict.fromkeys(("Slice", "Gather", "ArrayFeatureExtractor"), _columns),
    "MatMul": _matmul,
    "Neg": _negated,
    **dict.fromkeys(("Sigmoid", "Softmax"), _linked),
    "ZipMap": _same,
}
