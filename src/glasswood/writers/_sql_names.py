"""Names in a SELECT that nothing else has: databases take names that differ only in case for one."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from glasswood.errors import OptionError
from glasswood.writers._sql_dialect import Dialect

TableName = str | Sequence[str]  # a name, or its parts such as (schema, table)


def free_name(wanted: str, taken: Iterable[str]) -> str:
    """The name, or with a number behind it if it is taken."""
    used = {name.casefold() for name in taken}
    found, k = wanted, 1
    while found.casefold() in used:
        k += 1
        found = f"{wanted}_{k}"
    return found


def raw_names(outputs: Sequence[str], features: Collection[str], key: str | None = None) -> list[str]:
    """Names of the columns of raw, which neither a feature nor the key has."""
    others = [*features, *([] if key is None else [key])]
    found: list[str] = []
    for name in ["raw"] if len(outputs) == 1 else [f"raw_{output}" for output in outputs]:
        found.append(free_name(name, [*others, *found]))
    return found


def table_parts(table: TableName) -> tuple[str, ...]:
    """The parts of the name of a table: database, schema and table, or the last of them."""
    listed = not isinstance(table, str) and isinstance(table, Iterable)
    parts: tuple[Any, ...] = tuple(table) if listed else (table,)
    if not 1 <= len(parts) <= 3 or not all(isinstance(part, str) and part for part in parts):
        raise OptionError(f"table must be a name, or up to three such as (schema, table); got {table!r}")
    return parts


def table_sql(sql: Dialect, table: TableName) -> str:
    """The name of a table, quoted part by part."""
    return ".".join(map(sql.quote, table_parts(table)))
