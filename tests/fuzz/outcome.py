"""Outcome of reading a damaged file: read or refused; any other exception is a defect."""

import numpy as np

import glasswood as gw
from glasswood.ensemble import is_glasswood, loads
from glasswood.readers._registry import file_reader_of

_ODD_ROW_VALUES = np.array([0.0, np.nan, -1e30, 1e30, 3.0])
_MAX_FEATURES = 10_000


def outcome(content: bytes, name: str) -> str:
    """``"read"`` or ``"refused"``; an ensemble that was read is valid and can be used."""
    try:
        ensemble = (
            loads(content, name) if is_glasswood(content) else file_reader_of(content, name).read_file(content, name)
        )
    except (gw.ModelFileError, gw.UnsupportedModelError):
        return "refused"
    ensemble._validate()
    str(ensemble)
    if len(ensemble.features) <= _MAX_FEATURES:
        rows = np.repeat(_ODD_ROW_VALUES[:, None], len(ensemble.features), axis=1)
        assert ensemble.predict_raw(rows).shape[0] == len(rows)
        assert ensemble.apply(rows).shape == (len(rows), ensemble.n_trees)
    return "read"
