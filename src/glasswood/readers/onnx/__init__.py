"""ONNX models with a tree ensemble, read from their bytes: files, and ModelProto objects."""

from glasswood.readers.onnx._ask import ask, ask_as_read, ask_opened, open_file, predicted
from glasswood.readers.onnx._reader import fingerprint, read_file, read_model, recognises, written

__all__ = [
    "ask",
    "ask_as_read",
    "ask_opened",
    "fingerprint",
    "open_file",
    "predicted",
    "read_file",
    "read_model",
    "recognises",
    "written",
]
