"""The example chooses like boosting, and the grid equals Python's."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.explain import GAINS
from glasswood.web.panels._credibility import credibility_data, two_features


def blocks() -> tuple[np.ndarray, np.ndarray]:
    """The 20,000 rows of the example: levels of x1 and x2 as numbers, and the standardised target."""
    rng = np.random.default_rng(0)
    parts = []
    for n, mean, sd in ((10_000, -0.25, 0.1), (9_000, 0.25, 0.1), (1_000, 1.5, 0.2)):
        z = rng.normal(size=n)
        parts.append(mean + sd * (z - z.mean()) / z.std(ddof=1))
    y = np.concatenate(parts)
    X = np.column_stack(
        [np.repeat([0.0, 1.0, 1.0], (10_000, 9_000, 1_000)), np.repeat([0.0, 0.0, 1.0], (10_000, 9_000, 1_000))]
    )
    return X, (y - y.mean()) / y.std(ddof=1)


@pytest.mark.parametrize(
    ("rule", "x1", "x2"),
    [("newton", 10881.9075, 12113.845), ("cred_std", 8859.7056, 3720.9051), ("cred_var", 9557.1832, 3574.3165)],
)
def test_gains_are_the_published_ones(rule: str, x1: float, x2: float) -> None:
    line = next(line for line in two_features()["gains"] if line["rule"] == rule)
    assert line["gain"]["x1"]["value"] == pytest.approx(x1, rel=1e-7)
    assert line["gain"]["x2"]["value"] == pytest.approx(x2, rel=1e-7)


@pytest.mark.parametrize("rule", GAINS)
def test_the_example_picks_what_a_tree_with_one_split_picks(rule: str) -> None:
    X, y = blocks()
    l2 = 0.5 if rule == "newton" else 1.0
    model = gw.BoostingRegressor(n_estimators=1, max_depth=1, gain=rule, l2=l2).fit(X, y)
    line = next(line for line in two_features()["gains"] if line["rule"] == rule)
    assert line["picks"] == ("x1", "x2")[int(model.ensemble_.feature[0])]
    assert line["gain"][line["picks"]]["value"] == pytest.approx(float(model.ensemble_.gain[0]), rel=1e-4)


def test_the_grid_is_the_verbs_own() -> None:
    data = credibility_data()
    grid = gw.credibility_grid(n=data["grid"]["n"], gain=GAINS)
    assert data["grid"] == grid.to_dict()
    assert data["grid_text"]["credibility"][2][0][0][0] == f"{grid.credibility[2, 0, 0, 0]:.2f}"
    assert "cred_var and cred_std take x1" in data["example"]["words"]
