"""Names and values written in SQL."""

import math

from glasswood.ensemble import Label


def quoted(name: str) -> str:
    """Name of a column in SQL."""
    return '"' + name.replace('"', '""') + '"'


def sql_literal(value: Label) -> str:
    """Text, number or truth value in SQL."""
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and math.isinf(value):
        return "9e999" if value > 0 else "-9e999"
    return repr(int(value) if float(value).is_integer() and abs(value) < 2**53 else float(value))
