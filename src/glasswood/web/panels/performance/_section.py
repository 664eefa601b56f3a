"""Performance panel: how well the model predicts rows whose targets are known."""

from typing import Any

import numpy as np

from glasswood.ensemble import LinkKind, align, holds_shares, is_difference
from glasswood.errors import GlasswoodError, OptionError
from glasswood.explain import target_rows
from glasswood.tables import read_weight
from glasswood.web.page._text import many
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._score import TRAINING_NOTE
from glasswood.web.panels._subject import Subject, training_subject
from glasswood.web.panels.performance._classes import classes_data
from glasswood.web.panels.performance._known import Known
from glasswood.web.panels.performance._numbers import numbers_data

_MAX_FEATURES = 12  # features that rows are grouped by
_FEW_PARTS = 4  # with more classes, groups of training rows would take too much of the page


def build_performance(subject: Subject) -> dict[str, Any]:
    """Compare the predictions for the rows with their targets; training rows apart, if they are given."""
    features = _features(subject)
    data = _compared(subject, features)
    if subject.training is None:
        lead = f"How well the model predicts the targets of these {many(subject.rows().n_rows, 'row')}. {TRAINING_NOTE}"
        return {"lead": lead, **data, "training": None, "groups_note": _groups_note(subject, features)}
    trained = training_subject(subject)
    lead = (
        f"How well the model predicts the targets of these {many(subject.rows().n_rows, 'row')}, beside those of the "
        f"{many(trained.rows().n_rows, 'row')} it was trained on. If it does much better there, it has learned noise."
    )
    apart = _compared(trained, features)
    if len(apart["parts"]) > _FEW_PARTS:
        apart = {**apart, "parts": [{**part, "views": []} for part in apart["parts"]]}
    return {"lead": lead, **data, "training": apart, "groups_note": _groups_note(subject, features)}


def _groups_note(subject: Subject, features: tuple[int, ...]) -> str:
    """That features are left out; empty if none is."""
    n = len(subject.ensemble().features)
    return f"Rows are grouped by the {len(features)} most important of {n:,} features." if len(features) < n else ""


def _compared(subject: Subject, features: tuple[int, ...]) -> dict[str, Any]:
    """Predictions beside targets; rows are grouped by some features."""
    if subject.y is None:
        raise OptionError("no targets were given: pass y to see how well the model predicts these rows")
    ensemble, n_rows = subject.ensemble(), subject.rows().n_rows
    if ensemble.link.kind is LinkKind.NONE:
        raise OptionError("how raw becomes a prediction is not known, so predictions cannot be compared with targets")
    target = target_rows(ensemble, subject.y, n_rows)
    weight = read_weight(subject.sample_weight, n_rows)
    weight = np.ones(n_rows) if weight is None else weight
    if not weight.any():
        raise OptionError("every row has weight 0, so there is nothing to compare")
    said = subject.predictions()
    known = Known(ensemble, align(subject.rows(), ensemble.features), target, said, weight, features, subject.dates())
    if target.classes is None:
        if said.shape[1] != 1:
            raise OptionError(f"the model predicts {said.shape[1]} numbers for each row, and y holds one")
        return numbers_data(known)
    if len(target.classes) < 2 or said.shape[1] not in (1, len(target.classes)):
        raise OptionError("the model does not tell classes apart, so there is no share to compare with the targets")
    if not (holds_shares(ensemble) or ensemble.link.gives_shares):
        raise OptionError("the model predicts no shares of classes, so no threshold can be moved")
    return classes_data(known)


def _features(subject: Subject) -> tuple[int, ...]:
    """Features to group rows by, the most important first."""
    names = subject.ensemble().feature_names
    try:
        order = subject.effects().importance().features
    except GlasswoodError:
        order = names
    place = {name: k for k, name in enumerate(names)}
    return tuple(place[name] for name in order[:_MAX_FEATURES])


def _predicts(subject: Subject) -> bool:
    """A difference of two models predicts no target; `gw.compare` gives the loss of both."""
    return not is_difference(subject.ensemble())


PERFORMANCE = Panel("performance", "How good is it", build_performance, "panels/performance.js", _predicts)
