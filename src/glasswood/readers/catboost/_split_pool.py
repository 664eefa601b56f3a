"""Split pool: the distinct splits of the trees, each stored once, and the node arrays of an Ensemble."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import float32_at_most, pack_set
from glasswood.errors import UnsupportedModelError
from glasswood.readers.catboost._conditions import Condition
from glasswood.readers.catboost._model_content import ModelContent

_MIN_WORDS, _MAX_WORDS = 2**18, 2**24  # of category sets, 2 to 128 MiB by the size of the file


class SplitPool:
    """Splits on single features, by number."""

    def __init__(self, parts: ModelContent, column: NDArray[np.int64]) -> None:
        self._parts, self._column = parts, column
        self._feature: list[int] = []
        self._border: list[float] = []  # NaN for a set
        self._missing_left: list[bool] = []
        self._set: list[int] = []  # −1 for a border
        self._words: list[NDArray[np.uint64]] = []
        self._n_words = 0
        self._max_words = min(_MAX_WORDS, _MIN_WORDS + 8 * parts.n_bytes)
        self._known: dict[Any, int] = {}
        self._known_sets: dict[bytes, int] = {}

    def plain(self, condition: Condition) -> int:
        """Number of the split that is equivalent to a plain condition."""
        (axis,) = condition.axes
        if axis.borders:
            return self.border(axis.feature, axis.borders[0])
        return self.levels(axis.feature, ~condition.truth[axis.group])

    def border(self, feature: int, border: float) -> int:
        """Number of the split that sends values above a border to the right."""
        key = (feature, border)
        if key not in self._known:
            self._known[key] = self._add(feature)
            self._border.append(border)
            # a missing value that goes right counts as +∞, which is not above an infinite border
            self._missing_left.append(not self._parts.floats[feature].missing_right or border == np.inf)
            self._set.append(-1)
        return self._known[key]

    def levels(self, feature: int, left: NDArray[np.bool_]) -> int:
        """Number of the split that sends these levels to the left; the last entry of `left` is for unseen levels."""
        words = pack_set(left[:-1])
        content = words.tobytes()
        unseen_left = bool(left[-1])
        key = (feature, content, unseen_left)
        if key not in self._known:
            if content not in self._known_sets:
                self._n_words += len(words)
                if self._n_words > self._max_words:
                    raise UnsupportedModelError(
                        "the model has too many different sets of category levels for glasswood to hold"
                    )
                self._known_sets[content] = len(self._words)
                self._words.append(words)
            self._known[key] = self._add(feature)
            self._border.append(np.nan)
            self._missing_left.append(unseen_left)
            self._set.append(self._known_sets[content])
        return self._known[key]

    def arrays(self, split: NDArray[np.int64]) -> dict[str, NDArray[Any]]:
        """Node arrays of `build_ensemble`; `split` is the number of each node's split, −1 in leaves."""
        border = np.array(self._border, dtype=np.float64)
        threshold = np.where(np.isnan(border), np.nan, float32_at_most(border))
        missing_left, category_set = np.array(self._missing_left, dtype=bool), np.array(self._set, dtype=np.int64)
        # index −1, used for leaves, selects the last entry
        every = {
            "feature": np.append(self._column[np.array(self._feature, dtype=np.int64)], -1),
            "threshold": np.append(threshold, np.nan),
            "stated_threshold": np.append(border, np.nan),
            "missing_left": np.append(missing_left, False),
            "category_set": np.append(category_set, -1),
            # missing categories go where unseen categories go
            "unseen_left": np.append(missing_left & (category_set >= 0), False),
        }
        nodes = {name: values[split] for name, values in every.items()}
        used, place = np.unique(nodes["category_set"][nodes["category_set"] >= 0], return_inverse=True)
        nodes["category_set"][nodes["category_set"] >= 0] = place.reshape(-1)
        words = [self._words[number] for number in used.tolist()]
        return {
            **nodes,
            "set_start": np.concatenate([[0], np.cumsum(np.array([len(own) for own in words], dtype=np.int64))]),
            "set_bits": np.concatenate([np.zeros(0, dtype=np.uint64), *words]),
        }

    def _add(self, feature: int) -> int:
        self._feature.append(feature)
        return len(self._feature) - 1
