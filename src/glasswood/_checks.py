"""Checks of options; each error says what was found and what is allowed."""

import math
import operator
from collections.abc import Sequence
from difflib import get_close_matches
from numbers import Integral, Real
from typing import Any

import numpy as np

from glasswood.errors import OptionError


def check_whole(name: str, value: Any, least: int, *, none: bool = False, most: int | None = None) -> None:
    """Raise unless `value` is a whole number within the limits, or None if that is allowed."""
    if none and value is None:
        return
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        limit = f"at least {least}" if most is None else f"from {least} to {most}"
        raise OptionError(f"{name} must be a whole number, {limit}{', or None' if none else ''}; got {value!r}")


def whole_number(name: str, value: Any, least: int) -> int:
    """The value as a Python int; raises unless it is a whole number, at least `least`."""
    check_whole(name, value, least)
    return int(value)


def did_you_mean(name: str, names: Sequence[str]) -> str:
    """A hint at the name that was probably meant, for the end of a message; empty if no name is close.

    Examples
    --------
    >>> from glasswood._checks import did_you_mean
    >>> did_you_mean("aeg", ["age", "fare"])
    "; did you mean 'age'?"
    """
    close = get_close_matches(name, names, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def feature_position(
    feature: Any, names: Sequence[str], what: str = "", *, of: str = "the model", from_end: bool = False
) -> int:
    """Position of a feature that is given by its name or its position.

    In errors, `what` is the option and `of` is what has the features. With `from_end`, −1 is the last position.

    Examples
    --------
    >>> from glasswood._checks import feature_position
    >>> feature_position("fare", ["age", "fare"]), feature_position(0, ["age", "fare"])
    (1, 0)
    """
    start = f"{what}: {of}" if what else of
    if isinstance(feature, str):
        if feature in names:
            return names.index(feature)
        raise OptionError(f"{start} has no feature {feature!r}{did_you_mean(feature, names)}")
    try:
        if isinstance(feature, bool):  # a whole number in Python, but no position
            raise TypeError
        at = operator.index(feature)
    except TypeError:
        raise OptionError(
            f"{start} has no feature {feature!r}; a feature is given by its name or its position"
        ) from None
    if not (-len(names) if from_end else 0) <= at < len(names):
        raise OptionError(f"{start} has no feature at position {at}; it has {len(names)}")
    return at % len(names)


def check_feature_name(name: Any, names: Sequence[str], what: str) -> None:
    """Raise unless the model has a feature of that name; `what` is the option that names it."""
    if name not in names:
        raise OptionError(f"{what}: the model has no feature {name!r}{did_you_mean(str(name), names)}")


def check_at_least(name: str, value: Any, least: float = 0.0) -> None:
    """Raise unless `value` is a finite number, at least `least`."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not least <= value < math.inf:
        raise OptionError(f"{name} must be a number, at least {least:g}; got {value!r}")


def check_between(name: str, value: Any, low: float, high: float, *, high_counts: bool = False) -> None:
    """Raise unless `value` lies above `low` and below (or at) `high`."""
    number = isinstance(value, Real) and not isinstance(value, bool)
    if not number or not low < value or not (value <= high if high_counts else value < high):
        end = "up to" if high_counts else "below"
        raise OptionError(f"{name} must be a number above {low:g} and {end} {high:g}; got {value!r}")


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    """Raise unless `value` is one of the choices."""
    if not isinstance(value, str) or value not in choices:  # an array would be compared entry by entry
        raise OptionError(f"{name} must be one of {', '.join(map(repr, choices))}; got {value!r}")


def check_flag(name: str, value: Any) -> None:
    """Raise unless `value` is true or false."""
    if not isinstance(value, bool | np.bool_):
        raise OptionError(f"{name} must be True or False; got {value!r}")


def unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Object of a JSON document (for `json.loads`); a repeated key is refused, because readers differ there."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in found if keys.count(key) > 1)
        raise ValueError(f"duplicate key {twice[:40]!r}")
    return found


def seed_of(random_state: Any) -> int:
    """Turn `random_state` into a seed; the global random state is neither read nor changed."""
    if random_state is None:
        return int(np.random.default_rng().integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if not isinstance(random_state, Integral):
        raise OptionError(f"random_state must be an integer, RandomState, Generator or None; got {random_state!r}")
    return int(random_state) % 2**64
