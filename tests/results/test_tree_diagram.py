"""A diagram becomes text, a frame, a document and a picture."""

import matplotlib as mpl
import numpy as np
import pytest

import glasswood as gw

mpl.use("Agg")
TREE = gw.TreeClassifier().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "no"])


def test_text_has_a_line_per_node() -> None:
    assert TREE.to_text().splitlines() == [
        "x0 <= 1.5   3 and 1 rows, predicts no",
        "├─ yes: Leaf   2 and 0 rows, predicts no",
        "└─ no:  x0 <= 2.5   1 and 1 rows, predicts no",
        "   ├─ yes: Leaf   0 and 1 rows, predicts yes",
        "   └─ no:  Leaf   1 and 0 rows, predicts no",
    ]


def test_frames_have_a_row_per_node() -> None:
    frame = TREE.diagram().to_frame("pandas")
    assert frame["weight_no"].tolist() == [3, 2, 1, 0, 1]
    regression = gw.TreeRegressor().fit([[0.0], [1.0]], [1.0, 2.5]).diagram()
    assert regression.to_frame("polars")["value"].to_list() == [1.75, 1.0, 2.5]
    assert regression.to_dict()["counts"] is None
    assert regression.detail(0) == "2 rows, predicts 1.75"


def test_text_is_escaped_in_html() -> None:
    assert "x0 &lt;= 1.5" in TREE.diagram()._repr_html_()


@pytest.mark.parametrize("classes", [True, False])
def test_the_picture_has_every_node(classes: bool) -> None:
    tree = TREE if classes else gw.TreeRegressor().fit([[0.0], [1.0], [2.0]], [1.0, 2.0, 4.0])
    ax = tree.plot()
    shown = [text.get_text() for text in ax.texts]
    assert "x0 <= 1.5" in "\n".join(shown)
    assert shown.count("yes") == 2
    assert sum("(" in text for text in shown) == tree.ensemble_.n_nodes


def test_rows_are_whole_although_shares_were_rounded() -> None:
    X = np.arange(1309.0)[:, None]
    tree = gw.TreeClassifier(max_depth=3).fit(X, np.arange(1309) % 7 < 3)
    assert "weight" not in tree.to_text()
    assert "weight" in gw.TreeClassifier(max_depth=1).fit(X, X[:, 0] < 500, sample_weight=np.full(1309, 0.37)).to_text()
