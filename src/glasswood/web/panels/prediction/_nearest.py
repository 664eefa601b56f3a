"""Nearest change: which values of a row would have to be different for another prediction."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._derived import derived
from glasswood.ensemble import LinkKind
from glasswood.errors import GlasswoodError, OptionError
from glasswood.explain.proofs import CounterfactualSearch, Limits, classes_of, prepare_counterfactuals
from glasswood.results import Counterfactuals
from glasswood.tables import Label, pick_rows
from glasswood.web.page._text import edge, many, number, percent, shortened
from glasswood.web.panels._answers import answer_texts
from glasswood.web.panels._dates import date_text
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.tree._plane import Plane, plane_of

_MAX_LEAVES = 20_000  # with more leaves, no row is searched until somebody asks
_MAX_ASKED_LEAVES = 300_000
_WORK = 2_000_000  # of all searches of a page, in visited leaves; takes a fraction of a second
_FEATURE = 200  # a feature costs a box as much as so many leaves
_FIRST_GUESS = 15  # before its boxes a search finds a row step by step, which costs as much as so many boxes
_MIN_BOXES, _MAX_BOXES = 4, 80
_ASKED_BOXES = 3_000  # of a search that somebody waits for


@dataclass(frozen=True, slots=True, eq=False)
class NearestChanges:
    """What to search for and from where: the search, the thresholds of the page, and the predictions of all rows."""

    subject: Subject
    search: CounterfactualSearch
    plane: Plane
    said: NDArray[np.float64]  # (n_rows, n_outputs)

    def of(self, row: int, max_boxes: int) -> dict[str, Any]:
        """JSON-ready: the nearest change of one row, and how sure that is."""
        ensemble = self.subject.ensemble()
        target, words = self._target(row)
        found = self.search(pick_rows(self.subject.rows(), np.array([row])), target, limits=Limits.of(max_boxes, None))
        changes = found.changes[0] if found.rows else {}
        return {
            "status": found.status,
            "sentence": _sentence(found, words),
            "answer": answer_texts(ensemble, found.raw)[1] if found.rows else "",
            "changes": [self._change(name, *values) for name, values in changes.items()],
        }

    def _target(self, row: int) -> tuple[Any, str]:
        """The prediction that is wanted: the next class, or a number on the other side of most rows."""
        classes, said = classes_of(self.subject.ensemble()), self.said[row]
        if classes:
            shares = np.array([1.0 - said[0], said[0]]) if len(said) == 1 else said
            label = classes[int(np.argsort(-shares, kind="stable")[1])]
            return label, f"class {shortened(str(label), 60)}"
        low, middle, high = np.quantile(self.said[:, 0], [0.25, 0.5, 0.75], method="nearest").tolist()
        if said[0] <= middle:
            return (high, None), f"a prediction of at least {number(high)} (as for the upper quarter of these rows)"
        return (None, low), f"a prediction of at most {number(low)} (as for the lower quarter of these rows)"

    def _change(self, name: str, before: Label | None, after: Label | None) -> dict[str, Any]:
        ensemble = self.subject.ensemble()
        feature = ensemble.feature_names.index(name)
        is_date = name in self.subject.dates()
        return {
            "feature": name,
            "place": self.plane.features.index(feature),
            "cell": self._cell(feature, after),
            "from": _value_text(before, is_date),
            "to": self._new_text(feature, before, after, is_date),
        }

    def _cell(self, feature: int, value: Label | None) -> int:
        """Number of a value in the model of the page; −1 is missing."""
        cells = self.search.cells[feature]
        if value is None:
            return -1
        if cells.levels is not None:
            return cells.cell_of(value)
        return int(np.searchsorted(self.plane.cuts[feature], float(value), side="left"))

    def _new_text(self, feature: int, before: Label | None, after: Label | None, is_date: bool) -> str:
        """The new value: whole numbers and levels as they are, others by the threshold that they pass."""
        levels = self.subject.ensemble().features.categories[feature]
        if levels is not None or after is None or before is None:
            return _value_text(after, is_date)
        value, cuts, cell = float(after), self.plane.cuts[feature], self._cell(feature, after)
        if value.is_integer() and not is_date:
            return _value_text(value, is_date)
        rises = value > float(before)
        passed = cuts[cell - 1] if rises else cuts[min(cell, len(cuts) - 1)]
        if not np.isfinite(passed):
            return _value_text(value, is_date)
        others = np.abs(cuts[cuts != passed] - passed)
        text = date_text(float(passed)) if is_date else edge(float(passed), float(others.min(initial=np.inf)))
        return f"{'after' if is_date else 'above'} {text}" if rises else f"{'until' if is_date else 'at most'} {text}"


def nearest_changes(subject: Subject, rows: NDArray[np.int64]) -> tuple[list[dict[str, Any] | None], str]:
    """The nearest change of each row, None if it was not searched; and why, if some were not."""
    try:
        prepared = _prepared(subject, _MAX_LEAVES)
    except GlasswoodError as error:
        return [None] * len(rows), f"{error}."
    box = len(prepared.search.leaves) + _FEATURE * len(subject.ensemble().features)
    some = int(np.clip(_WORK // (box * (_FIRST_GUESS + _MIN_BOXES)), 1, len(rows)))
    boxes = int(np.clip(_WORK // (box * some) - _FIRST_GUESS, _MIN_BOXES, _MAX_BOXES))
    chosen = set(np.linspace(0, len(rows) - 1, some).round().astype(int).tolist())
    found = [prepared.of(int(row), boxes) if k in chosen else None for k, row in enumerate(rows.tolist())]
    why = "" if some == len(rows) else f"The page has the nearest change of {some} of these {len(rows)} rows."
    return found, why


def nearest_asked(subject: Subject, row: int) -> dict[str, Any]:
    """The nearest change of one row that somebody asked for, with a longer search."""
    if not 0 <= row < subject.rows().n_rows:
        raise OptionError(f"the table has no row {row}; it has {many(subject.rows().n_rows, 'row')}, numbered from 0")
    return _prepared(subject, _MAX_ASKED_LEAVES).of(row, _ASKED_BOXES)


def _prepared(subject: Subject, most: int) -> NearestChanges:
    ensemble = subject.ensemble()
    n_leaves = int(np.count_nonzero(ensemble.feature < 0))
    if n_leaves > most:
        raise OptionError(f"The nearest change is not searched here, because the model has {n_leaves:,} leaves")
    if not classes_of(ensemble) and (ensemble.n_outputs > 1 or ensemble.link.kind is LinkKind.NONE):
        raise OptionError("There is no nearest change, because the model predicts neither classes nor one number")
    return derived(subject._known, "nearest", lambda: _prepare(subject))


def _prepare(subject: Subject) -> NearestChanges:
    ensemble, table = subject.ensemble(), subject.rows()
    said = subject.raw() if ensemble.link.kind is LinkKind.NONE else subject.predictions()
    return NearestChanges(subject, prepare_counterfactuals(ensemble, table), plane_of([ensemble]), said)


def _sentence(found: Counterfactuals, words: str) -> str:
    if found.status == "impossible":
        return f"No values within the range of these rows give {words}: proven."
    if not found.rows:
        return f"No row with {words} was found. The search stopped early, so there may be one."
    if found.distance[0] == 0:
        return f"The row already has {words}."
    n = many(len(found.cost[0]), "value")
    if found.status == "proven":
        return f"For {words}, {n} must change. No smaller change does it: proven."
    share = found.bound / float(found.distance[0])
    limit = f", but none below {percent(share, 0)} of its size" if share >= 0.01 else ""
    return f"For {words}, it is enough to change {n}. There may be a smaller change{limit}: the search stopped early."


def _value_text(value: Label | None, is_date: bool) -> str:
    if value is None:
        return "missing"
    if isinstance(value, float):
        return date_text(value) if is_date else number(value, 6)
    return shortened(str(value), 60)
