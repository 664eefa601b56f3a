"""Edits of parsed documents: files that were changed by hand, or maliciously."""

import contextlib
import copy
import math
from typing import Any

import numpy as np

ODD: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 63, 64, 127, 255, 2**15, 2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63,
    -(2**63), 10**30, -(10**30), 0.5, -0.0, 1e-320, 1e38, 3.5e38, 1e308, -1e308, math.nan, math.inf, -math.inf,
    "", "x", "0", "-1", "1.5", "nan", "inf", "1e300", "1e400", "99999999999", "9" * 5000, "[]", "{}", "[1]", "é",
    "\ud800", "gbtree", "dart", [], {}, [[]], [{}], [None], [1, 2, 3], [0.5], ["x"], {"": 0},
]  # fmt: skip


def garbled(document: Any, rng: np.random.Generator) -> Any:
    """A copy with one to three edits."""
    root = [copy.deepcopy(document)]
    for _ in range(int(rng.integers(1, 4))):
        _edit(root, rng)
    return root[0]


def _edit(root: list[Any], rng: np.random.Generator) -> None:
    parent, key = _somewhere(root, rng)
    value = parent[key]
    match int(rng.integers(0, 12)):
        case 0 | 1 | 2:
            parent[key] = copy.deepcopy(ODD[int(rng.integers(len(ODD)))])
        case 3 | 4 | 5:
            parent[key] = _nudged(value, rng)
        case 6 if parent is not root:
            del parent[key]
        case 7 if isinstance(parent, list) and parent is not root:
            parent.insert(int(rng.integers(0, len(parent) + 1)), copy.deepcopy(value))
        case 7 if isinstance(parent, dict):
            parent[_other_key(parent, key, rng)] = copy.deepcopy(value)
        case 8:
            other, place = _somewhere(root, rng)
            parent[key], other[place] = copy.deepcopy(other[place]), copy.deepcopy(value)
        case 9:
            parent[key] = [value] if rng.random() < 0.5 else {"x": value}
        case _ if isinstance(value, list) and value:
            parent[key] = _rearranged(value, rng)
        case _:
            parent[key] = copy.deepcopy(ODD[int(rng.integers(len(ODD)))])


def _somewhere(root: list[Any], rng: np.random.Generator) -> tuple[Any, Any]:
    """A container and a position in it, found from the top, so that a few large lists do not get all edits."""
    parent: Any = root
    key: Any = 0
    while True:
        value = parent[key]
        keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        if not len(keys) or rng.random() < 0.1:
            return parent, key
        parent, key = value, keys[int(rng.integers(len(keys)))]


def _other_key(parent: dict[str, Any], key: str, rng: np.random.Generator) -> str:
    keys = [*parent, "", "x", key + "s"]
    return keys[int(rng.integers(len(keys)))]


def _nudged(value: Any, rng: np.random.Generator) -> Any:
    """A number that differs a little or a lot; also for a text that holds a number."""
    if isinstance(value, bool) or value is None:
        return not value
    if isinstance(value, str):
        for kind in (int, float):
            with contextlib.suppress(ValueError):  # XGBoost writes numbers as texts, some in brackets
                return value.replace(value.strip("[]"), str(_nudged(kind(value.strip("[]")), rng)))
        return value[: int(rng.integers(0, len(value) + 1))] + "x" * int(rng.integers(0, 2))
    if isinstance(value, int | float) and abs(value) > 1e300:  # Python integers may be larger than floats
        return -value
    if isinstance(value, int | float):
        flipped = ~int(value) if math.isfinite(value) else 0
        near = [value + 1, value - 1, -value, value * 1000, value * 10**12, value + 0.5, float(value)]
        options = [*near, str(value), [value], flipped]
        return options[int(rng.integers(len(options)))]
    return _rearranged(value, rng) if isinstance(value, list) and value else value


def _rearranged(value: list[Any], rng: np.random.Generator) -> list[Any]:
    some = int(rng.integers(0, len(value)))
    options = [
        value[::-1],
        value[:some],
        value[some:],
        value + value,
        [value[i] for i in rng.permutation(len(value))],
        [value[some]] * len(value),
        [*value, copy.deepcopy(value[some])],
    ]
    return options[int(rng.integers(len(options)))]
