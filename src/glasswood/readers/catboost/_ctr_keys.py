"""CTR keys: the levels of categories that a key was computed from.

A table of a CTR stores only 64-bit keys. The key of a row is computed from its parts v₁ … vₙ (the hash of a level, or 0
and 1 for a test) by h ← M·(h + M·v), starting at 0; unrolled, it is the sum of Mⁿ⁻ᵏ⁺²·vₖ modulo 2⁶⁴. M is odd. If all
parts but one are known, the equation can be solved for that one, and the solution is correct if it fits into 32 bits.
This finds the levels of a category, which the file does not list elsewhere, and the combination of every key.
"""

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError
from glasswood.readers.catboost._model_content import Combination, ModelContent
from glasswood.readers.catboost._refuse import refuse_combination

_MAGIC = 0x4906BA494954CB65
_WORD = 2**64
_MAX_WORK = 2**30  # keys × combinations of the other parts, for all tables: some seconds
_CHUNK = 2**20

Levels = dict[int, NDArray[np.uint32]]  # hashes of the known levels, by the number of the category


@dataclass(frozen=True, slots=True, eq=False)
class DecodedKeys:
    """The parts of every key of a table."""

    key: NDArray[np.int64]  # (n,) position of the key in its table
    parts: NDArray[np.int64]  # (n, n_parts) hash of a level, or 0 and 1


def decode_tables(parts: ModelContent) -> tuple[ModelContent, dict[int, DecodedKeys]]:
    """The parts with all levels found in CTR tables, and the combinations of each table, by its `id`."""
    decoder = _Decoder(parts)
    decoded = decoder.decode_all()
    categories = []
    for feature in parts.categories:
        more = np.setdiff1d(decoder.known[feature.index], np.array(feature.hashes, dtype=np.uint32))
        categories.append(dataclasses.replace(feature, hashes=(*feature.hashes, *more.tolist())))
    return dataclasses.replace(parts, categories=tuple(categories)), decoded


class _Decoder:
    """Decodes table after table; levels found in one help with the next."""

    def __init__(self, parts: ModelContent) -> None:
        self._parts = parts
        self.known = _asked_levels(parts)
        self._complete: set[int] = set()  # categories with a decoded table, which contains all their levels
        self._work = 0

    def decode_all(self) -> dict[int, DecodedKeys]:
        """Decode all tables, starting with those that have at most one category with unknown levels."""
        waiting = {id(ctr.table): (ctr.combination, ctr.table) for ctr in self._parts.ctrs}
        memory: dict[tuple[Combination, bytes], DecodedKeys] = {}
        decoded: dict[int, DecodedKeys] = {}
        while waiting:
            ready = {at: item for at, item in waiting.items() if len(set(item[0].categories) - self._complete) <= 1}
            if not ready:
                names = (c for item in waiting.values() for c in item[0].categories if c not in self._complete)
                raise self._refusal(names, "the file does not tell their levels")
            for at, (combination, table) in ready.items():
                del waiting[at]
                same = (combination, table.keys.tobytes())
                if same not in memory:
                    memory[same] = self._decode(combination, table.keys)
                decoded[at] = memory[same]
                self._complete.update(combination.categories)
        return decoded

    def _decode(self, combination: Combination, keys: NDArray[np.uint64]) -> DecodedKeys:
        """Solve for the category with unknown levels, or with most levels; for others if keys remain unexplained.

        Known categories may have new levels too: a Counter can have counted rows that no other table contains.
        """
        roles = sorted(combination.categories, key=lambda c: (c in self._complete, -len(self.known[c])))
        for role in roles:
            found = self._solve(combination, keys, role)
            levels = found.parts[:, combination.categories.index(role)]
            self.known[role] = np.union1d(self.known[role], levels.astype(np.uint32))
            if len(np.unique(found.key)) == len(keys):
                return found
        raise self._refusal(roles, "a key of its table does not belong to known levels")

    def _solve(self, combination: Combination, keys: NDArray[np.uint64], role: int) -> DecodedKeys:
        """All ways to compute the keys from known parts and any level of the category `role`."""
        given = [_as_word(self.known[c]) for c in combination.categories]
        given += [np.arange(2, dtype=np.uint64)] * (len(combination.borders) + len(combination.levels))
        factors = [pow(_MAGIC, len(given) - k + 1, _WORD) for k in range(len(given))]
        at = combination.categories.index(role)
        given[at] = np.zeros(1, dtype=np.uint64)
        sizes = [len(values) for values in given]
        n_others = math.prod(sizes)
        self._work += n_others * max(len(keys), 64)
        if self._work > _MAX_WORK:
            raise self._refusal(combination.categories, "they have too many combinations of levels")
        sums = np.zeros(1, dtype=np.uint64)
        for factor, values in zip(factors, given, strict=True):
            sums = (sums[:, None] + np.uint64(factor) * values).ravel()
        inverse = np.uint64(pow(factors[at], -1, _WORD))
        step = max(1, _CHUNK // max(1, len(keys)))
        found = [(np.zeros(0, dtype=np.int64),) * 3]
        for first in range(0, n_others, step):
            solved = ((keys - sums[first : first + step, None]) * inverse).view(np.int64)
            other, key = np.nonzero((solved >= -(2**31)) & (solved < 2**31))
            found.append((other + first, key, solved[other, key]))
        others, key, level = (np.concatenate(column) for column in zip(*found, strict=True))
        places = np.unravel_index(others, sizes) if n_others else [others] * len(sizes)
        columns = [values[place].astype(np.int64) & 0xFFFFFFFF for values, place in zip(given, places, strict=True)]
        columns[at] = level & 0xFFFFFFFF
        return DecodedKeys(key=key, parts=np.column_stack(columns))

    def _refusal(self, categories: Iterable[int], why: str) -> Exception:
        names = {feature.index: feature.name or str(feature.flat_index) for feature in self._parts.categories}
        return refuse_combination([names[category] for category in dict.fromkeys(categories)], why)


def _as_word(hashes: NDArray[np.uint32]) -> NDArray[np.uint64]:
    """Hashes as CatBoost puts them into a key: as signed 32-bit numbers."""
    return hashes.view(np.int32).astype(np.int64).view(np.uint64)


def _asked_levels(parts: ModelContent) -> Levels:
    """Levels that splits and combinations test directly."""
    levels = {feature.index: set(feature.hashes) for feature in parts.categories}
    for ctr in parts.ctrs:
        asked = ctr.combination
        if not asked.categories or not {*asked.categories, *(c for c, _ in asked.levels)} <= levels.keys():
            raise ModelFileError("a CTR is taken over a category that does not exist, or over none")
        if len(set(asked.categories)) < len(asked.categories):
            raise ModelFileError("a CTR is taken over a category twice")
        for category, level in asked.levels:
            levels[category].add(level)
    return {category: np.array(sorted(hashes), dtype=np.uint32) for category, hashes in levels.items()}
