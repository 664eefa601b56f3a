"""Conditions: what the splits of a model test, each as a truth table over groups of values of its features.

The values of a feature have codes: for a category its levels, then one code for all unseen levels; for a number the
intervals between the borders it is compared with. Codes that a condition cannot distinguish, whatever the other
features are, form a group. A border or a level has one feature with two groups; a CTR of a combination has several
features.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError
from glasswood.readers.catboost._ctr_keys import DecodedKeys
from glasswood.readers.catboost._ctr_values import ctr_values
from glasswood.readers.catboost._model_content import Ctr, ModelContent
from glasswood.readers.catboost._refuse import refuse_combination

_MAX_CELLS = 2**22  # of a truth table
# codes of the conditions that are kept, 64 MiB: every border of a CTR may list all levels again, so that a small file
# could ask for borders × levels of them; conditions beyond it are made anew for each tree, which only takes longer
_MAX_KEPT = 2**23


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """A feature of a condition, and the group of each of its codes."""

    feature: int  # its position among the numbers, then the categories
    group: NDArray[np.int64]  # (n_codes,)
    borders: tuple[float, ...] = ()  # of a number, ascending: code k is above the first k borders


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """What a split tests; rows for which it is true go right."""

    axes: tuple[Axis, ...]  # the features that matter; a single feature with one group if the result is constant
    truth: NDArray[np.bool_]  # one dimension per axis, one entry per group

    @property
    def is_plain(self) -> bool:
        """Whether one ordinary split is equivalent."""
        if len(self.axes) != 1:
            return False
        borders = self.axes[0].borders
        return not borders or (len(borders) == 1 and self.truth.tolist() == [False, True])


@dataclass(frozen=True, slots=True, eq=False)
class _Codes:
    """A feature of a CTR, and what each of its codes contributes to the key."""

    feature: int
    columns: tuple[int, ...]  # the parts of the key that belong to it
    values: NDArray[np.int64]  # (n_codes, n_columns); −1 occurs in no key
    borders: tuple[float, ...]


class Conditions:
    """All conditions that splits can use, made on demand; those of combinations are kept."""

    def __init__(self, parts: ModelContent, decoded: Mapping[int, DecodedKeys]) -> None:
        self._parts, self._decoded = parts, decoded
        counts = [len(feature.borders) for feature in parts.floats]
        counts += [feature.n_split_off for feature in parts.categories]
        counts += [len(ctr.borders) for ctr in parts.ctrs]
        self._first = np.concatenate([[0], np.cumsum(np.array(counts, dtype=np.int64))])
        self._kept: dict[int, Condition] = {}
        self._n_kept = 0
        self._codes: dict[int, list[_Codes]] = {}
        for borders in (*(f.borders for f in parts.floats), *(ctr.borders for ctr in parts.ctrs)):
            if np.any(np.isnan(borders)):
                raise ModelFileError("a border is not a number")

    def __len__(self) -> int:
        return int(self._first[-1])

    def __getitem__(self, number: int) -> Condition:
        found = self._kept.get(number)
        if found is None:
            found = self._make(number)
            self._n_kept += 0 if found.is_plain else sum(len(axis.group) for axis in found.axes)
            if not found.is_plain and self._n_kept <= _MAX_KEPT:
                self._kept[number] = found
        return found

    def names(self, features: Iterable[int]) -> list[str]:
        """Names of features, or their positions in the table."""
        every = self._parts.features
        return [every[k].name or str(every[k].flat_index) for k in features]

    def _make(self, number: int) -> Condition:
        owner = int(np.searchsorted(self._first, number, side="right")) - 1
        at = number - int(self._first[owner])
        n_floats, n_features = len(self._parts.floats), len(self._parts.features)
        if owner < n_floats:
            border = float(self._parts.floats[owner].borders[at])
            return Condition((Axis(owner, np.array([0, 1]), (border,)),), np.array([False, True]))
        if owner < n_features:
            n_codes = len(self._parts.categories[owner - n_floats].hashes) + 1
            return Condition((Axis(owner, (np.arange(n_codes) == at).astype(np.int64)),), np.array([False, True]))
        return self._of_ctr(owner - n_features, at)

    def _of_ctr(self, number: int, at: int) -> Condition:
        """Condition of a CTR: only keys with another result than unknown keys distinguish the codes of a feature."""
        ctr = self._parts.ctrs[number]
        if number not in self._codes:
            self._codes[number] = _codes(ctr, self._parts)
        codes, decoded = self._codes[number], self._decoded[id(ctr.table)]
        above = ctr_values(ctr) > ctr.borders[at]
        usual = bool(above[-1])
        exceptions = decoded.parts[above[decoded.key] != usual]
        of_code, of_exception = _numbered(codes, exceptions)
        groups = [_groups(of_code[k], of_exception, k) for k in range(len(codes))]
        shape = [int(group.max(initial=0)) + 1 for group, _ in groups]
        if np.prod(shape, dtype=float) > _MAX_CELLS:
            raise refuse_combination(self.names(c.feature for c in codes), "too many of their levels differ")
        truth = np.full(shape, usual)
        truth[tuple(of_id[of_exception[:, k]] for k, (_, of_id) in enumerate(groups))] = not usual
        axes = [Axis(c.feature, group, c.borders) for c, (group, _) in zip(codes, groups, strict=True)]
        kept = [k for k, n in enumerate(shape) if n > 1]
        if not kept:  # a split on a category that sends all its levels to one side
            kept = [k for k, axis in enumerate(axes) if not axis.borders and len(axis.group) > 1][:1]
        return Condition(tuple(axes[k] for k in kept), truth.reshape([shape[k] for k in kept]))


def _codes(ctr: Ctr, parts: ModelContent) -> list[_Codes]:
    """What the codes of each feature contribute to the key of a CTR."""
    asked = ctr.combination
    place = {feature.index: k for k, feature in enumerate(parts.categories)}
    float_place = {feature.index: k for k, feature in enumerate(parts.floats)}
    if not {index for index, _ in asked.borders} <= float_place.keys():
        raise ModelFileError("a CTR is taken over a number that does not exist")
    n_categories, n_floats = len(asked.categories), len(parts.floats)
    columns: dict[int, list[int]] = {}
    for column, index in enumerate(asked.categories):
        columns.setdefault(n_floats + place[index], []).append(column)
    for column, (index, _) in enumerate(asked.borders, n_categories):
        columns.setdefault(float_place[index], []).append(column)
    for column, (index, _) in enumerate(asked.levels, n_categories + len(asked.borders)):
        columns.setdefault(n_floats + place[index], []).append(column)
    found = []
    for feature, own in columns.items():
        if feature < n_floats:
            tested = [asked.borders[column - n_categories][1] for column in own]
            borders = tuple(sorted(set(tested)))
            values = np.arange(len(borders) + 1)[:, None] > np.array([borders.index(border) for border in tested])
            found.append(_Codes(feature, tuple(own), values.astype(np.int64), borders))
            continue
        hashes = np.append(np.array(parts.categories[feature - n_floats].hashes, dtype=np.int64), -1)
        first = n_categories + len(asked.borders)
        each = [hashes if column < n_categories else hashes == asked.levels[column - first][1] for column in own]
        found.append(_Codes(feature, tuple(own), np.column_stack(each).astype(np.int64), ()))
    return found


def _numbered(codes: list[_Codes], exceptions: NDArray[np.int64]) -> tuple[list[NDArray[np.int64]], NDArray[np.int64]]:
    """Number what features contribute to keys: for each code of a feature, and (n, n_features) for the exceptions.

    Exceptions that no code leads to are left out: a number cannot be above a high border and not above a low one.
    """
    of_code, of_exception, possible = [], [], np.ones(len(exceptions), dtype=bool)
    for feature in codes:
        both = np.concatenate([feature.values, exceptions[:, feature.columns]])
        one = both[:, 0] if both.shape[1] == 1 else both
        ids = np.unique(one, axis=None if both.shape[1] == 1 else 0, return_inverse=True)[1].reshape(-1)
        own = ids[: len(feature.values)]
        of_code.append(own)
        of_exception.append(ids[len(own) :])
        possible &= np.isin(of_exception[-1], own)
    return of_code, np.unique(np.column_stack(of_exception)[possible], axis=0)


def _groups(
    of_code: NDArray[np.int64], exceptions: NDArray[np.int64], k: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Group of every code of feature k, and group by number: codes with the same exceptions elsewhere are equal."""
    if not len(exceptions):
        return np.zeros(len(of_code), dtype=np.int64), np.zeros(1, dtype=np.int64)
    others = np.delete(exceptions, k, axis=1)
    partner = np.zeros(len(exceptions), dtype=np.int64)
    if others.shape[1]:
        partner = np.unique(others, axis=0, return_inverse=True)[1].reshape(-1)
    order = np.lexsort((partner, exceptions[:, k]))
    ids, first = np.unique(exceptions[order, k], return_index=True)
    of_id = np.zeros(max(int(of_code.max()), int(ids[-1])) + 1, dtype=np.int64)
    seen: dict[bytes, int] = {}
    for own, run in zip(ids.tolist(), np.split(partner[order], first[1:]), strict=True):
        of_id[own] = seen.setdefault(run.tobytes(), len(seen) + 1)
    used, group = np.unique(of_id[of_code], return_inverse=True)
    renumbered = np.zeros(len(seen) + 1, dtype=np.int64)
    renumbered[used] = np.arange(len(used))
    return group.reshape(-1), renumbered[of_id]
