"""RowAttribution: one row, with its steps from the baseline to raw."""

import json

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

import glasswood as gw
from glasswood.errors import OptionError
from tests.results.attribution_cases import CLASSES, FRAME, REGRESSION, SOME, TWO_CLASSES


def test_the_frame_goes_from_the_largest_to_raw() -> None:
    row = REGRESSION[5]
    frame = row.to_frame()
    assert list(frame.columns) == ["feature", "value", "number", "attribution", "cumulated"]
    assert (np.diff(np.abs(frame["attribution"])) <= 0).all()
    np.testing.assert_allclose(frame["cumulated"].iloc[-1], row.raw[0], atol=1e-12)
    several = CLASSES[5].to_frame("polars")
    assert several.shape == (12, 6)


def test_the_frame_holds_the_numbers_of_the_row() -> None:
    frame = REGRESSION[5].to_frame().set_index("feature")
    size = FRAME["size"].iloc[5]
    assert frame.loc["size", "number"] == size and float(frame.loc["size", "value"]) == size
    assert frame.loc["wood", "value"] == FRAME["wood"].iloc[5] and np.isnan(frame.loc["wood", "number"])
    assert frame.loc["idle", "value"] == "1" and REGRESSION[5].to_dict()["inputs"][0] == size


@pytest.mark.parametrize("output", [0, 1, 2])
def test_features_that_were_not_kept_are_the_last_step(output: int) -> None:
    row = SOME[7]
    steps = row.steps(output)
    assert [step.feature for step in steps][-1] == "2 other features" and len(steps) == 3
    total = row.baseline[output] + sum(step.added for step in steps)
    assert total == pytest.approx(row.raw[output], rel=0, abs=1e-12)
    frame = row.to_frame()
    np.testing.assert_allclose(frame["cumulated"][3 * output + 2], row.raw[output], rtol=0, atol=1e-12)
    assert row.to_dict()["rest"] == row.rest.tolist() and "2 other features" in row._repr_html_()
    for most, n_bars, others in ((10, 3, 2), (2, 2, 3)):
        ax = row.plot(Figure().add_subplot(), output=output, most=most)
        last = min(ax.patches, key=lambda bar: bar.get_y())
        assert len(ax.patches) == n_bars and ax.get_yticklabels()[-1].get_text() == f"{others} other features"
        assert last.get_x() + last.get_width() == pytest.approx(row.raw[output])


def test_it_says_what_it_averages_over() -> None:
    assert REGRESSION[0].over() == "interventional over 120 rows" and "over 120 rows" in REGRESSION[0]._repr_html_()
    assert TWO_CLASSES[0].over() == "path, nodes weighed by weights"
    assert TWO_CLASSES[0].to_dict()["method"] == "path" and REGRESSION[0].to_dict()["n_background"] == 120


def test_numbers_in_the_picture_have_a_minus_sign() -> None:
    row = next(
        row for row in REGRESSION if row.values.min() < -0.01 and isinstance(row.inputs[0], float) and row.inputs[0] < 0
    )
    ax = row.plot(Figure().add_subplot())
    words = [text.get_text() for text in (*ax.texts, *ax.get_yticklabels())] + [ax.get_title(loc="left")]
    assert not any("-" in text for text in words) and any("size = −" in text for text in words)


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


def test_dates_are_written_as_dates() -> None:
    X = pd.DataFrame({"day": pd.to_datetime("2020-01-01") + pd.to_timedelta(np.arange(60), "D")})
    row = gw.attributions(gw.TreeRegressor(max_depth=2).fit(X, np.arange(60.0)), X)[3]
    assert row.texts == ("2020-01-04",) and row.inputs == (1_578_096_000e6,)
    assert row.to_frame()["value"].tolist() == ["2020-01-04"] and row.to_frame()["number"].tolist() == [1_578_096_000e6]
    assert row.plot(Figure().add_subplot()).get_yticklabels()[0].get_text() == "day = 2020-01-04"
