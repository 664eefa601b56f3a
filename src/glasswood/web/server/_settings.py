"""Settings: the fields of the app's form, checked one by one."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from glasswood.errors import OptionError
from glasswood.web.server._toy_data import GENERATORS

TABLE = "table"  # rows of a file instead of generated rows
GIVEN = "given"  # the model and rows that the app was started with
MAX_ROWS = 10_000  # of a generator
_WORDS = {"seed": "the seed", "n": "rows", "classes": "classes", "noise": "noise", "max_depth": "the largest depth"}


class FieldError(OptionError):
    """A field of the form has a value that cannot be used; `field` names it."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True, slots=True)
class Settings:
    """One data set and one model."""

    data: str = "moons"  # a generator, TABLE or GIVEN
    seed: int = 7
    n: int = 200
    classes: int = 2
    noise: float = 0.3
    max_depth: int | None = None
    table: str = ""  # key of an uploaded table
    target: str = ""  # its column to be predicted; the last one if empty
    model: str = ""  # key of an uploaded model; if empty, a tree is grown
    check: bool = False  # ask the library of an uploaded model too, which the user trusts


def read_settings(given: Mapping[str, str]) -> Settings:
    """Read settings from text; raises `FieldError` for the first value that cannot be used."""
    known = {field.name for field in fields(Settings)}
    for name in given:
        if name not in known:
            raise FieldError(name, f"there is no setting {name!r}; there are {', '.join(sorted(known))}")
    data = given.get("data", "moons")
    if data not in (*GENERATORS, TABLE, GIVEN):
        raise FieldError("data", f"data must be one of {', '.join((*GENERATORS, TABLE, GIVEN))}")
    values: dict[str, Any] = {"data": data, **{name: given.get(name, "") for name in ("table", "target", "model")}}
    for name, least, most in (("seed", 0, 2**32 - 1), ("n", 4, MAX_ROWS), ("classes", 2, 5)):
        if name in given:
            values[name] = _whole(name, given[name], least, most)
    if given.get("check", "") not in ("", "0", "1"):
        raise FieldError("check", "check is 1 to ask the library of the model too, or 0")
    values["check"] = given.get("check") == "1"
    if "noise" in given:
        values["noise"] = _number("noise", given["noise"], 0, 5)
    if given.get("max_depth", "") != "":
        values["max_depth"] = _whole("max_depth", given["max_depth"], 1, 30)
    settings = Settings(**values)
    if settings.data in GENERATORS and settings.classes > settings.n:
        raise FieldError("n", f"{settings.classes} classes need at least {settings.classes} rows")
    return settings


def _whole(name: str, text: str, least: int, most: int) -> int:
    text = text.strip()
    # a long text of digits is refused before it is converted
    if not (text.isascii() and text.removeprefix("-").isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise FieldError(name, f"{_WORDS[name]} must be a whole number between {least:,} and {most:,}")
    return int(text)


def _number(name: str, text: str, least: float, most: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise FieldError(name, f"{_WORDS[name]} must be a number between {least:g} and {most:g}")
    return value
