"""LightGBM boosters, estimators and text files, read from the model text."""

from glasswood.readers.lightgbm._ask import ask, ask_as_read, ask_opened, open_file, predicted
from glasswood.readers.lightgbm._reader import fingerprint, read_file, read_model, recognises, written

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
