"""What a result about robustness says."""

import json

import numpy as np

from glasswood.results import Robustness


def found() -> Robustness:
    return Robustness(
        epsilon=np.array([0.5, 0.25, np.inf]),
        found=np.array([0.5, 0.75, np.inf]),
        rows=({"a": 1.0}, {"a": 2.0}, None),
        classes=("no", "yes", "no"),
    )


def test_a_distance_is_exact_where_a_row_shows_it() -> None:
    assert found().proven.tolist() == [True, False, True]
    assert "3 rows, 2 exact: median 0.5" in repr(found())


def test_a_frame_has_a_row_for_each_row() -> None:
    frame = found().to_frame("pandas")
    assert frame.columns.tolist() == ["class", "epsilon", "found", "proven", "a"]
    assert frame["a"].tolist()[:2] == [1.0, 2.0] and np.isnan(frame["a"][2])
    document = json.loads(json.dumps(found().to_dict(), allow_nan=False))
    assert document["epsilon"] == [0.5, 0.25, None] and document["rows"][2] is None


def test_a_picture_and_a_page_show_shares_of_the_rows() -> None:
    assert dict(found().quantiles())[0.5] == 0.5
    ax = found().plot()
    assert "5% of the rows" in [tick.get_text() for tick in ax.get_yticklabels()]
    assert "can change class only beyond" in found()._repr_html_()
    assert Robustness(epsilon=np.zeros(0), found=np.zeros(0), rows=(), classes=()).quantiles() == []
