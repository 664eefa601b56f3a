"""The background: rows that attributions average over, read once and stored as cells."""

import re
from collections.abc import Iterator
from typing import Any

from glasswood import _native
from glasswood._progress import Progress
from glasswood.ensemble import Ensemble, align
from glasswood.errors import TableError
from glasswood.explain.effects._row_stream import Rows, make_rows
from glasswood.tables import Table


def open_background(background: Table | Iterator[Table], sample_weight: Any) -> Rows:
    """Tables of the background, one after the other."""
    try:
        return make_rows(background, sample_weight, "background", as_shares=True)
    except TableError as error:
        raise TableError(in_words(error)) from error


def in_words(error: Exception) -> str:
    """Message of an error about the background, which the caller does not know as X."""
    text = re.sub(r"\bX(?=\.\w+[(\[]|\[\[)|(?<=DataFrame\()X(?=\))", "background", str(error))
    return text if text.startswith("background") else f"background: {text}"


def read_background(
    ensemble: Ensemble, model: _native.AttributionModel, rows: Rows, n_threads: int, progress: bool
) -> _native.AttributionBackground:
    """All rows as cells, one or two bytes per value; rows of weight 0 are left out."""
    kept = _native.AttributionBackground(model)
    n_given = 0
    with Progress("background", rows.n_parts, show=progress) as bar:
        try:
            for table, weight in rows.parts:
                aligned = align(table, ensemble.features)
                kept.append(aligned.data, weight, n_threads)
                n_given += aligned.n_rows
                bar.step()
        except TableError as error:
            raise TableError(in_words(error)) from error
    if kept.n_rows == 0:
        why = "no row" if n_given == 0 else "no row with a weight above 0"
        raise TableError(f"the background has {why}; attributions average over its rows")
    kept.close()
    return kept
