"""ONNX files: operators, their attributes and a model, as bytes."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from glasswood.writers._protobuf import put_bytes, put_integer, put_integers

FLOAT, UINT8, DOUBLE = 1, 2, 11  # types of elements
TREES = "ai.onnx.ml"  # the operators of trees
_INT, _TEXT, _TENSOR, _INTS, _TEXTS = 2, 3, 4, 7, 8  # kinds of attributes
_IR_VERSION, _OPSET = 8, 18
_DTYPES = {FLOAT: "<f4", UINT8: "<u1", DOUBLE: "<f8"}


def operator(kind: str, inputs: Sequence[str], output: str, *attributes: bytes, domain: str = "") -> bytes:
    """A node of the graph."""
    parts = [put_bytes(1, name.encode()) for name in inputs]
    parts += [put_bytes(2, output.encode()), put_bytes(4, kind.encode())]
    parts += [put_bytes(5, attribute) for attribute in attributes]
    return b"".join([*parts, put_bytes(7, domain.encode())] if domain else parts)


def integer(name: str, number: int) -> bytes:
    """An attribute that is a whole number."""
    return _attribute(name, _INT, put_integer(3, number))


def integers(name: str, numbers: NDArray[np.integer] | NDArray[np.bool_]) -> bytes:
    """An attribute that is a list of whole numbers."""
    return _attribute(name, _INTS, put_integers(8, numbers.astype(np.int64).tolist()))


def text(name: str, content: str) -> bytes:
    """An attribute that is a text."""
    return _attribute(name, _TEXT, put_bytes(4, content.encode()))


def texts(name: str, contents: Sequence[str]) -> bytes:
    """An attribute that is a list of texts."""
    return _attribute(name, _TEXTS, b"".join(put_bytes(9, content.encode()) for content in contents))


def tensor_attribute(name: str, numbers: NDArray[np.generic], kind: int) -> bytes:
    """An attribute that is a list of numbers of a type."""
    return _attribute(name, _TENSOR, put_bytes(5, tensor(numbers, kind)))


def tensor(numbers: NDArray[np.generic], kind: int, name: str = "") -> bytes:
    """A list of numbers of a type; with a name it is a constant of the graph."""
    raw = put_bytes(9, numbers.astype(_DTYPES[kind]).tobytes())
    return put_integers(1, numbers.shape) + put_integer(2, kind) + (put_bytes(8, name.encode()) if name else b"") + raw


def model(
    nodes: Sequence[bytes],
    constants: Sequence[bytes],
    given: tuple[str, int, int],
    outputs: Sequence[tuple[str, int, int]],
    *,
    tree_opset: int,
    properties: dict[str, str],
    more_outputs: Sequence[bytes] = (),
) -> bytes:
    """A model; input and outputs are tables, given by name, type and number of columns; others as they are."""
    graph = [*(put_bytes(1, node) for node in nodes), put_bytes(2, b"glasswood")]
    graph += [put_bytes(5, constant) for constant in constants]
    graph += [put_bytes(11, _table(*given)), *(put_bytes(12, _table(*output)) for output in outputs)]
    graph += [put_bytes(12, output) for output in more_outputs]
    opsets = [put_integer(2, _OPSET), put_bytes(1, TREES.encode()) + put_integer(2, tree_opset)]
    named = [put_bytes(1, key.encode()) + put_bytes(2, value.encode()) for key, value in properties.items()]
    return b"".join(
        [
            put_integer(1, _IR_VERSION),
            put_bytes(2, b"glasswood"),
            put_bytes(7, b"".join(graph)),
            *(put_bytes(8, opset) for opset in opsets),
            *(put_bytes(14, entry) for entry in named),
        ]
    )


def _attribute(name: str, kind: int, content: bytes) -> bytes:
    return put_bytes(1, name.encode()) + content + put_integer(20, kind)


def _table(name: str, kind: int, n_columns: int) -> bytes:
    rows, columns = put_bytes(2, b"n_rows"), put_integer(1, n_columns)
    shape = put_bytes(1, rows) + put_bytes(1, columns)
    return put_bytes(1, name.encode()) + put_bytes(2, put_bytes(1, put_integer(1, kind) + put_bytes(2, shape)))
