"""Feature names: how results are asked for a feature, by name or by its position in the model."""

from collections.abc import Sequence

import numpy as np


def feature_name(key: str | int, names: Sequence[str]) -> str:
    """Name of the feature a key stands for; KeyError where the model has none."""
    if isinstance(key, int | np.integer):
        if not -len(names) <= key < len(names):
            raise KeyError(f"there is no feature {key}; the model has {len(names)}")
        return names[int(key)]
    if key not in names:
        raise KeyError(f"the model has no feature {key!r}; it has {', '.join(map(repr, names[:20]))}")
    return key
