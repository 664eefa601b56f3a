"""Dialects of SQL: how databases quote names and texts and write doubles."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

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
    double_type: str = "DOUBLE"
    infinity: str = "'inf'::DOUBLE"
    ordered_sums: bool = False  # SUM(x ORDER BY y) adds plainly in that order
    keeps_tables: bool = True  # a table of WITH that is used twice is computed once
    has_values: bool = True
    most_cases: int = 1000  # nested in each other

    def literal(self, value: Label) -> str:
        """Text, number or truth value."""
        return self.text(value) if isinstance(value, str) else sql_literal(value)

    def number(self, value: float) -> str:
        """A double, to the last bit."""
        if math.isinf(value):
            return self.infinity if value > 0 else f"-({self.infinity})"
        return self.double(repr(float(value)))

    def table(self, columns: tuple[str, ...], lines: list[str]) -> str:
        """Columns and constant lines of a table of WITH, to be written behind its name."""
        if self.has_values:
            body = ",\n  ".join(f"({line})" for line in lines)
            return f" ({', '.join(columns)}) AS (SELECT * FROM (VALUES\n  {body}) AS v)"
        first, *others = (line.split(", ") for line in lines)
        named = ", ".join(f"{value} AS {column}" for value, column in zip(first, columns, strict=True))
        body = ",\n  ".join([f"STRUCT({named})", *(f"({', '.join(line)})" for line in others)])
        return f" AS (SELECT * FROM UNNEST([\n  {body}]))"


def _with_exponent(digits: str) -> str:
    """Databases read a number without an exponent as a decimal."""
    return digits if "e" in digits else f"{digits}e0"


def _beside_its_double(digits: str) -> str:
    """SQLite may take a number that lies almost in the middle of two doubles for either; more digits move it away.

    The shortest digits of one double in twenty thousand do.
    """
    value = float(digits)
    is_beside = abs(Fraction(digits) - Fraction(value)) <= Fraction(math.ulp(value)) * 9 / 20
    return _with_exponent(digits if is_beside else f"{value:.18g}")


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
        Dialect("sqlite", quoted, sql_literal, _beside_its_double, "REAL", "9e999", most_cases=15),
        Dialect("duckdb", quoted, sql_literal, _with_exponent, ordered_sums=True),
        # numbers are decimals there, with or without an exponent
        Dialect(
            "postgres",
            quoted,
            sql_literal,
            lambda digits: f"DOUBLE PRECISION '{digits}'",
            double_type="DOUBLE PRECISION",
            infinity="DOUBLE PRECISION 'inf'",
            ordered_sums=True,
        ),
        Dialect("snowflake", quoted, _snowflake_text, lambda digits: f"'{digits}'::DOUBLE", keeps_tables=False),
        Dialect(
            "bigquery",
            _backticks,
            _bigquery_text,
            _with_exponent,
            double_type="FLOAT64",
            infinity="CAST('inf' AS FLOAT64)",
            keeps_tables=False,
            has_values=False,
        ),
    )
}


def dialect_of(name: str) -> Dialect:
    """The dialect of a name."""
    check_choice("dialect", name, tuple(DIALECTS))
    return DIALECTS[name]
