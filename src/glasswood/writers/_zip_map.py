"""ZipMap: probabilities of classes by their labels, as an operator of ONNX gives them."""

import numpy as np

from glasswood.ensemble import Ensemble, Label
from glasswood.errors import UnsupportedModelError
from glasswood.writers import _onnx_file as onnx
from glasswood.writers._protobuf import put_bytes, put_integer

PROBABILITIES = "probabilities"  # name of the output
_INT64, _STRING = 7, 8  # types of keys


def class_keys(ensemble: Ensemble) -> list[int] | list[str]:
    """Labels of the classes as ONNX can hold them: whole numbers, or else texts."""
    classes = ensemble.source.classes
    if (
        len(classes) < 2
        or ensemble.n_outputs not in (1, len(classes))
        or (len(classes) > 2 and ensemble.n_outputs == 1)
    ):
        raise UnsupportedModelError("classes 'zipmap' needs a model that knows two or more classes; leave it out")
    if all(_is_whole(label) for label in classes):
        return [int(label) for label in classes]
    return [str(label) for label in classes]


def zip_map(ensemble: Ensemble, kind: int) -> tuple[list[bytes], list[bytes], bytes]:
    """Operators and constants that make dicts of the prediction, and the output; ZipMap takes float32 alone."""
    keys = class_keys(ensemble)
    nodes, constants, shares = [], [], "prediction"
    if ensemble.n_outputs == 1:
        constants.append(onnx.tensor(np.ones(1), kind, "one"))
        nodes.append(onnx.operator("Sub", ["one", "prediction"], "first class"))
        nodes.append(onnx.operator("Concat", ["first class", "prediction"], "shares", onnx.integer("axis", 1)))
        shares = "shares"
    nodes.append(onnx.operator("Cast", [shares], "float shares", onnx.integer("to", onnx.FLOAT)))
    if isinstance(keys[0], str):
        labels, key_type = onnx.texts("classlabels_strings", [str(key) for key in keys]), _STRING
    else:
        labels, key_type = onnx.integers("classlabels_int64s", np.array(keys, dtype=np.int64)), _INT64
    nodes.append(onnx.operator("ZipMap", ["float shares"], PROBABILITIES, labels, domain=onnx.TREES))
    return nodes, constants, _dicts(PROBABILITIES, key_type)


def _dicts(name: str, key_type: int) -> bytes:
    """An output that is a list of dicts of float32."""
    number = put_bytes(1, put_integer(1, onnx.FLOAT))
    of_map = put_bytes(5, put_integer(1, key_type) + put_bytes(2, number))
    return put_bytes(1, name.encode()) + put_bytes(2, put_bytes(4, put_bytes(1, of_map)))


def _is_whole(label: Label) -> bool:
    return not isinstance(label, str) and float(label).is_integer() and abs(label) < 2**53
