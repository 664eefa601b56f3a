"""Links turn raw into predictions without overflow."""

import numpy as np
import pytest

from glasswood.ensemble import IDENTITY, LOG, LOGIT, NO_LINK, OVA, SOFTMAX, Link, LinkKind
from glasswood.errors import UnsupportedModelError

RAW = np.array([[-800.0, 0.0], [1.0, 800.0]])


def test_identity_keeps_raw() -> None:
    assert np.array_equal(IDENTITY.inverse(RAW, objective=""), RAW)


def test_logit_stays_between_zero_and_one() -> None:
    assert LOGIT.inverse(RAW, objective="").tolist() == [[0.0, 0.5], [pytest.approx(1 / (1 + np.exp(-1))), 1.0]]
    assert np.array_equal(OVA.inverse(RAW, objective=""), LOGIT.inverse(RAW, objective=""))


def test_the_scale_multiplies_raw() -> None:
    scaled = Link(LinkKind.LOGIT, 2.0)
    assert scaled.inverse(np.array([[1.0]]), objective="")[0, 0] == pytest.approx(1 / (1 + np.exp(-2)))
    assert "scale 2" in str(scaled)


def test_softmax_rows_sum_to_one() -> None:
    assert SOFTMAX.inverse(RAW, objective="").sum(axis=1).tolist() == [1.0, 1.0]


def test_log_overflows_to_infinity_quietly() -> None:
    assert LOG.inverse(np.array([[0.0, 1000.0]]), objective="").tolist() == [[1.0, np.inf]]


def test_no_link_refuses_by_the_objectives_name() -> None:
    with pytest.raises(UnsupportedModelError, match="'binary:hinge'"):
        NO_LINK.inverse(RAW, objective="binary:hinge")


def test_links_of_classes_give_shares() -> None:
    assert [kind.value for kind in LinkKind if Link(kind).gives_shares] == ["logit", "softmax", "ova"]


def test_no_link_refuses_with_the_note_that_says_what_raw_is() -> None:
    notes = ("node weights are rows", "raw is the mean path length", "another")
    with pytest.raises(UnsupportedModelError, match=r"^raw is the mean path length; use predict_raw"):
        NO_LINK.inverse(RAW, objective="path length", notes=notes)
