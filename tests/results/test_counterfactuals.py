"""What a set of counterfactuals says."""

import json

import numpy as np
import pytest

from glasswood.errors import OptionError
from glasswood.results import Counterfactuals


def found(**other) -> Counterfactuals:
    parts = {
        "row": {"age": 30.0, "job": "clerk"},
        "rows": ({"age": 41.5, "job": "clerk"}, {"age": 30.0, "job": None}),
        "distance": np.array([0.5, 1.0]),
        "bound": 1.0,
        "raw": np.array([[-1.0], [0.25], [0.5]]),
        "prediction": np.array([[0.3], [0.6], [0.7]]),
        "cost": ({"age": 0.5}, {"job": 1.0}),
        "asked": 2,
        "target": "class yes",
        "outputs": ("yes",),
        "n_nodes": 7,
    }
    return Counterfactuals(**(parts | other))


def test_changes_are_values_before_and_after() -> None:
    assert found().changes == ({"age": (30.0, 41.5)}, {"job": ("clerk", None)})


def test_the_status_claims_no_more_than_was_proved() -> None:
    assert found().status == "proven"
    assert found(bound=0.25).status == "undecided"
    assert found(asked=3).status == "undecided" and found(asked=3, bound=np.inf).status == "proven"
    none = {"rows": (), "cost": (), "distance": np.zeros(0), "raw": np.array([[-1.0]])}
    assert found(**none).status == "undecided" and found(**none, bound=np.inf).status == "impossible"
    assert "No row gives class yes: proven" in repr(found(**none, bound=np.inf))
    assert "none is nearer than 1" in repr(found(**none))
    assert "none is nearer than 0.25" in repr(found(bound=0.25))


def test_a_frame_has_a_row_for_each_and_json_has_all() -> None:
    frame = found().to_frame("pandas")
    assert frame.columns.tolist() == ["distance", "changed", "raw", "age", "job"]
    assert frame["changed"].tolist() == ["age", "job"] and frame["raw"].tolist() == [0.25, 0.5]
    document = json.loads(json.dumps(found(bound=np.inf).to_dict(), allow_nan=False))
    assert document["bound"] is None and document["cost"] == [{"age": 0.5}, {"job": 1.0}]


def test_a_picture_and_a_page_name_the_changes() -> None:
    ax = found().plot()
    assert [tick.get_text() for tick in ax.get_yticklabels()] == ["age: 30 → 41.5"]
    page = found()._repr_html_()
    assert "Nearest rows with class yes, distance 0.5: proven" in page and "missing" in page


@pytest.mark.parametrize("which", [2, -1, "first", None])
def test_only_a_row_that_was_found_is_drawn(which) -> None:
    with pytest.raises(OptionError, match="which must be the position of one of 2 rows"):
        found().plot(which=which)
