"""Dialects of SQL: how databases quote names and texts and write doubles."""

from collections.abc import Callable
from dataclasses import dataclass

from glasswood._checks import check_choice
from glasswood.ensemble import Label
from glasswood.writers._sql_text import quoted, sql_literal


@dataclass(frozen=True, slots=True)
class Dialect:
    """The ways of one database."""

    name: str
    quote: Callable[[str], str]  # a name of a column or a table
    text: Callable[[str], str]
    double: Callable[[str], str]  # digits → a literal of double precision

    def literal(self, value: Label) -> str:
        """Text, number or truth value."""
        return self.text(value) if isinstance(value, str) else sql_literal(value)

    def number(self, value: float) -> str:
        """A double, to the last bit."""
        return self.double(repr(float(value)))


def _with_exponent(digits: str) -> str:
    """Databases read a number without an exponent as a decimal."""
    return digits if "e" in digits else f"{digits}e0"


def _backticks(name: str) -> str:
    return "`" + _escaped(name).replace("`", "\\`") + "`"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")


def _bigquery_text(text: str) -> str:
    return "'" + _escaped(text).replace("'", "\\'") + "'"


def _snowflake_text(text: str) -> str:
    """A backslash is an escape between quotes, but not between dollars."""
    if "\\" in text and "$$" not in text and not text.endswith("$"):
        return f"$${text}$$"
    return sql_literal(text.replace("\\", "\\\\"))


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect("sqlite", quoted, sql_literal, _with_exponent),
        Dialect("duckdb", quoted, sql_literal, _with_exponent),
        # numbers are decimals there, with or without an exponent
        Dialect("postgres", quoted, sql_literal, lambda digits: f"DOUBLE PRECISION '{digits}'"),
        Dialect("snowflake", quoted, _snowflake_text, lambda digits: f"'{digits}'::DOUBLE"),
        Dialect("bigquery", _backticks, _bigquery_text, _with_exponent),
    )
}


def dialect_of(name: str) -> Dialect:
    """The dialect of a name."""
    check_choice("dialect", name, tuple(DIALECTS))
    return DIALECTS[name]
