"""Files of a scorecard: tables (.csv, .xlsx), one SELECT (.sql) and a document (.json)."""

import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from glasswood.ensemble import ZERO, Label
from glasswood.errors import OptionError, TableError
from glasswood.explain.scorecards._card_table import Bands, CardTable
from glasswood.tables import write_table_file
from glasswood.writers import Dialect, TableName, dialect_of, raw_names, table_sql, xlsx_file

if TYPE_CHECKING:
    from glasswood.explain.scorecards._scorecard import Scorecard

_ENDS = (".xlsx", ".csv", ".sql", ".json")
FORMAT, VERSION = "glasswood scorecard", 1


def save_card(card: "Scorecard", path: Path, dialect: str | None, table: TableName | None) -> None:
    """Write a card in the form that the end of the path names."""
    end = path.suffix.lower()
    if end not in _ENDS:
        raise OptionError(f"{str(path)!r} does not end in {', '.join(_ENDS)}")
    for name, option in (("dialect", dialect), ("table", table)):
        if option is not None and end != ".sql":
            raise OptionError(f"{name} belongs to .sql files; leave it out for {end}")
    if end == ".csv":
        write_table_file(card.to_frame(), path)
        return
    makers: dict[str, Callable[[], bytes]] = {
        ".xlsx": lambda: xlsx_file(_sheets(card)),
        ".sql": lambda: card_sql(card, table or "rows", dialect or "sqlite").encode(),
        ".json": lambda: _document(card).encode(),
    }
    try:
        path.write_bytes(makers[end]())
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error


def _document(card: "Scorecard") -> str:
    """What the card holds, headed like the document of a model."""
    document = {"format": FORMAT, "version": VERSION, **card.to_dict()}
    return json.dumps(document, ensure_ascii=False, allow_nan=False) + "\n"


def card_sql(card: "Scorecard", table: TableName = "rows", dialect: str = "sqlite") -> str:
    """A SELECT with all columns of a table and the sum of the points, added in the order of the card."""
    sql, parts = dialect_of(dialect), []
    for o, alias in enumerate(raw_names(card.outputs, card.features.names)):
        terms = [sql.number(float(card.baseline[o]))]
        terms += [_table_sql(card, sql, one, one.points[..., o]) for one in card.tables]
        parts.append("\n  " + "\n  + ".join(terms) + f" AS {sql.quote(alias)}")
    return f"SELECT *,{','.join(parts)}\nFROM {table_sql(sql, table)}\n"


def _table_sql(card: "Scorecard", sql: Dialect, table: CardTable, points: np.ndarray[Any, Any]) -> str:
    if len(table.bands) == 1:
        return _cases(card, sql, table.bands[0], [sql.number(float(p)) for p in points])
    first, second = table.bands
    inner = [_cases(card, sql, second, [sql.number(float(p)) for p in row]) for row in points]
    return _cases(card, sql, first, inner)


def _cases(card: "Scorecard", sql: Dialect, bands: Bands, results: list[str]) -> str:
    """CASE over the bands of a feature; NULL where the card has no points."""
    cells, name = bands.cells, sql.quote(bands.feature)
    absent = f"{name} IS NULL"
    if card.features.zero_is_missing[card.features.names.index(bands.feature)]:
        absent = f"({absent} OR ABS({name}) <= {sql.number(ZERO)})"
    of_missing = [results[b] for b in bands.of_cell[cells.missing].tolist()]
    whens = [f"WHEN {absent} THEN {of_missing[0] if of_missing else 'NULL'}"]
    of_unseen = [results[b] for b in bands.of_cell[cells.unseen].tolist()] if cells.is_category else []
    known = np.setdiff1d(np.arange(len(bands)), bands.of_cell[cells.missing | cells.unseen]).tolist()
    last = of_unseen[0] if of_unseen else "NULL"
    for band in known:
        if cells.is_category:
            mine = [cells.category[c] for c in np.flatnonzero(bands.of_cell == band)]
            levels: list[Label] = [label for label in mine if label is not None]
            whens.append(f"WHEN {name} IN ({', '.join(map(sql.literal, levels))}) THEN {results[band]}")
        elif math.isinf(bands.ends(band)[1]):
            last = results[band]
        else:
            whens.append(f"WHEN {name} <= {sql.number(bands.ends(band)[1])} THEN {results[band]}")
    return f"CASE {' '.join(whens)} ELSE {last} END"


def _sheets(card: "Scorecard") -> dict[str, list[list[str | float | None]]]:
    """One sheet about the card, then one for each table; a pair of one output is a grid."""
    fidelity = card.fidelity
    about: list[list[str | float | None]] = [
        ["output", "baseline", "share of the variance reproduced", "typical miss", "largest miss", "rows"]
    ]
    numbers = np.column_stack([card.baseline, fidelity.share, fidelity.typical, fidelity.largest]).tolist()
    about += [[name, *line, float(fidelity.n_rows)] for name, line in zip(card.outputs, numbers, strict=True)]
    sheets = {"scorecard": about}
    for table in card.tables:
        header: list[str | float | None] = [*table.features, *(f"points {name}" for name in card.outputs), "weight"]
        rows: list[list[str | float | None]] = [
            [*labels, *points.tolist(), weight] for labels, points, weight in table.named_rows()
        ]
        sheets[" × ".join(table.features)] = [header, *rows]
    return sheets
