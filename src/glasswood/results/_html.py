"""HTML: small tables for notebooks, readable on light and dark backgrounds; text of the user is escaped."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

_MAX_ROWS = 12
_BELOW, _ABOVE = "#0072B2", "#D55E00"
_CELL = "padding:.12em .7em;border:0;background:none;white-space:nowrap"


@dataclass(frozen=True, slots=True)
class Bar:
    """A number drawn as a bar from zero; `reach` is the number that fills the bar."""

    value: float
    reach: float
    signed: bool = True  # zero is in the middle if True, at the left if False


@dataclass(frozen=True, slots=True)
class Marked:
    """Text that is emphasised if it differs from a reference, and pale if it does not."""

    text: str
    differs: bool


def html_table(
    title: str, header: Sequence[str], rows: Sequence[Sequence[Any]], *, total: int | None = None, most: int = _MAX_ROWS
) -> str:
    """Make a table of text, numbers, bars and marked text with at most `most` rows; it says how many there are."""
    shown = rows[:most]
    head = "".join(
        f'<th scope="col" style="{_CELL};font-weight:500;opacity:.7">{html.escape(name)}</th>' for name in header
    )
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in shown)
    n = len(rows) if total is None else total
    rest = f'<div style="opacity:.7;margin-top:.2em">{n - len(shown):,} more</div>' if n > len(shown) else ""
    return (
        '<div style="font-family:system-ui,sans-serif;font-size:13px;line-height:1.45;border-left:3px solid #009E73;'
        'padding:.2em 0 .2em .9em;overflow-x:auto">'
        f'<div style="font-weight:600;margin-bottom:.2em">{html.escape(title)}</div>'
        f'<table style="border-collapse:collapse;color:inherit;font:inherit"><tr>{head}</tr>{body}</table>{rest}</div>'
    )


def _cell(value: Any) -> str:
    if isinstance(value, Bar):
        return f'<td style="{_CELL}">{_bar(value)}</td>'
    if isinstance(value, Marked):
        look = "font-weight:600" if value.differs else "opacity:.55"
        return f'<td style="{_CELL};{look}">{html.escape(value.text)}</td>'
    if isinstance(value, str):
        return f'<td style="{_CELL};text-align:left">{html.escape(value)}</td>'
    return f'<td style="{_CELL};text-align:right;font-variant-numeric:tabular-nums">{number(value)}</td>'


def number(value: float) -> str:
    """A number with as few digits as a reader needs."""
    if value is None or np.isnan(value):
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 and float(value).is_integer() else f"{value:.4g}"


def _bar(bar: Bar) -> str:
    full, zero = (50.0, 50.0) if bar.signed else (100.0, 0.0)
    share = 0.0 if not bar.reach > 0 or np.isnan(bar.value) else min(abs(bar.value) / bar.reach, 1.0) * full
    below = bar.signed and bar.value < 0
    start, colour = (zero - share, _BELOW) if below else (zero, _ABOVE if bar.signed else _BELOW)
    return (
        '<div aria-hidden="true" style="position:relative;width:110px;height:.8em;'
        f'background:linear-gradient(#8886,#8886) {zero}%/1px 100% no-repeat">'
        f'<div style="position:absolute;left:{start:.1f}%;width:{share:.1f}%;height:100%;background:{colour}"></div>'
        "</div>"
    )
