"""Error and stability along p0 as a picture."""

import numpy as np

from glasswood.plots import draw_rule_cv


def test_every_choice_is_marked() -> None:
    p0 = np.array([0.01, 0.1])
    error = np.array([0.1, 0.2])
    ax = draw_rule_cv(p0, error, np.zeros(2), np.array([0.5, 0.9]), marks={"p0_pred": 0.1}, measure="1 - AUC")
    assert [text.get_text() for text in ax.texts] == ["p0_pred = 0.1"]
