"""TrainingHistory: metrics by round, as frame, dict and picture."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

from glasswood.errors import OptionError
from glasswood.results import TrainingHistory

HISTORY = TrainingHistory(
    tables=("train", "valid"),
    metrics=("squared_error", "mae"),
    values=np.array([[[4.0, 2.0], [5.0, np.nan]], [[3.0, 1.5], [6.0, 2.5]]]),
    best_round=1,
)


def test_a_frame_has_one_row_per_round_table_and_metric() -> None:
    frame = HISTORY.to_frame("pandas")
    assert list(frame.columns) == ["round", "table", "metric", "value"]
    assert len(frame) == 8
    one = frame[(frame["round"] == 2) & (frame["table"] == "valid") & (frame["metric"] == "mae")]
    assert one["value"].tolist() == [2.5]
    assert HISTORY.of("valid", "squared_error").tolist() == [5.0, 6.0]


def test_a_dict_is_json() -> None:
    document = json.loads(json.dumps(HISTORY.to_dict(), allow_nan=False))
    assert document["best_round"] == 1
    assert document["curves"][3] == {"table": "valid", "metric": "mae", "values": [None, 2.5]}


def test_rounds_after_the_kept_ones_are_replaced_when_training_goes_on() -> None:
    later = TrainingHistory(HISTORY.tables, HISTORY.metrics, HISTORY.values[:1] - 1, 1)
    both = HISTORY.append(later)
    assert both.n_rounds == 2 and both.best_round == 2
    np.testing.assert_array_equal(both.values[0], HISTORY.values[0])


def test_rounds_that_go_on_with_other_curves_are_counted_from_the_first() -> None:
    other = TrainingHistory(("train", "test"), ("mae", "rmse"), np.arange(8.0).reshape(2, 2, 2), 2)
    both = HISTORY.append(other)
    assert both.tables == ("train", "valid", "test") and both.metrics == ("squared_error", "mae", "rmse")
    assert both.n_rounds == 3 and both.best_round == 3
    assert both.of("test", "rmse").tolist()[1:] == [3.0, 7.0] and np.isnan(both.of("test", "rmse")[0])
    assert both.of("train", "mae").tolist() == [2.0, 0.0, 4.0]
    nothing_better = TrainingHistory(HISTORY.tables, HISTORY.metrics, HISTORY.values, 0)
    assert HISTORY.append(nothing_better).best_round == 1


def test_it_shows_itself() -> None:
    assert "Round 1 of 2" in HISTORY._repr_html_()
    assert HISTORY.plot(Figure().add_subplot(), metric="mae").get_ylabel() == "mae"


def test_names_of_tables_are_text_and_not_markup() -> None:
    shown = TrainingHistory(("<b>a</b>",), ("mae",), np.ones((1, 1, 1)), 1)._repr_html_()
    assert "<b>" not in shown and "&lt;b&gt;" in shown


def test_unknown_metrics_are_named() -> None:
    with pytest.raises(OptionError, match="metric must be one of 'squared_error', 'mae'; got 'auc'"):
        HISTORY.plot(metric="auc")
    with pytest.raises(OptionError, match="table must be one of 'train', 'valid'; got 'test'"):
        HISTORY.of("test", "mae")
