"""CategoryColumns: the category features, their labels, and the sets of their splits."""

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label, join_names
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.xgboost._document import Part, whole
from glasswood.readers.xgboost._trees import FlatTrees

_MEMORY = 1 << 26  # bytes that category sets and labels may use in addition to the size of the file
_LABEL_BYTES = 40


@dataclass(frozen=True, slots=True, eq=False)
class CategoryColumns:
    """Labels per feature, and one set per category split: the categories that go left."""

    labels: tuple[tuple[Label, ...] | None, ...]  # None for a number
    coded: NDArray[np.bool_]  # no labels were kept, or they cannot be trusted
    set_start: NDArray[np.int64]
    set_bits: NDArray[np.uint64]
    notes: tuple[str, ...]


def read_categories(
    model: Part, trees: FlatTrees, names: tuple[str, ...], types: list[str], n_bytes: int
) -> CategoryColumns:
    """Find the category features and convert the sets; XGBoost stores the categories that go right."""
    n_features = len(names)
    used = trees.feature[trees.is_category]
    owner = np.repeat(np.arange(len(used)), trees.set_size[trees.is_category])
    member = trees.set_member
    if np.any(member < 0):
        raise ModelFileError(f"{model.path}: a category set has a negative category")
    highest = np.zeros(n_features, dtype=np.int64)
    np.maximum.at(highest, used[owner], member)
    kept = _kept_labels(model, n_features)
    labels: list[tuple[Label, ...] | None] = [None] * n_features
    coded = np.zeros(n_features, dtype=bool)
    damaged = []
    spent = 0
    for j in sorted(set(np.unique(used).tolist()) | {j for j, kind in enumerate(types) if kind == "c"}):
        found = kept.get(j)
        if found is None or isinstance(found, int):
            coded[j] = True
            spent += int(highest[j]) * _LABEL_BYTES
            _check_memory(spent, n_bytes, model)
            labels[j] = tuple(range(max(int(highest[j]) + 1, found or 1)))
            if found is not None:
                damaged.append(names[j])
        else:
            labels[j] = found
            if highest[j] >= len(found):
                raise ModelFileError(f"{model.path}: a split of {names[j]!r} names a category that has no label")
    n_levels = np.array([len(labels[j] or ()) for j in range(n_features)], dtype=np.int64)[used]
    _check_memory(spent + int((n_levels // 64 + 1).sum()) * 8, n_bytes, model)
    set_start, set_bits = _complement(n_levels, owner, member)
    notes: tuple[str, ...] = ()
    if damaged:
        of = join_names(map(repr, damaged))
        notes = (f"XGBoost damages category labels beyond ASCII: only the codes of {of} are known",)
    return CategoryColumns(tuple(labels), coded, set_start, set_bits, notes)


def _check_memory(wanted: int, n_bytes: int, model: Part) -> None:
    if wanted > _MEMORY + 32 * n_bytes:
        raise UnsupportedModelError(
            f"{model.path}: category numbers are so high that their sets would take {wanted >> 20} MiB; number them "
            "from 0 without gaps"
        )


def _complement(
    n_levels: NDArray[np.int64], owner: NDArray[np.int64], member: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Bitsets of all levels except the members."""
    n_words = (n_levels + 63) // 64
    start = np.concatenate([[0], np.cumsum(n_words)])
    bits = np.full(int(start[-1]), np.uint64(0xFFFFFFFFFFFFFFFF))
    over = (-n_levels % 64).astype(np.uint64)
    bits[start[1:] - 1] >>= over
    mask = ~(np.uint64(1) << (member % 64).astype(np.uint64))
    np.bitwise_and.at(bits, start[owner] + member // 64, mask)
    return start, bits


def _kept_labels(model: Part, n_features: int) -> dict[int, tuple[Label, ...] | int]:
    """Labels by feature if the model has them (XGBoost ≥ 3.1), or their number if they cannot be trusted."""
    if "cats" not in model.fields:
        return {}
    entries = model.part("cats").parts("enc")
    if len(entries) not in (0, n_features):
        raise ModelFileError(f"{model.path}: labels for {len(entries)} features, there are {n_features}")
    kept: dict[int, tuple[Label, ...] | int] = {}
    for j, entry in enumerate(entries):
        values = entry.column("values")
        found = _texts(entry, values) if "offsets" in entry.fields else tuple(values.tolist())
        if isinstance(found, int) or found:
            kept[j] = found
    return kept


def _texts(entry: Part, values: NDArray[Any]) -> tuple[Label, ...] | int:
    content = whole(values, "values", entry.path)
    offsets = whole(entry.column("offsets"), "offsets", entry.path)
    if not len(offsets):
        return ()
    if offsets[0] != 0 or np.any(np.diff(offsets) < 0) or offsets[-1] > len(content):
        raise ModelFileError(f"{entry.path}: the offsets of the labels are garbled")
    if np.any((content < 0) | (content > 127)):
        # XGBoost 3.1 and 3.2 count characters of pandas labels but store bytes, so every label after a non-ASCII one is
        # shifted; this cannot be detected
        return len(offsets) - 1
    text = content.astype(np.uint8).tobytes().decode("ascii")
    bounds = offsets.tolist()
    return tuple(text[start:end] for start, end in itertools.pairwise(bounds))
