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
from glasswood.writers import DIALECTS, xlsx_file

if TYPE_CHECKING:
    from glasswood.explain.scorecards._scorecard import Scorecard

_ENDS = (".xlsx", ".csv", ".sql", ".json")
_SQL = DIALECTS["sqlite"]


def save_card(card: "Scorecard", path: Path) -> None:
    """Write a card in the form that the end of the path names."""
    end = path.suffix.lower()
    if end not in _ENDS:
        raise OptionError(f"{str(path)!r} does not end in {', '.join(_ENDS)}")
    if end == ".csv":
        write_table_file(card.to_frame(), path)
        return
    makers: dict[str, Callable[[], bytes]] = {
        ".xlsx": lambda: xlsx_file(_sheets(card)),
        ".sql": lambda: card_sql(card).encode(),
        ".json": lambda: (json.dumps(card.to_dict(), ensure_ascii=False, allow_nan=False) + "\n").encode(),
    }
    try:
        path.write_bytes(makers[end]())
    except OSError as error:
        raise TableError(f"{path}: {error.strerror}") from error


def card_sql(card: "Scorecard", table: str = "rows") -> str:
    """A SELECT with all columns of a table and the sum of the points, added in the order of the card."""
    parts = []
    for o, output in enumerate(card.outputs):
        terms = [_SQL.number(float(card.baseline[o]))]
        terms += [_table_sql(card, one, one.points[..., o]) for one in card.tables]
        alias = "raw" if len(card.outputs) == 1 else f"raw_{output}"
        parts.append("\n  " + "\n  + ".join(terms) + f" AS {_SQL.quote(alias)}")
    return f"SELECT *,{','.join(parts)}\nFROM {_SQL.quote(table)}\n"


def _table_sql(card: "Scorecard", table: CardTable, points: np.ndarray[Any, Any]) -> str:
    if len(table.bands) == 1:
        return _cases(card, table.bands[0], [_SQL.number(float(p)) for p in points])
    first, second = table.bands
    inner = [_cases(card, second, [_SQL.number(float(p)) for p in row]) for row in points]
    return _cases(card, first, inner)


def _cases(card: "Scorecard", bands: Bands, results: list[str]) -> str:
    """CASE over the bands of a feature; NULL where the card has no points."""
    cells, name = bands.cells, _SQL.quote(bands.feature)
    absent = f"{name} IS NULL"
    if card.features.zero_is_missing[card.features.names.index(bands.feature)]:
        absent = f"({absent} OR ABS({name}) <= {_SQL.number(ZERO)})"
    of_missing = [results[b] for b in bands.of_cell[cells.missing].tolist()]
    whens = [f"WHEN {absent} THEN {of_missing[0] if of_missing else 'NULL'}"]
    of_unseen = [results[b] for b in bands.of_cell[cells.unseen].tolist()] if cells.is_category else []
    known = [b for b in range(len(bands)) if not np.any((cells.missing | cells.unseen)[bands.of_cell == b])]
    last = of_unseen[0] if of_unseen else "NULL"
    for band in known:
        if cells.is_category:
            levels: list[Label] = [
                label for c, label in enumerate(cells.category) if label is not None and bands.of_cell[c] == band
            ]
            whens.append(f"WHEN {name} IN ({', '.join(map(_SQL.literal, levels))}) THEN {results[band]}")
        elif math.isinf(bands.ends(band)[1]):
            last = results[band]
        else:
            whens.append(f"WHEN {name} <= {_SQL.number(bands.ends(band)[1])} THEN {results[band]}")
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
            [*(some.label(b) for some, b in zip(table.bands, at, strict=True)), *points.tolist(), weight]
            for at, points, weight in table.rows()
        ]
        sheets[" × ".join(table.features)] = [header, *rows]
    return sheets
