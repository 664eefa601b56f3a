"""CategoryColumns: the category features, their labels, and the sets of their splits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label
from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers.lightgbm._text import ModelText, TreeTexts


@dataclass(frozen=True, slots=True, eq=False)
class CategoryColumns:
    """Labels per feature, and one set per category split, whose members are positions among the labels."""

    labels: tuple[tuple[Label, ...] | None, ...]  # (n_features,) None for a number
    set_start: NDArray[np.int64]  # (n_category_splits + 1,) first word of the set of each category split, in node order
    set_bits: NDArray[np.uint64]


def read_categories(
    text: ModelText, feature_infos: list[str], is_category_split: NDArray[np.bool_], name: str
) -> CategoryColumns:
    """Find the category features of a model and convert its bitsets."""
    owner, member = _members(text.trees, is_category_split, name)  # the split of each member, and its value
    feature = text.trees.split_feature[np.flatnonzero(is_category_split)]
    trained = _trained_values(feature_infos, name)
    columns = sorted(set(trained) | set(np.unique(feature).tolist()) | _declared(text, len(feature_infos)))
    by_frame = _labels_by_column(text, columns, trained, name)
    labels: list[tuple[Label, ...] | None] = [None] * len(feature_infos)
    code = np.empty_like(member)
    by_column = np.argsort(feature[owner], kind="stable")
    bounds = np.searchsorted(feature[owner][by_column], np.arange(len(feature_infos) + 1))
    for column in columns:
        here = by_column[bounds[column] : bounds[column + 1]]
        if column in by_frame:
            labels[column] = by_frame[column]
            code[here] = member[here]  # LightGBM's value is the position of the label
            if np.any(member[here] >= len(by_frame[column])):
                raise ModelFileError(f"{name}: a split of feature {column} names a category that has no label")
        else:
            known = np.union1d(trained.get(column, np.zeros(0, dtype=np.int64)), member[here])
            labels[column] = tuple(known.tolist())
            code[here] = np.searchsorted(known, member[here])
    set_start, set_bits = _pack(owner, code, len(feature))
    return CategoryColumns(labels=tuple(labels), set_start=set_start, set_bits=set_bits)


def _members(
    trees: TreeTexts, is_category_split: NDArray[np.bool_], name: str
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs (category split, category value in its set)."""
    splits = np.flatnonzero(is_category_split)
    tree_of_split = np.repeat(np.arange(len(trees.n_leaves)), trees.n_leaves - 1)[splits]
    number = trees.threshold[splits]
    if np.any(~(number >= 0) | (number >= trees.n_sets[tree_of_split]) | (number != np.floor(number))):
        raise ModelFileError(f"{name}: a category split uses a set that does not exist")
    first_set = np.concatenate([[0], np.cumsum(trees.n_sets)])
    chosen = first_set[tree_of_split] + number.astype(np.int64)
    sizes = (trees.set_start[1:] - trees.set_start[:-1])[chosen]
    if len(np.unique(chosen)) != len(chosen):
        raise ModelFileError(f"{name}: two category splits share one set")  # this also limits the memory used below
    owner_of_word = np.repeat(np.arange(len(splits)), sizes)
    word = np.arange(len(owner_of_word)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    words = trees.set_words[trees.set_start[chosen][owner_of_word] + word]
    bits = np.unpackbits(words.astype("<u4").view(np.uint8), bitorder="little").reshape(-1, 32)
    at, bit = np.nonzero(bits)
    return owner_of_word[at], word[at] * 32 + bit


def _trained_values(feature_infos: list[str], name: str) -> dict[int, NDArray[np.int64]]:
    """Values of the category columns in training; −1 means missing."""
    trained: dict[int, NDArray[np.int64]] = {}
    for column, info in enumerate(feature_infos):
        if info == "none" or info.startswith("["):
            continue
        try:
            values = np.unique(np.array([int(value) for value in info.split(":")], dtype=np.int64))
        except (ValueError, OverflowError) as error:
            raise ModelFileError(f"{name}: feature_infos of feature {column} is garbled") from error
        trained[column] = values[values >= 0]
    return trained


def _declared(text: ModelText, n_features: int) -> set[int]:
    return {column for column in text.category_parameter or () if column < n_features}


def _labels_by_column(
    text: ModelText, columns: list[int], trained: dict[int, NDArray[np.int64]], name: str
) -> dict[int, tuple[Label, ...]]:
    """Match pandas labels, which the text lists without naming their columns, with the category columns."""
    if not text.labels:
        return {}
    fits = len(text.labels) == len(columns) and all(
        column not in trained or len(trained[column]) == 0 or trained[column][-1] < len(labels)
        for column, labels in zip(columns, text.labels, strict=True)
    )
    if not fits:
        raise UnsupportedModelError(
            f"{name} holds the labels of {len(text.labels)} pandas category columns and has {len(columns)} category "
            "features; it does not say which belong together (ordered categories, or plain columns named in "
            "categorical_feature); make all of them unordered pandas categories, or all of them integers"
        )
    return dict(zip(columns, text.labels, strict=True))


def _pack(
    owner: NDArray[np.int64], code: NDArray[np.int64], n_sets: int
) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Bitsets from pairs (set, member); a set is as long as its largest member requires."""
    n_words = np.zeros(n_sets, dtype=np.int64)
    np.maximum.at(n_words, owner, code // 64 + 1)
    start = np.concatenate([[0], np.cumsum(n_words)])
    bits = np.zeros(int(start[-1]), dtype=np.uint64)
    np.bitwise_or.at(bits, start[owner] + code // 64, np.uint64(1) << (code % 64).astype(np.uint64))
    return start, bits
