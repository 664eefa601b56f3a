"""Document: an ONNX model, taken apart as far as reading trees needs: graph, nodes, attributes, constants, inputs."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.onnx._wire import Message

FLOAT, UINT8, INT32, INT64, TEXT, BOOL, DOUBLE = 1, 2, 6, 7, 8, 9, 11
TYPE_NAMES = {
    FLOAT: "float", UINT8: "uint8", 3: "int8", 4: "uint16", 5: "int16", INT32: "int32", INT64: "int64",
    TEXT: "string", BOOL: "bool", 10: "float16", DOUBLE: "double", 16: "bfloat16",
}  # fmt: skip
DTYPES = {
    FLOAT: "<f4",
    UINT8: "<u1",
    3: "<i1",
    4: "<u2",
    5: "<i2",
    INT32: "<i4",
    INT64: "<i8",
    BOOL: "?",
    DOUBLE: "<f8",
}
MODEL_GRAPH, GRAPH_NODE, GRAPH_OUTPUT, NODE_ATTRIBUTE = 7, 1, 12, 5  # numbers of fields that are written too
_MAX_NODES, _MAX_INPUTS, _MAX_ATTRIBUTES = 10_000, 100_000, 1_000
_KNOWN_FIELDS = {*range(1, 9), 14, 20, 25, 26}  # of a model


@dataclass(frozen=True, slots=True, eq=False)
class Attribute:
    """A named constant of a node; what it holds is taken when it is asked for."""

    name: str
    message: Message

    def integer(self) -> int:
        """A whole number."""
        return self.message.integer(3)

    def number(self) -> float:
        """A float32."""
        found = self.message.floats(2, "<f4")
        if len(found) != 1:
            raise ModelFileError(f"the attribute {self.name!r} does not hold one number")
        return float(found[0])

    def text(self) -> str:
        """A text."""
        return self.message.text(4)

    def texts(self) -> list[str]:
        """A list of texts."""
        return self.message.texts(9)

    def integers(self) -> NDArray[np.int64]:
        """A list of whole numbers."""
        return self.message.integers(8)

    def floats(self) -> NDArray[np.float64]:
        """A list of float32, as float64."""
        return self.message.floats(7, "<f4")

    def tensor(self) -> NDArray[Any]:
        """A tensor."""
        found = self.message.message(5)
        if found is None:
            raise ModelFileError(f"the attribute {self.name!r} does not hold a tensor")
        return tensor_of(found)


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One operation of the graph."""

    operator: str
    domain: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Attribute]
    message: Message

    def integers(self, name: str) -> NDArray[np.int64]:
        """A list of whole numbers, empty where it is absent."""
        return self.attributes[name].integers() if name in self.attributes else np.zeros(0, dtype=np.int64)

    def floats(self, name: str) -> NDArray[np.float64]:
        """A list of numbers, or a tensor under the name with `_as_tensor`, empty where both are absent."""
        wide = f"{name}_as_tensor"
        if wide in self.attributes:
            found = self.attributes[wide].tensor()
            if found.size:
                return _as_float64(found, wide)
        return self.attributes[name].floats() if name in self.attributes else np.zeros(0)

    def tensor(self, name: str) -> NDArray[Any] | None:
        """A tensor, None where it is absent."""
        return self.attributes[name].tensor().ravel() if name in self.attributes else None

    def texts(self, name: str) -> list[str]:
        """A list of texts, empty where it is absent."""
        return self.attributes[name].texts() if name in self.attributes else []

    def text(self, name: str, default: str) -> str:
        """A text."""
        return self.attributes[name].text() if name in self.attributes else default

    def integer(self, name: str, default: int) -> int:
        """A whole number."""
        return self.attributes[name].integer() if name in self.attributes else default


@dataclass(frozen=True, slots=True, eq=False)
class Input:
    """What the caller gives: a tensor of rows and columns."""

    name: str
    type: int  # of its elements; 0 where it is not a tensor
    width: int | None  # columns, None where the file does not say


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A model file."""

    nodes: tuple[Node, ...]
    inputs: tuple[Input, ...]  # without those that are constants
    outputs: tuple[str, ...]
    constants: dict[str, Message]
    producer: str  # name and version of what wrote the file
    message: Message
    n_bytes: int

    def constant(self, name: str) -> NDArray[Any] | None:
        """Value of a constant, None where the name is not of one."""
        return tensor_of(self.constants[name]) if name in self.constants else None


def looks_like_onnx(content: bytes) -> bool:
    """Say whether the bytes are an ONNX model: its version first, then the fields of a model and nothing else."""
    if len(content) < 4 or content[0] != 0x08 or not 0 < content[1] < 64:
        return False
    if b"ai.onnx" in content:
        return True
    try:
        fields = Message(content).numbers_of_fields()
    except ModelFileError:
        return False
    return MODEL_GRAPH in fields and fields <= _KNOWN_FIELDS


def parse_document(content: bytes) -> Document:
    """Take a model apart."""
    model = Message(content)
    graph = model.message(MODEL_GRAPH)
    if graph is None:
        raise ModelFileError("it holds no graph")
    constants = {message.text(8): message for message in graph.messages(5, most=_MAX_NODES)}
    nodes = [_node(message) for message in graph.messages(GRAPH_NODE, most=_MAX_NODES)]
    for node in nodes:
        value = node.attributes["value"].message.message(5) if _is_constant(node) else None
        if value is not None and len(node.outputs) == 1:
            constants[node.outputs[0]] = value
    inputs = [_input(message) for message in graph.messages(11, most=_MAX_INPUTS)]
    return Document(
        nodes=tuple(node for node in nodes if not _is_constant(node)),
        inputs=tuple(given for given in inputs if given.name not in constants),
        outputs=tuple(message.text(1) for message in graph.messages(GRAPH_OUTPUT, most=_MAX_NODES)),
        constants=constants,
        producer=_producer(model.text(2), model.text(3)),
        message=model,
        n_bytes=len(content),
    )


def _node(message: Message) -> Node:
    found = message.messages(NODE_ATTRIBUTE, most=_MAX_ATTRIBUTES)
    attributes = {attribute.text(1): Attribute(attribute.text(1), attribute) for attribute in found}
    if len(attributes) < len(found):
        raise ModelFileError(f"a node {message.text(4)!r} has an attribute twice")
    return Node(
        operator=message.text(4),
        domain=message.text(7),
        inputs=tuple(message.texts(1)),
        outputs=tuple(message.texts(2)),
        attributes=attributes,
        message=message,
    )


def _producer(name: str, version: str) -> str:
    """Name and version of what wrote the file; CatBoost writes a page about its build."""
    number = re.search(r"\d+(\.\d+)+", version)
    return f"{name[:40]} {number[0][:20] if number else ''}".strip() or "unknown"


def _is_constant(node: Node) -> bool:
    return node.operator == "Constant" and "value" in node.attributes


def _input(message: Message) -> Input:
    kind = message.message(2)
    tensor = None if kind is None else kind.message(1)
    if tensor is None:
        return Input(message.text(1), 0, None)
    shape = tensor.message(2)
    sizes = [] if shape is None else shape.messages(1, most=16)
    width = sizes[1].integer(1, -1) if len(sizes) > 1 else -1
    return Input(message.text(1), tensor.integer(1), width if width > 0 else None)


def tensor_of(message: Message) -> NDArray[Any]:
    """Numbers of a tensor, in its shape."""
    kind = message.integer(2)
    if message.integer(14) or message.contents(13):
        raise UnsupportedModelError(
            "it keeps numbers in another file, which glasswood does not open; save it as one file: "
            "onnx.save(onnx.load(path), 'one.onnx')"
        )
    if kind not in DTYPES:
        raise UnsupportedModelError(f"it holds a tensor of type {TYPE_NAMES.get(kind, kind)}, which is not read")
    shape = message.integers(1)
    raw = message.content(9)
    if raw:
        dtype = np.dtype(DTYPES[kind])
        if len(raw) % dtype.itemsize:
            raise ModelFileError("the numbers of a tensor in it are cut off")
        values: NDArray[Any] = np.frombuffer(raw, dtype)
    elif kind == FLOAT:
        values = message.floats(4, "<f4").astype(np.float32)
    elif kind == DOUBLE:
        values = message.floats(10, "<f8")
    else:
        values = message.integers(7 if kind == INT64 else 5).astype(DTYPES[kind])
    return _shaped(values, shape)


def _shaped(values: NDArray[Any], shape: NDArray[np.int64]) -> NDArray[Any]:
    if len(shape) > 8 or np.any(shape < 0) or np.any(shape > 2**31) or _product(shape) != len(values):
        raise ModelFileError(f"a tensor in it has {len(values)} numbers, which do not fit its shape")
    return values.reshape(tuple(shape.tolist()))


def _product(sizes: Sequence[int] | NDArray[np.int64]) -> int:
    total = 1
    for size in sizes:
        total *= int(size)
    return total


def _as_float64(values: NDArray[Any], name: str) -> NDArray[np.float64]:
    if values.dtype.kind != "f":
        raise ModelFileError(f"the attribute {name!r} does not hold floats")
    with np.errstate(all="ignore"):
        return values.ravel().astype(np.float64)
