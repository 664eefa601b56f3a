"""A subject reads its model once."""

from glasswood.web.panels._subject import Subject
from tests.web.cases import binary


def test_targets_need_not_be_known() -> None:
    assert Subject("t", model=None, X=[[1.0]]).y is None


def test_what_several_panels_need_is_made_once() -> None:
    model, X, _ = binary()
    subject = Subject("t", model, X)
    assert subject.ensemble() is subject.ensemble()
    assert subject.effects() is subject.effects()
    assert list(subject.effects()) == list(X.columns)
