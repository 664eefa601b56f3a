"""gw.compare: every part is what its own function says about the difference."""

import numpy as np
import pytest

import glasswood as gw
from tests.agreement.small_models import frame, lightgbm, own, target


@pytest.mark.parametrize("n_classes", [0, 2, 3])
@pytest.mark.filterwarnings("ignore")
def test_parts_are_those_of_the_difference(n_classes: int) -> None:
    (a, X), (b, _) = lightgbm(n_classes), own(n_classes)
    weight = np.random.default_rng(0).random(len(X))
    found = gw.compare(a, b, X, target(n_classes, len(X)), sample_weight=weight)
    raws = [gw.read(model).predict_raw(X).reshape(len(X), -1) for model in (a, b)]
    change = raws[0] - raws[1]
    np.testing.assert_allclose(found.mean, np.average(change, axis=0, weights=weight), atol=1e-12)
    spread = np.average((change - found.mean) ** 2, axis=0, weights=weight)
    np.testing.assert_allclose(found.sd**2, spread, rtol=1e-9)
    np.testing.assert_allclose(found.ledger.variance, spread, rtol=1e-9)
    expected = gw.effects(gw.difference(a, b, X), X, sample_weight=weight).importance()
    np.testing.assert_array_equal(found.importance.sd, expected.sd)
    assert found.rows[0] == np.argmax(np.abs(change).max(axis=1))
    np.testing.assert_allclose(found.row_raw[0] - found.row_raw[1], change[found.rows], atol=1e-12)
    assert np.all(found.bounds.low <= change.min(axis=0) + 1e-12)
    assert np.all(found.bounds.high >= change.max(axis=0) - 1e-12)
    assert len(found.rules) > 0 and len(found.pairs) > 0
    assert len(found.to_frame()) > 10 * len(found.outputs)


def test_a_model_does_not_differ_from_itself() -> None:
    model, X = own(2)
    found = gw.compare(model, model, X, target(2, len(X)))
    assert not found.sd.any() and not found.quantiles.any() and found.class_changes == 0.0 and found.rules is None
    assert found.loss.difference == found.loss.error == 0.0
    assert found.bounds.low <= 0 <= found.bounds.high


def test_the_same_bits_with_any_number_of_threads() -> None:
    (a, X), b = own(0), gw.BoostingRegressor(n_estimators=4, max_depth=2).fit(frame(), target(0))
    one, two = (gw.compare(a, b, X, n_jobs=n).to_dict() for n in (1, 2))
    assert one == two


def test_tables_that_cannot_be_compared_are_refused() -> None:
    model, X = own(0)
    with pytest.raises(gw.TableError, match="X has none"):
        gw.compare(model, model, X[:0])
    with pytest.raises(gw.TableError, match="sample_weight"):
        gw.compare(model, model, X, sample_weight=np.zeros(len(X)))
    with pytest.raises(gw.TableError, match="lacks 'grid'"):
        gw.compare(model, model, X.drop(columns="grid"))
