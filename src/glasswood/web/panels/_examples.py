"""Examples panel: some rows, each with the rows that are most similar to the model."""

import math
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble
from glasswood.errors import GlasswoodError, OptionError
from glasswood.explain.examples import ExampleIndex, examples, find_nearest
from glasswood.results import Neighbours
from glasswood.tables import Label, Table, pick_rows, read_vector, read_weight
from glasswood.web.page._text import many, number, percent, rounded, shortened, signed
from glasswood.web.panels._answers import answer_texts
from glasswood.web.panels._dates import date_text, time_apart
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._sample import few_rows, few_values, spread_rows, thin_rows
from glasswood.web.panels._subject import Subject

_MAX_FEATURES = 30
_MAX_INDEXED = 20_000  # rows searched


def build_examples(subject: Subject) -> dict[str, Any]:
    """Build rows spread over the range of predictions, each with its neighbours."""
    if not subject.n_examples:
        raise OptionError("rows are hidden because n_examples=0")
    ensemble, n_rows = subject.ensemble(), subject.rows().n_rows
    rows = spread_rows(subject.raw(), subject.n_examples)
    some = thin_rows(n_rows, _MAX_INDEXED)
    y = None if subject.y is None else read_vector(subject.y, n_rows)
    index = examples(
        ensemble,
        few_rows(subject.rows(), some),
        few_values(y, some),
        sample_weight=few_values(read_weight(subject.sample_weight, n_rows), some),
        min_rows_per_leaf=subject.min_rows_per_leaf,
        n_jobs=subject.n_jobs,
        progress=subject.progress,
    )
    try:
        order = subject.effects().importance().features
    except GlasswoodError:
        order = ensemble.feature_names
    return examples_data(
        index,
        pick_rows(subject.rows(), rows),
        rows=rows,
        indexed=some,
        ensemble=ensemble,
        target=None if y is None else y[rows],
        order=order,
        name=subject.row_name,
        dates=subject.dates(),
    )


def examples_data(
    index: ExampleIndex,
    queries: Table,
    *,
    rows: NDArray[np.int64],
    indexed: NDArray[np.int64] | None,
    ensemble: Ensemble,
    target: NDArray[Any] | None,
    order: tuple[str, ...],
    name: Callable[[int], str] = "row {}".format,
    k: int = 5,
    dates: Collection[str] = (),
) -> dict[str, Any]:
    """Lay out the neighbours of some rows.

    Parameters
    ----------
    index : ExampleIndex
    queries : table
        The rows to explain.
    rows : (n_queries,)
        Their numbers in the caller's table.
    indexed : (n_indexed,) or None
        Numbers in the caller's table of the rows of the index; None if they are the same.
    ensemble : Ensemble
    target : (n_queries,) or None
        Known targets of the queries.
    order : names of features, the most important first; the first ones are shown.
    name : function that names a row of the caller's table.
    k : int
        Number of neighbours of each.
    dates : names of the features that are dates.
    """
    found = find_nearest(index, queries, k + 1)  # without warnings: the panel itself says if a row has no neighbour
    most = index.most(queries)
    shown = [found.features.index(name) for name in order[:_MAX_FEATURES]]
    answers = answer_texts(ensemble, ensemble.predict_raw(queries))
    parts = [_query(found, q, int(rows[q]), indexed, shown, k, float(most[q]), dates) for q in range(len(found))]
    for q, part in enumerate(parts):
        for one in (part, *part["neighbours"]):
            one["name"] = name(one["row"])
        part["prediction"] = answers[q]
        part["target"] = None if target is None else _text(target[q])
    return {**_words(index, found, shown), "queries": parts}


def _words(index: ExampleIndex, found: Neighbours, shown: list[int]) -> dict[str, Any]:
    notes = [
        f"{many(index.n_rows, 'row')} searched",
        "similarity: 100 % for a row that ends in all the same leaves",
        "rows are numbered from 0",
        "a row is left out of its own list",
    ]
    if index.min_rows_per_leaf > 1:
        notes.append(f"leaves of fewer than {index.min_rows_per_leaf} rows do not count")
    if len(shown) < len(found.features):
        notes.append(f"the {len(shown)} most important of {len(found.features)} features are shown")
    return {
        "lead": "Rows that end in the same leaves as the chosen row, so that the model treats them alike; what differs "
        "is marked.",
        "method": index.method,
        "min_rows_per_leaf": index.min_rows_per_leaf,
        "features": [found.features[j] for j in shown],
        "has_target": index.target is not None,
        "note": "; ".join(notes),
    }


def _query(
    found: Neighbours,
    q: int,
    row: int,
    indexed: NDArray[np.int64] | None,
    shown: list[int],
    k: int,
    most: float,
    dates: Collection[str],
) -> dict[str, Any]:
    asked = found.queries.values(np.array([q]))[0]
    numbers = found.row[q]
    own = numbers if indexed is None else np.where(numbers >= 0, indexed[numbers], -1)
    places = [place for place in range(len(numbers)) if numbers[place] >= 0 and own[place] != row][:k]
    values = found.train.values(numbers[places]) if places else []
    # relative to a row in all the same leaves, because shares of all training rows would be about 0.1 % each
    alike = found.similarity[q] / most if most > 0 else found.similarity[q]
    is_date = [found.features[j] in dates for j in shown]
    top = max(1.0, *(float(alike[place]) for place in places), 0.0)
    return {
        "row": row,
        "values": [_text(asked[j], date) for j, date in zip(shown, is_date, strict=True)],
        "neighbours": [
            {
                "row": int(own[place]),
                "similarity": rounded(float(found.similarity[q, place])),
                "bar": rounded(float(alike[place]) / top),
                "similarity_text": percent(float(alike[place]), 0),
                "target": None if found.target is None else _text(found.target.data[q, place]),
                "values": [_text(line[j], date) for j, date in zip(shown, is_date, strict=True)],
                "differs": [line[j] != asked[j] for j in shown],
                "change": [_change(line[j], asked[j], date) for j, date in zip(shown, is_date, strict=True)],
            }
            for place, line in zip(places, values, strict=True)
        ],
        "empty": "" if places else "No other row shares a leaf with this one that may be shown.",
    }


def _change(value: Label | None, own: Label | None, is_date: bool) -> str | None:
    """Text that says how far apart two numbers or dates are."""
    numbers = all(isinstance(x, int | float) and not isinstance(x, bool) for x in (value, own))
    if not numbers or value == own:
        return None
    difference = float(value) - float(own)  # type: ignore[arg-type]
    if not math.isfinite(difference):
        return None
    return time_apart(difference) if is_date else signed(difference, 4)


def _text(value: Any, is_date: bool = False) -> str:
    if value is None:
        return "missing"
    value = value.item() if isinstance(value, np.generic) else value
    if is_date and isinstance(value, float):
        return date_text(value)
    return number(value, 6) if isinstance(value, float) else shortened(str(value))


EXAMPLES = Panel("examples", "Examples", build_examples, "panels/examples.js")
