"""Old binary files: what XGBoost wrote before JSON, as the document that JSON would have been.

Everything is little-endian and of fixed size: 136 bytes of parameters, two names, the parameters of the trees, each
tree as records of nodes and of statistics, the output of each tree, the weights of DART, and attributes.
"""

import re
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError, UnsupportedModelError

_PARAMETERS, _TREES, _TREE = 136, 160, 148  # bytes of parameters: of the model, of all trees, of one tree
_NODE = np.dtype([("parent", "<i4"), ("left", "<i4"), ("right", "<i4"), ("split", "<u4"), ("number", "<f4")])
_STATISTICS = np.dtype([("gain", "<f4"), ("hessian", "<f4"), ("weight", "<f4"), ("leaves", "<i4")])
_DEFAULT_LEFT = np.uint32(1 << 31)  # in the number of the split feature
_MAX_TEXT = 1 << 20
_MAX_ATTRIBUTES = 10_000


def is_old_xgboost(content: bytes) -> bool:
    """Recognise the old binary format: fixed parameters, then the names of objective and booster with their lengths."""
    at = _PARAMETERS + _start(content)
    for pattern in (rb"[\w:]{3,40}", rb"gbtree|gblinear|dart"):
        if len(content) < at + 8:
            return False
        (length,) = struct.unpack_from("<Q", content, at)
        if length > 40 or not re.fullmatch(pattern, content[at + 8 : at + 8 + length]):
            return False
        at += 8 + length
    return True


def _start(content: bytes) -> int:
    return 4 if content.startswith(b"binf") else 0


@dataclass(slots=True)
class _Bytes:
    """The file, and how far it has been read."""

    content: bytes
    name: str
    at: int = 0

    def take(self, n: int) -> bytes:
        if not 0 <= n <= len(self.content) - self.at:
            raise ModelFileError(f"{self.name}: the file is cut off")
        self.at += n
        return self.content[self.at - n : self.at]

    def numbers(self, code: str, size: int) -> tuple[Any, ...]:
        """Numbers at the beginning of a part of `size` bytes."""
        return struct.unpack_from("<" + code, self.take(size))

    def records(self, dtype: np.dtype[Any] | str, n: int) -> NDArray[Any]:
        kind = np.dtype(dtype)
        return np.frombuffer(self.take(kind.itemsize * n if n >= 0 else -1), kind)

    def text(self) -> str:
        (length,) = self.numbers("Q", 8)
        if length > _MAX_TEXT:
            raise ModelFileError(f"{self.name}: a text of {length} bytes")
        try:
            return self.take(length).decode()
        except UnicodeDecodeError as error:
            raise ModelFileError(f"{self.name}: a text is not UTF-8") from error


def parse_binary(content: bytes, name: str) -> dict[str, Any]:
    """The document of a binary file; `base_margin` is there where the file holds base_score on the raw scale."""
    source = _Bytes(content, name, _start(content))
    base_score, n_features, n_classes, has_attributes, _, major, minor = source.numbers("fIiiiII", _PARAMETERS)
    objective, booster = source.text(), source.text()
    if booster not in ("gbtree", "dart"):
        raise UnsupportedModelError(
            f"{name}: the booster {booster[:40]!r} has no trees glasswood could read; train with booster='gbtree' or "
            "'dart'"
        )
    (n_trees,) = source.numbers("i", _TREES)
    if not 0 <= n_trees <= len(content) // _TREE:
        raise ModelFileError(f"{name}: {n_trees} trees do not fit the file")
    trees = [_tree(source, number) for number in range(n_trees)]
    model: dict[str, Any] = {"trees": trees, "tree_info": source.records("<i4", n_trees).tolist()}
    gradient_booster: dict[str, Any] = {"name": booster, "model": model}
    if booster == "dart":
        (n_weights,) = source.numbers("Q", 8)
        weights = source.records("<f4", n_weights if n_weights <= len(content) else -1).tolist()
        gradient_booster = {"name": booster, "gbtree": {"model": model}, "weight_drop": weights}
    parameters: dict[str, Any] = {
        "base_score": repr(float(base_score)),
        "num_class": str(n_classes),
        "num_feature": str(n_features),
    }
    if major < 1:  # before 1.0 base_score was kept as raw; a tuple, which no JSON holds
        parameters["base_margin"] = (float(base_score),)
    return {
        "learner": {
            "attributes": _attributes(source) if has_attributes else {},
            "gradient_booster": gradient_booster,
            "learner_model_param": parameters,
            "objective": {"name": objective},
        },
        "version": [int(major), int(minor)] if major else [],
    }


def _tree(source: _Bytes, number: int) -> dict[str, Any]:
    _, n_nodes, _, _, _, width = source.numbers("iiiiIi", _TREE)
    if width > 1:
        raise UnsupportedModelError(f"{source.name}: tree {number} has leaves of {width} values")
    if n_nodes < 1:
        raise ModelFileError(f"{source.name}: tree {number} has {n_nodes} nodes")
    nodes, statistics = source.records(_NODE, n_nodes), source.records(_STATISTICS, n_nodes)
    leaf = nodes["left"] < 0
    return {
        "left_children": nodes["left"].tolist(),
        "right_children": nodes["right"].tolist(),
        "split_indices": np.where(leaf, 0, nodes["split"] & ~_DEFAULT_LEFT).tolist(),
        "default_left": (~leaf & ((nodes["split"] & _DEFAULT_LEFT) != 0)).astype(np.int64).tolist(),
        "split_conditions": nodes["number"].tolist(),
        "loss_changes": statistics["gain"].tolist(),
        "sum_hessian": statistics["hessian"].tolist(),
        "tree_param": {"size_leaf_vector": "1"},
    }


def _attributes(source: _Bytes) -> dict[str, str]:
    (n,) = source.numbers("Q", 8)
    if n > _MAX_ATTRIBUTES:
        raise ModelFileError(f"{source.name}: {n} attributes")
    return {source.text(): source.text() for _ in range(n)}
