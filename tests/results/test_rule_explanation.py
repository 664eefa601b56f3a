"""What each rule added, as a frame, a document and a picture."""

import json

import numpy as np

from glasswood.results import Condition, Rule, RuleExplanation


def rule(condition: Condition) -> Rule:
    one = np.ones(1)
    return Rule(
        conditions=(condition,), support=1.0, inside=one, outside=one, frequency=1.0, frequency_se=0.0, coefficient=1.0
    )


def explanation(n_outputs: int = 1) -> RuleExplanation:
    return RuleExplanation(
        rules=(rule(Condition(feature="a", upper=0.1 + 0.2)), rule(Condition(feature="b", lower=2.0))),
        fired=np.array([[True, False], [False, False]]),
        added=np.arange(4.0 * n_outputs).reshape(2, 2, n_outputs),
        baseline=np.full(n_outputs, 10.0),
        outputs=tuple("xyz"[:n_outputs]),
    )


def test_parts_sum_to_the_prediction() -> None:
    assert explanation().prediction.tolist() == [11.0, 15.0]
    assert explanation(2).prediction.shape == (2, 2)


def test_a_frame_has_a_row_per_row_rule_and_output() -> None:
    frame = explanation(2).to_frame("pandas")
    assert list(frame.columns) == ["row", "rule", "fired", "added", "output"]
    assert len(frame) == 8 and frame["rule"][0] == "a <= 0.30000000000000004"
    by_row = frame.groupby(["row", "output"])["added"].sum()
    np.testing.assert_allclose(by_row.to_numpy() + 10, explanation(2).prediction.ravel())


def test_it_becomes_a_document_a_picture_and_html() -> None:
    assert json.loads(json.dumps(explanation().to_dict()))["prediction"] == [11.0, 15.0]
    assert explanation().plot(row=1).get_xlabel() == "added to 10"
    assert "Row 0 of 2" in explanation()._repr_html_()
    shown = [tick.get_text() for tick in explanation().plot().get_yticklabels()]
    assert shown == ["a <= 0.3", "b > 2"]
