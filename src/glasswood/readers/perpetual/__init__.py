"""perpetual models, read from the JSON that `json_dump` returns and `save_booster` writes."""

from glasswood.readers.perpetual._reader import (
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
