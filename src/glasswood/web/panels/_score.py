"""How well the model predicts the rows of the page, in one sentence."""

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_mean
from glasswood.ensemble import LinkKind, holds_shares, is_difference, largest_share, shares_of
from glasswood.errors import GlasswoodError
from glasswood.explain import TargetRows, target_rows
from glasswood.explain._scores import class_auc, r2
from glasswood.tables import read_weight
from glasswood.web.page._text import many, number, percent
from glasswood.web.panels._subject import Subject, training_subject

TRAINING_NOTE = "If the model was trained on these rows, it looks better here than it is."


def score_words(subject: Subject) -> str:
    """Say how often the model is right, or how much of the target it explains, and what a constant guess reaches.

    Training rows that are given apart get a sentence of their own.
    """
    words = _words(subject, "On these")
    if subject.training is None or not words.startswith("On"):
        return f"{words} {TRAINING_NOTE}" if words.startswith("On") else words
    return f"{words} {_words(training_subject(subject), 'On the training data of')}"


def _words(subject: Subject, on: str) -> str:
    """One sentence about the rows of a subject, or why there is none; `on` is how it begins."""
    if subject.y is None:
        return "No targets were given, so the page cannot say how well the model predicts."
    ensemble, n_rows = subject.ensemble(), subject.rows().n_rows
    if is_difference(ensemble):
        return "This is the difference of two models, which predicts no target; gw.compare gives the loss of both."
    if ensemble.link.kind == LinkKind.NONE:
        return "How raw becomes a prediction is not known, so the page cannot say how well the model predicts."
    try:
        target = target_rows(ensemble, subject.y, n_rows)
    except GlasswoodError as error:
        return f"The page cannot say how well the model predicts: {error}."
    weight = read_weight(subject.sample_weight, n_rows)
    weight = np.ones(n_rows) if weight is None else weight
    said = subject.predictions()
    if target.classes is not None and (holds_shares(ensemble) or ensemble.link.gives_shares):
        return _of_classes(said, target, weight, n_rows, on)
    if target.classes is not None or said.shape[1] != 1:
        return ""
    fit = r2(said[:, 0], target.numbers, weight)
    miss = float(np.sqrt(exact_mean((target.numbers - said[:, 0]) ** 2, weight)))
    spread = float(np.sqrt(exact_mean((target.numbers - exact_mean(target.numbers, weight)) ** 2, weight)))
    return (
        f"{on} {many(n_rows, 'row')} its predictions miss the target by {number(miss, 3)} (root mean square); "
        f"the mean of the target alone misses it by {number(spread, 3)}. R² {number(fit, 3)}."
    )


def _of_classes(
    share: NDArray[np.float64], target: TargetRows, weight: NDArray[np.float64], n_rows: int, on: str
) -> str:
    classes = target.classes or ()
    if len(classes) < 2 or share.shape[1] not in (1, len(classes)):
        return ""
    right = exact_mean((largest_share(shares_of(share, len(classes))) == target.codes).astype(np.float64), weight)
    mass = [exact_mean((target.codes == k).astype(np.float64), weight) for k in range(len(classes))]
    often = int(np.argmax(mass))
    area = class_auc(share, target.codes, weight)
    return (
        f"{on} {many(n_rows, 'row')} it names the right class for {percent(right)}; always saying {classes[often]} "
        f"would be right for {percent(mass[often])}. AUC {number(area, 3)}."
    )
