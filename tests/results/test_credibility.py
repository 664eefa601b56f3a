"""CredibilityGrid as frame, dict and pictures."""

import json
from typing import Any

import numpy as np
import pytest
from matplotlib.figure import Figure

import glasswood as gw
from glasswood.errors import OptionError

GRID = gw.credibility_grid([0.1, 0.5], [0.1, 1.0, 2.0], [10, 1000], ["cred_std", "welch"])


def test_a_frame_has_one_row_per_cell() -> None:
    frame = GRID.to_frame("pandas")
    assert list(frame.columns) == ["rule", "n", "spread", "sd", "credibility", "gain"]
    assert len(frame) == 2 * 2 * 2 * 3
    one = frame.query("rule == 'cred_std' and n == 1000 and spread == 0.5 and sd == 1.0")
    np.testing.assert_allclose(one["credibility"], 1 / 3)
    assert json.loads(json.dumps(GRID.to_dict()))["rules"] == ["cred_std", "welch"]
    assert "2 spreads × 3 sds" in GRID._repr_html_()


def test_a_heat_map_shows_one_rule() -> None:
    ax = GRID.plot(Figure().add_subplot(), rule="welch", n=1000, what="gain")
    assert ax.get_title() == "welch, 1,000 rows"
    assert len(ax.texts) == 6


def test_children_are_drawn_with_every_rule_under_them() -> None:
    panels = GRID.plot_children(Figure().subplots(2, 3), n=10)
    assert panels.shape == (2, 3)
    assert "cred_std: Z 0.50" in panels[0, 0].get_xlabel() and "welch" in panels[0, 0].get_xlabel()


def test_what_is_not_in_the_grid_is_named() -> None:
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"rule": "newton"}, "rule must be one of 'cred_std', 'welch'; got 'newton'"),
        ({"n": 7}, "n must be one of 10, 1000; got 7"),
        ({"what": "z"}, "what must be one of 'credibility', 'gain'; got 'z'"),
    )
    for options, message in wrong:
        with pytest.raises(OptionError, match=message):
            GRID.plot(**options)
