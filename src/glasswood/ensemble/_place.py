"""Place: where the features and levels of one model are in a schema that it shares with others."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._category_set import pack_set, unpack_set
from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._schema import FeatureSchema


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where the features of one model are in the united schema."""

    feature: NDArray[np.int32]  # (n_features,) position of each feature
    codes: tuple[NDArray[np.int64] | None, ...]  # per feature the new code of each level; None for a number

    def then(self, later: "Place") -> "Place":
        """The place after the united schema was united once more."""
        codes = []
        for known, at in zip(self.codes, self.feature.tolist(), strict=True):
            moved = later.codes[at]
            # a schema without codes for a category: no tree splits on it
            codes.append(None if known is None or moved is None else moved[known])
        return Place(later.feature[self.feature], tuple(codes))


def placed(model: Ensemble, place: Place, schema: FeatureSchema) -> dict[str, Any]:
    """The arrays of a model that change with its features and levels; one category set for each split."""
    inner = model.feature >= 0
    feature = np.full(model.n_nodes, -1, dtype=np.int32)
    feature[inner] = place.feature[model.feature[inner]]
    category_set = np.full(model.n_nodes, -1, dtype=np.int32)
    words: list[NDArray[np.uint64]] = []
    for number, node in enumerate(np.flatnonzero(model.category_set >= 0)):
        old = int(model.feature[node])
        codes = place.codes[old]
        assert codes is not None
        # a level that this model does not know goes where it sends levels it has never seen
        members = np.full(schema.n_levels[place.feature[old]], bool(model.unseen_left[node]))
        first, last = model.set_start[model.category_set[node] : model.category_set[node] + 2]
        flags = np.zeros(len(codes), dtype=bool)
        known = unpack_set(model.set_bits[first:last])[: len(codes)]
        flags[: len(known)] = known
        members[codes] = flags
        category_set[node] = number
        words.append(pack_set(members))
    lengths = [len(word) for word in words]
    return {
        "feature": feature,
        "category_set": category_set,
        "set_start": np.cumsum([0, *lengths]),
        "set_bits": np.concatenate([np.zeros(0, dtype=np.uint64), *words]),
    }
