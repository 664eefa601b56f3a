"""Usage: leaves per feature, as a frame, a document and a picture."""

import json

import pytest
from matplotlib.figure import Figure

import glasswood as gw
from tests.ensemble.examples import two_trees


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_a_frame_is_made_when_asked_for(backend: str) -> None:
    usage = gw.usage(two_trees())
    assert usage.features == (("f2",), ("f1",)) and usage.leaves.tolist() == [6, 4]
    assert len(usage) == len(usage.to_frame(backend)) == 2


def test_it_is_json_ready_drawn_and_shown() -> None:
    usage = gw.usage(two_trees(), degree=2)
    assert json.loads(json.dumps(usage.to_dict())) == {"degree": 2, "features": [["f1", "f2"]], "leaves": [4]}
    ax = usage.plot(Figure().add_subplot())
    assert [text.get_text() for text in ax.get_yticklabels()] == ["f1 × f2"]
    assert "feature 2" in usage._repr_html_()
    assert repr(usage) == "Usage(1 combinations of degree 2)"
