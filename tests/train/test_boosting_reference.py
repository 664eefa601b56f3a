"""Every tree of boosting against the slow reference."""

from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows
from glasswood.train.boosting._binning import make_binning
from glasswood.train.boosting._losses import make_loss
from tests.reference.boosting import check_tree, check_values, slopes
from tests.reference.symmetric import check_symmetric_tree
from tests.train.examples import asked_of, boosting_problems, columns_of, fit

Floats = NDArray[np.float64]


# The largest g²/h of the first tree is 2; a formula written differently gives the number just below, with which the
# unit of quantised statistics, a power of two, would be half as large.
NEAR_A_POWER_OF_TWO: dict[str, Any] = {
    "X": np.array([[0.0], [0.5], [1.0], [1.5]]),
    "labels": [None],
    "y": np.array([1.0, 1.5, 0.0, 1.5]),
    "weight": np.empty(0),
    "loss": "tweedie",
    "gain": "cred_var",
    "l2": 0.0,
    "min_weight_leaf": 0.0,
    "min_samples_leaf": 1,
    "max_depth": 2,
    "max_bins": 16,
    "max_leaf_nodes": None,
    "symmetric": False,
    "quantile": 0.3,
    "power": 1.5,
    "n_estimators": 1,
    "rho": 1.0,
    "statistics": "quantised",
}


def gradients(options: dict[str, Any], y: Floats, raw: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Gradient and hessian of every row by the kernel, times the weight."""
    g, h = np.empty((1, len(y))), np.empty((1, len(y)))
    make_loss(options["loss"], quantile=options["quantile"], power=options["power"]).fill(y, raw[None], weight, g, h, 1)
    return g[0], h[0]


@settings(max_examples=150)
@given(boosting_problems(), st.floats(-3.0, 3.0))
def test_gradients_are_the_slopes_of_the_loss(options: dict[str, Any], start: float) -> None:
    y, weight = options["y"], options["weight"]
    raw = start + np.random.default_rng(0).normal(size=len(y)).round(1)
    g, h = gradients(options, y, raw, weight)
    w = weight if len(weight) else np.ones(len(y))
    slope, curvature = slopes(options["loss"], y, raw, options["quantile"], options["power"])
    np.testing.assert_allclose(g, w * slope, rtol=1e-11, atol=1e-13)
    np.testing.assert_allclose(h, w * np.maximum(curvature, 1e-6), rtol=1e-11)


@pytest.mark.filterwarnings("ignore::glasswood.errors.GlasswoodWarning")
@settings(max_examples=150)
@given(boosting_problems())
@example(NEAR_A_POWER_OF_TWO)
def test_every_tree_is_the_one_of_the_slow_reference(given_: dict[str, Any]) -> None:
    options = dict(given_)
    X, labels = options.pop("X"), options.pop("labels")
    y, weight = options.pop("y"), options.pop("weight")
    n = len(X)
    data, features = columns_of(X, labels)
    model = fit(data, y, features=features, weight=weight, **options).ensemble
    binning = make_binning(AlignedRows(n, data), features, weight, max_bins=options["max_bins"], seed=0, n_threads=1)
    raw = np.full(n, model.baseline[0])
    for t in range(model.n_trees):
        # from the kernel, bit by bit: units of quantised statistics jump at powers of two
        g, h = gradients(options, y, raw, weight)
        problem = asked_of(X, binning, g, h, weight, options)
        # splits are those of the quantised statistics, leaves those of the unrounded numbers
        ranked = problem.quantised(0, 2**32 + t) if options["statistics"] == "quantised" else problem
        if options["symmetric"]:
            rows_of = check_symmetric_tree(ranked, model, t)
        else:
            rows_of = check_tree(ranked, model, t, limited=options["max_leaf_nodes"] is not None)
        raw = check_values(problem, model, rows_of, options, y, raw)
    np.testing.assert_allclose(model._plan().predict_raw(data)[:, 0], raw)
