"""XGBoost boosters, estimators, and JSON and UBJSON files, read from the saved model."""

from glasswood.readers.xgboost._ask import ask, ask_as_read, ask_opened, open_file, predicted
from glasswood.readers.xgboost._reader import fingerprint, read_file, read_model, recognises, written

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
