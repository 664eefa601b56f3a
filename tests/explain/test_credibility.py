"""credibility_grid: vector (a) of the specification, and the effect of the number of rows."""

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import OptionError
from tests.reference.boosting import Sums, gain_of

SPREADS = np.array([0.01, 0.05, 0.1, 0.2, 0.5, 1.0])[:, None]
SDS = np.array([0.01, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0])


def test_the_grid_is_the_published_one() -> None:
    grid = gw.credibility_grid(gain=["cred_std", "cred_var", "newton"])
    z_std, z_var = SPREADS / (SPREADS + SDS), SPREADS**2 / (SPREADS**2 + SDS**2)
    np.testing.assert_allclose(grid.credibility[0, 0], z_std, rtol=1e-9)
    np.testing.assert_allclose(grid.credibility[1, 0], z_var, rtol=1e-9)
    np.testing.assert_allclose(grid.gain[0, 0], 1000 * SPREADS * z_std, rtol=1e-9)
    np.testing.assert_allclose(grid.gain[1, 0], 1000 * SPREADS * z_var, rtol=1e-9)
    np.testing.assert_allclose(grid.gain[2, 0], np.broadcast_to(1000 * SPREADS**2, (6, 8)), rtol=1e-9)
    # a few of the printed digits
    assert round(float(grid.credibility[0, 0, 1, 4]), 5) == 0.09091
    assert round(float(grid.gain[1, 0, 5, 7]), 3) == 38.462


def test_trees_see_the_gains_of_the_grid() -> None:
    rng = np.random.default_rng(0)
    z = rng.normal(size=1000)
    z = (z - z.mean()) / z.std()
    y = np.concatenate([-0.2 + 0.5 * z, 0.2 + 0.5 * z])
    X = np.repeat([0.0, 1.0], 1000)[:, None]
    for rule in ("newton", "cred_std", "cred_var", "welch"):
        model = gw.BoostingRegressor(gain=rule, l2=0.0, n_estimators=1, max_depth=1).fit(X, y)
        grid = gw.credibility_grid([0.2], [0.5], 1000, rule)
        assert model.ensemble_.gain[0] == pytest.approx(2 * grid.gain.item(), rel=1e-9)


def test_only_welch_looks_at_the_number_of_rows() -> None:
    grid = gw.credibility_grid([0.1], [1.0], [10, 100, 10_000], ["cred_std", "welch"])
    assert np.ptp(grid.credibility[0]) == pytest.approx(0, abs=1e-12)
    assert grid.credibility[1, 0, 0, 0] == 0.0
    assert grid.credibility[1, 2, 0, 0] > 0.98
    wanted = gain_of("welch", Sums(-1.0, 10, 10 * 1.01, 10), Sums(1.0, 10, 10 * 1.01, 10), 0.0)
    assert grid.gain[1, 0, 0, 0] == pytest.approx(wanted / 2)


def test_what_makes_no_grid_is_refused() -> None:
    with pytest.raises(OptionError, match="gain must be one of 'newton'"):
        gw.credibility_grid(gain="mae")
    with pytest.raises(OptionError, match="sd must be numbers above 0"):
        gw.credibility_grid(sd=[0.0])
    with pytest.raises(OptionError, match="n must be at least 2"):
        gw.credibility_grid(n=1)


@pytest.mark.parametrize("name", ["spread", "sd"])
@pytest.mark.parametrize("given", ["wide", ["0.1"], [], None, {"a": 1}, [np.inf], 10**400, np.nan])
def test_spreads_that_are_no_numbers_above_0_are_named(name: str, given) -> None:
    with pytest.raises(OptionError, match=f"{name} (must be numbers above 0|is empty)"):
        gw.credibility_grid(**{name: given})


@pytest.mark.parametrize("given", ["10", 10.5, [10.5], None, np.inf, 10**30, []])
def test_numbers_of_rows_are_whole(given) -> None:
    with pytest.raises(OptionError, match=r"n (must be at least 2|is empty)"):
        gw.credibility_grid(n=given)
    assert gw.credibility_grid(n=1e3).n.tolist() == [1000]


@pytest.mark.parametrize("given", [None, 3, []])
def test_rules_that_are_no_names_are_refused(given) -> None:
    with pytest.raises(OptionError, match=r"gain (must be one of|is empty)"):
        gw.credibility_grid(gain=given)
