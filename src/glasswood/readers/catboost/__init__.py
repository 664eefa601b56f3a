"""CatBoost models, read from the files it saves: binary `.cbm` and `.json`."""

from glasswood.readers.catboost._reader import (
    ask,
    ask_as_read,
    ask_opened,
    fingerprint,
    open_file,
    predicted,
    read_file,
    read_model,
    recognises,
    written,
)

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
