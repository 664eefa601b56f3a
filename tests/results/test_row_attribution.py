"""RowAttribution: one row, with its steps from the baseline to raw."""

import json

import numpy as np
import pytest
from matplotlib.figure import Figure

from glasswood.errors import OptionError
from tests.results.attribution_cases import CLASSES, REGRESSION, TWO_CLASSES


def test_the_frame_goes_from_the_largest_to_raw() -> None:
    row = REGRESSION[5]
    frame = row.to_frame()
    assert list(frame.columns) == ["feature", "value", "attribution", "cumulated"]
    assert (np.diff(np.abs(frame["attribution"])) <= 0).all()
    np.testing.assert_allclose(frame["cumulated"].iloc[-1], row.raw[0], atol=1e-12)
    several = CLASSES[5].to_frame("polars")
    assert several.shape == (12, 5)


def test_values_are_shown_beside_their_names() -> None:
    missing = int(np.flatnonzero(np.isnan(REGRESSION.rows.columns()[2].values))[0])
    row = REGRESSION[missing]
    assert row.texts[2] == "missing" and row.texts[1] in ("oak", "pine", "elm")
    ax = row.plot(Figure().add_subplot())
    assert "age = missing" in [label.get_text() for label in ax.get_yticklabels()]


def test_the_picture_begins_at_the_baseline_and_ends_at_raw() -> None:
    row = TWO_CLASSES[0]
    ax = row.plot(Figure().add_subplot())
    bars = sorted(ax.patches, key=lambda bar: -bar.get_y())
    assert bars[0].get_x() == pytest.approx(row.baseline[0])
    assert bars[-1].get_x() + bars[-1].get_width() == pytest.approx(row.raw[0])
    assert ax.get_xlabel() == "raw (log-odds)"
    title = ax.get_title(loc="left")
    assert title.count("probability") == 2 and f"{row.prediction[0]:.3g}" in title


def test_a_picture_of_several_outputs_needs_one() -> None:
    with pytest.raises(OptionError, match="the model has 3 outputs; say which to show with output="):
        CLASSES[0].plot(Figure().add_subplot())
    assert CLASSES[0].plot(Figure().add_subplot(), output="1").get_xlabel() == "raw (softmax score) of 1"


def test_it_is_json_ready_and_shown() -> None:
    for row in (REGRESSION[0], CLASSES[0], TWO_CLASSES[0]):
        assert json.loads(json.dumps(row.to_dict(), allow_nan=False))["features"] == list(row.names)
        assert "Row 0: baseline" in row._repr_html_() and repr(row).startswith("<RowAttribution Row 0: baseline")
