"""Feature names: results take a feature by its name or by its position in the model."""

from collections.abc import Sequence

import numpy as np

from glasswood._checks import did_you_mean
from glasswood.errors import KeyNotFoundError


def feature_name(key: str | int, names: Sequence[str]) -> str:
    """Name of the feature that a key means; KeyNotFoundError if the model has no such feature."""
    if isinstance(key, int | np.integer) and not isinstance(key, bool):
        if not -len(names) <= key < len(names):
            raise KeyNotFoundError(f"there is no feature {key}; the model has {len(names)}")
        return names[int(key)]
    if not isinstance(key, str) or key not in names:
        hint = did_you_mean(key, names) if isinstance(key, str) else ""
        raise KeyNotFoundError(f"the model has no feature {key!r}{hint or f'; it has {_some(names)}'}")
    return key


def _some(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names[:20])) + (", …" if len(names) > 20 else "")
