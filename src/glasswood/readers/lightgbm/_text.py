"""ModelText: LightGBM's model text split into header, trees as flat arrays, and category labels.

The arrays of all trees are parsed together, one call per field, so a thousand trees need nine calls, not nine thousand.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError, UnsupportedModelError

_TREES = b"\nTree="
_END_OF_TREES = b"\nend of trees"
# these follow the trees; old files have no other end mark
_IMPORTANCES = (b"\nfeature_importances:", b"\nfeature importances:")
_LABELS = b"\npandas_categorical:"
_CATEGORY_PARAMETER = b"\n[categorical_feature:"

# fields with one number per split, and with one per leaf
_SPLIT_INTEGERS = (b"split_feature", b"decision_type", b"left_child", b"right_child")
_SPLIT_NUMBERS = (b"threshold", b"split_gain")
_TOO_LARGE = 2**62  # numpy converts larger numbers to the largest integer
_COUNTS = (b"internal_count", b"leaf_count")


@dataclass(frozen=True, slots=True, eq=False)
class TreeTexts:
    """All trees: inner nodes in one set of arrays, leaves in another, both in LightGBM's order."""

    n_leaves: NDArray[np.int64]  # (n_trees,)
    split_feature: NDArray[np.int64]  # (n_splits,), like all split arrays
    decision_type: NDArray[np.int64]
    left_child: NDArray[np.int64]  # position of an inner node in its tree, or ~position of a leaf
    right_child: NDArray[np.int64]
    threshold: NDArray[np.float64]  # for a category split, the number of its set in its tree
    split_gain: NDArray[np.float64]
    internal_count: NDArray[np.int64] | None  # None in old files without counts
    leaf_value: NDArray[np.float64]  # (n_leaves in all,)
    leaf_count: NDArray[np.float64] | None  # NaN if a tree without splits has no count
    n_sets: NDArray[np.int64]  # (n_trees,) category sets of each tree
    set_start: NDArray[np.int64]  # (n_sets in all + 1,) first word of each set
    set_words: NDArray[np.uint32]


@dataclass(frozen=True, slots=True, eq=False)
class ModelText:
    """Content of a model text before interpretation."""

    header: dict[str, str]
    trees: TreeTexts
    labels: tuple[tuple[Any, ...], ...]  # pandas labels, one entry per category column, in column order
    category_parameter: tuple[int, ...] | None  # columns declared as categories; None if the text does not say


def parse_text(content: bytes, name: str) -> ModelText:
    """Split a model text into its parts; raises `ModelFileError` with the name of the file if it is incomplete."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    end = _end_of_trees(content, name)
    first = content.find(_TREES, 0, end)
    header = _header(content[: end if first < 0 else first], name)
    blocks = content[first + len(_TREES) : end].split(_TREES) if first >= 0 else []
    _check_tail(content[end:], name)
    return ModelText(
        header=header,
        trees=_parse_trees([_fields(block, k, name) for k, block in enumerate(blocks)], name),
        labels=_parse_labels(content[end:], name),
        category_parameter=_parse_category_parameter(content[end:]),
    )


def _header(text: bytes, name: str) -> dict[str, str]:
    try:
        lines = text.decode("utf-8").split("\n")
    except UnicodeDecodeError as error:
        raise ModelFileError(f"{name}: the header is not UTF-8 text") from error
    header: dict[str, str] = {}
    for key, _, value in (line.partition("=") for line in lines if line):
        if key in header:
            raise ModelFileError(f"{name}: the header has two lines {key[:40]!r}")
        header[key] = value
    return header


def _end_of_trees(content: bytes, name: str) -> int:
    end = content.find(_END_OF_TREES)
    if end >= 0:
        return end
    found = [place for place in map(content.find, _IMPORTANCES) if place >= 0]
    if not found:
        raise ModelFileError(f"{name}: nothing stands after the trees; the file is cut off")
    return min(found)


def _check_tail(tail: bytes, name: str) -> None:
    """Check that all parameters are lines '[name: value]' before 'end of parameters'; LightGBM fails on others."""
    _, begun, rest = tail.partition(b"\nparameters:\n")
    lines, ended, _ = rest.partition(b"\nend of parameters")
    if begun and not ended:
        raise ModelFileError(f"{name}: the line 'end of parameters' is missing; the file is cut off")
    for line in lines.split(b"\n"):
        if line and not (line.startswith(b"[") and line.endswith(b"]") and b":" in line):
            raise ModelFileError(f"{name}: {_shown(line)} stands among the parameters and is none")


def _fields(block: bytes, number: int, name: str) -> dict[bytes, bytes]:
    fields: dict[bytes, bytes] = {}
    stated, *lines = block.rstrip(b"\n").split(b"\n")  # the first line is the rest of "Tree=…"
    if stated != b"%d" % number:
        raise ModelFileError(f"{name}: tree {number} is numbered {_shown(stated)}")
    for line in lines:
        key, separator, value = line.partition(b"=")
        if not separator:
            raise ModelFileError(f"{name}: tree {number} has a line {_shown(line)}")
        if key in fields:
            raise ModelFileError(f"{name}: tree {number} has two lines {_shown(key)}")
        fields[key] = value
    if fields.get(b"is_linear", b"0") != b"0":
        raise UnsupportedModelError(
            f"{name} was trained with linear_tree=True: its leaves hold linear models, which a leaf value cannot "
            "reproduce; train with linear_tree=False"
        )
    return fields


def _parse_trees(trees: Sequence[dict[bytes, bytes]], name: str) -> TreeTexts:
    n_leaves = _integers([_line(tree, b"num_leaves", name) for tree in trees], name, b"num_leaves")
    n_sets = _integers([tree.get(b"num_cat", b"0") for tree in trees], name, b"num_cat")
    if len(n_leaves) != len(trees) or len(n_sets) != len(trees):
        raise ModelFileError(f"{name}: num_leaves and num_cat must be one number a tree")
    if np.any(n_leaves < 1) or np.any(n_sets < 0):
        raise ModelFileError(f"{name}: a tree has no leaf")
    wanted_splits, wanted_leaves = (n_leaves - 1).tolist(), n_leaves.tolist()
    integers = {key: _integers(_lines(trees, key, wanted_splits, name), name, key) for key in _SPLIT_INTEGERS}
    numbers = {key: _numbers(_lines(trees, key, wanted_splits, name), name, key) for key in _SPLIT_NUMBERS}
    internal_count, leaf_count = None, None
    if all(key in tree for key in _COUNTS for tree in trees):
        internal_count = _integers(_lines(trees, _COUNTS[0], wanted_splits, name), name, _COUNTS[0])
        leaf_count = _leaf_counts(trees, wanted_leaves, name)
    set_start, set_words = _parse_sets(trees, n_sets, name)
    return TreeTexts(
        n_leaves=n_leaves,
        split_feature=integers[b"split_feature"],
        decision_type=integers[b"decision_type"],
        left_child=integers[b"left_child"],
        right_child=integers[b"right_child"],
        threshold=numbers[b"threshold"],
        split_gain=numbers[b"split_gain"],
        internal_count=internal_count,
        leaf_value=_numbers(_lines(trees, b"leaf_value", wanted_leaves, name), name, b"leaf_value"),
        leaf_count=leaf_count,
        n_sets=n_sets,
        set_start=set_start,
        set_words=set_words,
    )


def _leaf_counts(trees: Sequence[dict[bytes, bytes]], n_leaves: Sequence[int], name: str) -> NDArray[np.float64]:
    """Rows of every leaf; NaN for a tree without splits, for which LightGBM before 4.6 writes no count."""
    key = b"leaf_count"
    said = [count if tree[key] or count > 1 else 0 for tree, count in zip(trees, n_leaves, strict=True)]
    counts = np.full(sum(n_leaves), np.nan)
    counts[np.repeat(np.array(said) > 0, n_leaves)] = _integers(_lines(trees, key, said, name), name, key)
    return counts


def _parse_sets(
    trees: Sequence[dict[bytes, bytes]], n_sets: NDArray[np.int64], name: str
) -> tuple[NDArray[np.int64], NDArray[np.uint32]]:
    """First word of every category set, and the words, tree by tree."""
    having = np.flatnonzero(n_sets)
    if not len(having):
        return np.zeros(1, dtype=np.int64), np.zeros(0, dtype=np.uint32)
    with_sets, per_tree = [trees[tree] for tree in having.tolist()], n_sets[having] + 1
    key = b"cat_boundaries"
    bounds = _integers(_lines(with_sets, key, per_tree.tolist(), name), name, key)
    key = b"cat_threshold"
    lines = [_line(tree, key, name) for tree in with_sets]
    words = _integers([line for line in lines if line], name, key)
    n_words = np.array([line.count(b" ") + 1 if line else 0 for line in lines], dtype=np.int64)
    if np.any(words < 0) or np.any(words > 0xFFFFFFFF):
        raise ModelFileError(f"{name}: cat_threshold holds a number that is not 32 bits")
    first = np.cumsum(per_tree) - per_tree
    inside = np.delete(np.diff(bounds), first[1:] - 1)
    if np.any(bounds[first]) or np.any(inside < 0) or np.any(bounds[first + per_tree - 1] != n_words):
        raise ModelFileError(f"{name}: cat_boundaries of a tree do not fit its cat_threshold")
    starts = bounds + np.repeat(np.cumsum(n_words) - n_words, per_tree)
    # the last bound of a tree is the first bound of the next
    return np.append(np.delete(starts, first + per_tree - 1), len(words)), words.astype(np.uint32)


def _line(tree: dict[bytes, bytes], key: bytes, name: str) -> bytes:
    if key not in tree:
        raise ModelFileError(f"{name}: a tree has no line {_shown(key)}")
    return tree[key]


def _lines(trees: Iterable[dict[bytes, bytes]], key: bytes, wanted: Sequence[int], name: str) -> list[bytes]:
    """The line of every tree; the number of entries is checked for each tree."""
    lines = [_line(tree, key, name) for tree in trees]
    for tree, (line, count) in enumerate(zip(lines, wanted, strict=True)):
        found = line.count(b" ") + 1 if line else 0
        if found != count:
            raise ModelFileError(f"{name}: tree {tree} has {found} numbers in {_shown(key)}, expected {count}")
    return [line for line in lines if line]


def _numbers(lines: Sequence[bytes], name: str, key: bytes) -> NDArray[np.float64]:
    text = b" ".join(lines)
    try:
        if b"_" in text:
            raise ValueError("Python reads 1_0 as ten, LightGBM does not")
        numbers = np.array([*map(float, text.split())], dtype=np.float64)
    except ValueError as error:
        raise ModelFileError(f"{name}: {_shown(key)} holds something that is not a number") from error
    _check_count(lines, len(numbers), name, key)
    return numbers


def _integers(lines: Sequence[bytes], name: str, key: bytes) -> NDArray[np.int64]:
    text = b" ".join(lines)
    # checked first, because numpy only warns if the text is not a number; it is ten times as fast as int
    signs = text.count(b" -") + text.startswith(b"-")
    wrong = text.translate(None, b"-0123456789 ") or text.count(b"-") != signs or b"- " in text or text.endswith(b"-")
    integers = (
        np.fromstring(text, dtype=np.int64, sep=" ") if text.strip() and not wrong else np.zeros(0, dtype=np.int64)
    )
    if wrong or np.any((integers >= _TOO_LARGE) | (integers <= -_TOO_LARGE)):
        raise ModelFileError(f"{name}: {_shown(key)} holds something that is not a whole number")
    _check_count(lines, len(integers), name, key)
    return integers


def _check_count(lines: Sequence[bytes], found: int, name: str, key: bytes) -> None:
    if found != sum(line.count(b" ") + 1 for line in lines):
        raise ModelFileError(f"{name}: the numbers of {_shown(key)} are not separated by single spaces")


def _parse_labels(tail: bytes, name: str) -> tuple[tuple[Any, ...], ...]:
    """Labels after the parameters; absent or null if the training table was not a frame."""
    place = tail.rfind(_LABELS)
    if place < 0:
        return ()
    line = tail[place + len(_LABELS) :].partition(b"\n")[0]
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{name}: pandas_categorical is not JSON") from error
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(labels, list) for labels in found):
        raise ModelFileError(f"{name}: pandas_categorical is not a list of lists")
    if not all(isinstance(label, str | int | float) for labels in found for label in labels):
        raise ModelFileError(f"{name}: pandas_categorical holds labels that are neither text nor numbers")
    return tuple(tuple(labels) for labels in found)


def _parse_category_parameter(tail: bytes) -> tuple[int, ...] | None:
    place = tail.find(_CATEGORY_PARAMETER)
    if place < 0:
        return None
    text = tail[place + len(_CATEGORY_PARAMETER) :].partition(b"]")[0].strip()
    columns = text.split(b",") if text else []
    if not all(column.isdigit() and len(column) < 10 for column in columns):
        return None  # names from the command line: the categories must be found in feature_infos
    return tuple(sorted({int(column) for column in columns}))


def _shown(key: bytes) -> str:
    return repr(key[:40].decode("ascii", "replace"))
