"""What somebody asks the app about changed rows, where the trees of the model do not fit a page.

Values are named by their cells, as in the page: between two thresholds of the model every value is the same to it.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._derived import derived
from glasswood.ensemble import ZERO, AlignedRows, Ensemble, align
from glasswood.errors import OptionError
from glasswood.explain.attributions import Attributor, attributor
from glasswood.tables import CategoryColumn, Columns, Table
from glasswood.web.page._text import many
from glasswood.web.panels._sample import spread_rows
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction._background import background_of
from glasswood.web.panels.tree._plane import Plane, plane_of

_MAX_ASKED = 1_000  # cells of one feature


@dataclass(frozen=True, slots=True, eq=False)
class _Answers:
    """The model with categories named by their codes, the thresholds of the page, and the parts of an answer."""

    ensemble: Ensemble
    plane: Plane
    rows: AlignedRows
    explain: Attributor


def changed_answer(subject: Subject, row: int, changes: str) -> dict[str, Any]:
    """Raw answer for a row with some other cells, and what each feature adds; `changes` is like `0.3_2.-1`.

    A change names the position of a feature on the page and its new cell.
    """
    known = _known(subject)
    _check_row(known.rows, row)
    cells = {}
    for change in changes.split("_") if changes else ():
        place, _, cell = change.partition(".")
        k = _whole("feature", place, 0, len(known.plane.features) - 1)
        cells[known.plane.features[k]] = np.array([_cell(known, known.plane.features[k], cell)])
    at = known.explain(_coded(known, np.array([row]), cells), n_jobs=subject.n_jobs)
    values = at.values[0].reshape(len(at.names), -1)
    return {
        "raw": np.atleast_1d(at.raw[0]).tolist(),
        "parts": [[float(values[f, o]) for f in known.plane.features] for o in range(values.shape[1])],
    }


def single_rows(subject: Subject, feature: str, cells: str) -> dict[str, Any]:
    """Raw answers for the rows of the panel with a feature at each of some cells, by row, cell and output."""
    known = _known(subject)
    names = known.ensemble.feature_names
    if feature not in names or (position := names.index(feature)) not in known.plane.features:
        raise OptionError(f"no tree of the model asks for a feature {feature[:40]!r}")
    texts = cells.split("_")
    if len(texts) > _MAX_ASKED:
        raise OptionError(f"ask for at most {_MAX_ASKED:,} cells at a time; got {len(texts):,}")
    wanted = np.array([_cell(known, position, text) for text in texts])
    rows = spread_rows(subject.raw(), subject.n_examples)
    changed = _coded(known, np.repeat(rows, len(wanted)), {position: np.tile(wanted, len(rows))})
    raw = known.ensemble.predict_raw(changed, n_jobs=subject.n_jobs)
    return {"raw": raw.reshape(len(rows), len(wanted), -1).tolist()}


def _known(subject: Subject) -> _Answers:
    if not subject.n_examples:
        raise OptionError("rows are hidden because n_examples=0")
    return derived(subject._known, "asked", lambda: _prepare(subject))


def _prepare(subject: Subject) -> _Answers:
    ensemble = subject.ensemble()
    schema = ensemble.features
    # codes as they are: a level that the model never saw has a code, but no label
    coded = replace(schema, named=False, coded=schema.is_category, hashes=(), derivation=None)
    plain = ensemble._with_features(coded)
    background, weight, _ = background_of(subject)
    behind = align(background, schema)
    every = _columns(plain, behind.n_rows, [behind.column(f) for f in range(len(schema))])
    explain = attributor(plain, background=every, sample_weight=weight, n_jobs=subject.n_jobs)
    return _Answers(plain, plane_of([ensemble]), align(subject.rows(), schema), explain)


def _coded(known: _Answers, rows: NDArray[np.int64], cells: dict[int, NDArray[np.int64]]) -> Table:
    """Rows of the table, with a value in another cell for some features."""
    table = known.rows.take(rows)
    values = [
        _values(known, f, cells[f]) if f in cells else table.column(f) for f in range(len(known.ensemble.features))
    ]
    return _columns(known.ensemble, len(rows), values)


def _columns(ensemble: Ensemble, n_rows: int, values: list[NDArray[Any]]) -> Columns:
    columns = tuple(
        column if levels is None else CategoryColumn(np.asarray(column, dtype=np.int32), (), True)
        for column, levels in zip(values, ensemble.features.categories, strict=True)
    )
    return Columns(n_rows, None, None, columns, None)


def _values(known: _Answers, feature: int, cells: NDArray[np.int64]) -> NDArray[Any]:
    """A value of each cell, codes for a category."""
    if known.ensemble.features.categories[feature] is not None:
        return cells
    cuts = known.plane.cuts[feature]
    upper = np.append(cuts, np.inf)[cells]
    lower = np.nextafter(np.append(-np.inf, cuts)[cells], np.inf)
    found = np.where(upper < np.inf, upper, lower if len(cuts) else 0.0)
    if known.ensemble.features.zero_is_missing[feature]:
        # numbers as close to 0 as this would count as missing; the cell may have others
        beside = np.where(lower < -ZERO, np.nextafter(-ZERO, -np.inf), np.nextafter(ZERO, np.inf))
        inside = (np.abs(found) <= ZERO) & (beside >= lower) & (beside <= upper)
        found = np.where(inside, beside, found)
    return np.where(cells < 0, np.nan, found)


def _cell(known: _Answers, feature: int, text: str) -> int:
    levels = known.ensemble.features.categories[feature]
    most = len(known.plane.cuts[feature]) if levels is None else len(levels)
    return _whole("cell", text, -1, most)


def _check_row(rows: AlignedRows, row: int) -> None:
    if not 0 <= row < rows.n_rows:
        raise OptionError(f"the table has no row {row}; it has {many(rows.n_rows, 'row')}, numbered from 0")


def _whole(what: str, text: str, least: int, most: int) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 10 and least <= int(text) <= most):
        raise OptionError(f"a {what} is a whole number from {least} to {most}; got {text[:40]!r}")
    return int(text)
