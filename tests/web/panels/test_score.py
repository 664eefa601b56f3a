"""The sentence has the numbers of scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import accuracy_score, r2_score, roc_auc_score

from glasswood.web.page._text import number, percent
from glasswood.web.panels._score import score_words
from glasswood.web.panels._subject import Subject
from tests.web.cases import binary, numbers, several


def test_classes_are_scored_as_by_scikit_learn() -> None:
    model, X, y = binary()
    said = score_words(Subject("", model, X, y))
    assert f"names the right class for {percent(accuracy_score(y, model.predict(X)))}" in said
    assert f"AUC {number(roc_auc_score(y == 'yes <i>', model.predict_proba(X)[:, 1]), 3)}." in said
    often = max(np.mean(y == "no"), np.mean(y != "no"))
    assert f"would be right for {percent(often)}" in said


def test_several_classes_and_numbers_are_scored_as_by_scikit_learn() -> None:
    model, X, y = several()
    said = score_words(Subject("", model, X, y))
    assert percent(accuracy_score(y, model.predict(X))) in said
    assert f"AUC {number(roc_auc_score(y, model.predict_proba(X), multi_class='ovr'), 3)}." in said
    model, X, y = numbers()
    assert f"R² {number(r2_score(y, model.predict(X)), 3)}." in score_words(Subject("", model, X, y))


@pytest.mark.parametrize(("y", "words"), [(None, "No targets were given"), (["nobody"] * 400, "does not know")])
def test_reasons_for_a_missing_score_are_given(y: object, words: str) -> None:
    model, X, _ = binary()
    assert words in score_words(Subject("", model, X, y))
