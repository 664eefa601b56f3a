"""Rules as pictures."""

import numpy as np

from glasswood.plots import draw_parts, draw_rules


def test_the_first_rule_is_on_top() -> None:
    ax = draw_rules(
        ["a", "b"], np.array([0.9, 0.2]), np.array([0.1, 0.3]), np.array([0.5, 0.1]), mean=0.4, xlabel="share"
    )
    assert [t.get_text() for t in ax.get_yticklabels()] == ["a", "b"]
    assert ax.get_yticks()[0] > ax.get_yticks()[1]


def test_parts_are_bars_from_zero() -> None:
    ax = draw_parts(["a", "b"], np.array([0.2, -0.1]), np.array([True, False]), start=0.5, xlabel="added")
    assert [bar.get_width() for bar in ax.patches] == [0.2, -0.1]
    assert ax.patches[1].get_alpha() == 0.35
