"""The two choices of p0 are those of the papers."""

import json

import numpy as np

from glasswood.results import RuleCV


def curves() -> RuleCV:
    return RuleCV(
        p0=np.array([0.01, 0.02, 0.05, 0.1]),
        error=np.array([[0.10, 0.11, 0.13, 0.3], [0.12, 0.13, 0.13, 0.3]]),
        n_rules=np.array([[20.0, 10, 5, 1], [22, 12, 5, 1]]),
        stability=np.array([[0.5, 0.7, 0.9, 0.8], [0.5, 0.9, 0.6, 0.8]]),
        measure="1 - AUC",
        n_splits=10,
    )


def test_p0_pred_is_the_largest_within_two_standard_errors() -> None:
    # the smallest mean is 0.11, its standard error 0.01
    assert curves().p0_pred == 0.05


def test_p0_stab_is_the_median_of_the_best_compromises() -> None:
    assert curves().p0_stab == np.median([0.05, 0.02])


def test_it_becomes_a_frame_a_document_a_picture_and_html() -> None:
    frame = curves().to_frame("pandas")
    assert list(frame.columns) == ["p0", "error", "error_se", "n_rules", "stability"]
    assert json.loads(json.dumps(curves().to_dict()))["p0_pred"] == 0.05
    ax = curves().plot()
    assert ax.get_ylabel() == "1 - AUC" and ax.get_xscale() == "log"
    assert "p0_stab" in curves()._repr_html_()
