"""Tables for the screen: columns of text and numbers, aligned."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from glasswood.results import Importance

_MAX_ROWS = 30


def text_table(columns: Mapping[str, Sequence[Any]], *, most: int = _MAX_ROWS) -> str:
    """Print columns side by side; at most `most` rows, with a note of how many there are.

    Examples
    --------
    >>> from glasswood.cli._text import text_table
    >>> print(text_table({"feature": ["age", "fare"], "sd": [0.5, 0.125]}))
    feature     sd
    age        0.5
    fare     0.125
    """
    n = len(next(iter(columns.values()), ()))
    right = {name: all(_is_number(value) for value in values) and n > 0 for name, values in columns.items()}
    lines = [[_shown(name) for name in columns]]
    lines += [[_shown(values[i]) for values in columns.values()] for i in range(min(n, most))]
    width = [max(len(line[c]) for line in lines) for c in range(len(columns))]
    sides = [str.rjust if right[name] else str.ljust for name in columns]
    text = [
        "  ".join(side(cell, w) for side, cell, w in zip(sides, line, width, strict=True)).rstrip() for line in lines
    ]
    return "\n".join([*text, *([f"… {n - most:,} more"] if n > most else [])])


def importance_table(found: "Importance") -> str:
    """A line per feature and output; the number that decides the order of the features comes first."""
    n = len(found.outputs)
    columns: dict[str, list[Any]] = {"feature": [feature for feature in found.features for _ in range(n)]}
    if n > 1:
        columns["output"] = list(found.outputs) * len(found.features)
    sizes = [("sd", found.sd), (f"mean |{found.of}|", found.mean_abs)]
    for name, values in sizes if found.of == "effect" else sizes[::-1]:
        columns[name] = values.ravel().tolist()
    return text_table(columns)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.number) and not isinstance(value, bool)


def _shown(value: Any) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return "–"
    if isinstance(value, float):
        return f"{value:.4g}"
    # a name with a line break would break the table
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(value))
