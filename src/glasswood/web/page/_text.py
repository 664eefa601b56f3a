"""Text: numbers as the page shows them; Python writes all texts, the page formats nothing."""

import math

from glasswood.ensemble import Link, LinkKind, rough_number

_MINUS = "−"
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNITS = ((1e12, "tn"), (1e9, "bn"), (1e6, "M"))
_ALL_DIGITS = 6  # with at least this many digits asked for, a whole number keeps all its digits
_ZERO = 1e-34  # LightGBM separates 0 from larger numbers at 1e-35


def number(value: float, digits: int = 4) -> str:
    """A number with as few digits as a reader needs, with a typographic minus; a dash for NaN."""
    if not math.isfinite(value):
        return {math.inf: "∞", -math.inf: _MINUS + "∞"}.get(value, "–")
    size = abs(value)
    whole = digits >= _ALL_DIGITS and float(value).is_integer()
    if 1e6 <= size < 1e15 and not (whole and size < 1e9):
        few = float(f"{value:.{digits}g}")  # 999,999,999 with four digits is 1 bn
        unit, name = next(pair for pair in _UNITS if abs(few) >= pair[0])
        text = f"{few / unit:.{digits}g} {name}"
    elif size >= 1e15 or 0 < size < 1e-4:
        mantissa, _, power = f"{value:.{digits}g}".partition("e")
        text = f"{mantissa} × 10{str(int(power)).translate(_RAISED)}" if power else mantissa
    elif size >= 10_000:
        text = f"{value:,.0f}"
    elif size >= 1000 and float(value).is_integer():
        text = f"{value:.0f}"  # it may be a year
    else:
        text = f"{value:.{digits}g}"
    return "0" if value == 0 else text.replace("-", _MINUS)


def signed(value: float, digits: int = 3) -> str:
    """A number with its sign, for a change."""
    text = number(value, digits)
    return text if text in ("0", "–") or text.startswith(_MINUS) else f"+{text}"


def percent(share: float, digits: int = 1) -> str:
    """A share in percent."""
    return "–" if not math.isfinite(share) else f"{100 * share:.{digits}f} %".replace("-", _MINUS)


def many(n: float, thing: str) -> str:
    """A count and a noun in singular or plural."""
    text = f"{n:,.0f}" if float(n).is_integer() else number(n)
    return f"{text} {thing}{'' if n == 1 else 's'}"


def rows_of(weight: float) -> str:
    """A weight as a number of rows if it is whole, otherwise as a weight."""
    return many(weight, "row") if float(weight).is_integer() else f"weight {number(weight)}"


def shortened(text: str, most: int = 120) -> str:
    """Text of a cell, cut if it is too long to read."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def rounded(value: float) -> float | None:
    """A number for drawing: six digits are finer than a pixel and need half the bytes."""
    if not math.isfinite(value):
        return None
    return float(f"{value:.6g}")


def named(feature: str) -> str:
    """A feature's name as it is shown; a column may be called ""."""
    return feature or "(no name)"


def interval(feature: str, lower: float, upper: float) -> str:
    """The values of a cell as text."""
    feature, low, high = named(feature), edge(lower, upper - lower), edge(upper, upper - lower)
    if lower == -math.inf:
        return f"any {feature}" if upper == math.inf else f"{feature} at most {high}"
    return f"{feature} above {low}" + ("" if upper == math.inf else f", at most {high}")


def edge(value: float, width: float) -> str:
    """A threshold as `number` with six digits, or with more if cells are narrower than that.

    Examples
    --------
    >>> from glasswood.web.page._text import edge
    >>> edge(2005.5, 1.0), edge(1_083_750.0, 1e5), edge(1_083_750.4, 1e5), edge(1_083_750.4, 1.0)
    ('2005.5', '1,083,750', '1,083,750', '1,083,750.4')
    """
    return "0" if abs(value) < _ZERO else written(rough_number(value, width))


def written(digits: str) -> str:
    """Digits of a threshold as the page writes numbers: six digits or fewer as `number` does, otherwise all of them.

    Examples
    --------
    >>> from glasswood.web.page._text import written
    >>> written("-0.3"), written("1083750.4"), written("7000000")
    ('−0.3', '1,083,750.4', '7,000,000')
    """
    try:
        size = abs(float(digits))
    except ValueError:  # infinity, as a sign
        return digits
    if size < 10_000 or size >= 1e15:
        return digits.replace("-", _MINUS)
    if size >= 1e6 and float(digits) == float(f"{float(digits):.6g}"):
        return number(float(digits), _ALL_DIGITS)
    whole, point, rest = digits.partition(".")
    return f"{int(whole):,}{point}{rest}".replace("-", _MINUS)


def scale_of(link: Link) -> str:
    """Name of the scale of raw."""
    match link.kind:
        case LinkKind.LOGIT | LinkKind.OVA:
            return "log-odds" if link.scale == 1.0 else "raw score"
        case LinkKind.LOG:
            return "log of the prediction"
        case LinkKind.SOFTMAX:
            return "raw score before softmax"
        case LinkKind.IDENTITY:
            return "prediction"
        case LinkKind.NONE:
            return "raw score"
