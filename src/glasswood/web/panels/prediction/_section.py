"""Prediction panel: what each feature adds to the prediction of one row, and what another value would change."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows, align
from glasswood.errors import GlasswoodError, OptionError
from glasswood.explain.attributions import attributor
from glasswood.results import Attributions
from glasswood.tables import Table, pick_rows, read_vector
from glasswood.web.page._document import to_json
from glasswood.web.page._text import many, number, scale_of, shortened
from glasswood.web.panels._answers import answer_texts, says_shares
from glasswood.web.panels._dates import date_text
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._rule_words import rule_words
from glasswood.web.panels._rules import rules_of
from glasswood.web.panels._sample import spread_rows
from glasswood.web.panels._subject import Subject
from glasswood.web.panels.prediction._background import background_of
from glasswood.web.panels.prediction._model import cells_of, features_to_dict, model_to_dict
from glasswood.web.panels.prediction._nearest import nearest_changes
from glasswood.web.panels.tree._plane import Plane, plane_of

_MODEL_BYTES = 500_000  # of the trees in a page and the data of their controls


def build_prediction(subject: Subject) -> dict[str, Any]:
    """Build the attributions of rows spread over the range of predictions, and the trees if they fit."""
    if not subject.n_examples:
        raise OptionError("rows are hidden because n_examples=0")
    ensemble, table = subject.ensemble(), subject.rows()
    if not ensemble.n_trees:
        raise OptionError("the model has no trees, so no feature adds anything")
    rows = spread_rows(subject.raw(), subject.n_examples)
    background, weight, some = background_of(subject)
    explain = attributor(ensemble, background=background, sample_weight=weight, n_jobs=subject.n_jobs)
    queries = pick_rows(table, rows)
    at = explain(queries, n_jobs=subject.n_jobs)
    plane = plane_of([ensemble])
    controls = _controls(subject, plane, background, weight, queries)
    y = None if subject.y is None else read_vector(subject.y, table.n_rows)
    fired, sentences = _rules(subject, rows)
    answers = answer_texts(ensemble, at.raw)
    nearest, unsearched = nearest_changes(subject, rows)
    dates, known = subject.dates(), align(queries, ensemble.features)
    return {
        "lead": "How the model comes to its answer for one row: from its average answer, feature by feature, to this "
        "one. The parts add up exactly.",
        "unit": scale_of(ensemble.link),
        "outputs": list(ensemble.outputs),
        "link": {"kind": ensemble.link.kind.value, "scale": ensemble.link.scale, "shares": says_shares(ensemble)},
        "base": at.baseline.tolist(),
        "features": controls["features"] if controls else [{"name": ensemble.feature_names[f]} for f in plane.features],
        "rows": [
            {
                "row": int(row),
                "name": subject.row_name(int(row)),
                "cells": controls["cells"][q] if controls else [],
                **_row(at, q, plane.features),
                "values": _values(at, q, plane.features, dates, known),
                "prediction": answers[q],
                "target": None if y is None else _target(y[row]),
                "rules": np.flatnonzero(fired[q]).tolist(),
                "nearest": nearest[q],
            }
            for q, row in enumerate(rows.tolist())
        ],
        "rules": sentences,
        "unsearched": unsearched,
        "background": controls["background"] if controls else None,
        "model": controls["model"] if controls else None,
        "note": f"average answer: over {many(table.n_rows if some is None else len(some), 'row')} of the table"
        + ("" if some is None else ", evenly spaced")
        + "; parts: exact Shapley values of the raw answer over the same rows",
        "refusal": ""
        if controls
        else f"Values cannot be changed here: the {ensemble.n_nodes:,} nodes of the model do not fit the page. "
        "glasswood app, started with the model and the rows, changes them.",
    }


def _controls(
    subject: Subject, plane: Plane, background: Table, weight: NDArray[np.float64] | None, queries: Table
) -> dict[str, Any] | None:
    """What the page needs to change a row: trees, features and rows in whole numbers; None if they do not fit.

    The app leaves out trees that do not fit a page: its server answers for changed rows.
    """
    ensemble, bounded = subject.ensemble(), subject.max_tree_bytes is not None
    model = model_to_dict(ensemble, plane)
    if model is None and bounded:
        return None
    behind, cells = (cells_of(plane, ensemble, align(rows, ensemble.features)) for rows in (background, queries))
    found = {
        "model": model,
        "features": features_to_dict(plane, ensemble, np.vstack([behind, cells]).min(axis=0) < 0, subject.dates()),
        "background": None
        if model is None
        else {
            "cells": behind.tolist(),
            "weight": np.ones(len(behind)).tolist() if weight is None else np.asarray(weight, np.float64).tolist(),
        },
        "cells": cells.tolist(),
    }
    return None if bounded and len(to_json(found).encode()) > _MODEL_BYTES else found


def _values(
    at: Attributions, q: int, features: tuple[int, ...], dates: Collection[str], rows: AlignedRows
) -> list[str]:
    """Values of one row as text; dates as dates."""
    # as everywhere on the page: a year without a comma, no powers of ten for a length of five digits
    texts = [
        number(x) if isinstance(x, float) else shortened(text, 60)
        for x, text in zip(at[q].inputs, at[q].texts, strict=True)
    ]
    for f in features:
        if at.names[f] in dates and not np.isnan(value := float(rows.column(f)[q])):
            texts[f] = date_text(value)
    return [texts[f] for f in features]


def _row(at: Attributions, q: int, features: tuple[int, ...]) -> dict[str, Any]:
    n = len(at.outputs)
    values = at.values[q].reshape(len(at.names), n)
    return {
        "parts": [[float(values[f, o]) for f in features] for o in range(n)],
        "raw": np.atleast_1d(at.raw[q]).tolist(),
    }


def _target(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    return number(value, 6) if isinstance(value, float) else shortened(str(value))


def _rules(subject: Subject, rows: NDArray[np.int64]) -> tuple[NDArray[np.bool_], list[str]]:
    """Which of the shown rules hold for each row, and their texts; empty if there are no rules."""
    try:
        found = rules_of(subject)
    except GlasswoodError:
        return np.zeros((len(rows), 0), dtype=bool), []
    shown = [one.index for one in found.picked]
    if not shown:
        return np.zeros((len(rows), 0), dtype=bool), []
    fired = found.rules.explain(pick_rows(subject.rows(), rows), n_jobs=subject.n_jobs).fired
    return np.asarray(fired[:, shown], dtype=bool), [rule_words(found.rules[k], subject.dates()) for k in shown]


PREDICTION = Panel("prediction", "This prediction", build_prediction, "panels/prediction.js")
