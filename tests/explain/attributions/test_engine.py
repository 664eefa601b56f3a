"""Engine: the size of chunks is limited."""

import logging
import tracemalloc
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pytest

import glasswood as gw
from glasswood.errors import OptionError
from glasswood.explain.attributions import _engine
from glasswood.explain.attributions._engine import Request, make_engine, plan_model
from tests.explain.attributions import vectors

E = vectors.two_outputs()
ROWS = np.tile(vectors.TWO_OUTPUTS_ROWS, (200, 1))


def test_a_model_is_planned_once() -> None:
    assert plan_model(E) is plan_model(E)


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_a_row_of_a_frame_is_opened_once(make: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(E, None, tables=None, n_threads=1)
    row = make({"c": [-1.0], "a": [-1.0], "b": [-1.0]})
    opened = []
    wrap = nw.from_native
    monkeypatch.setattr(nw, "from_native", lambda X, **how: opened.append(X) or wrap(X, **how))
    found = engine.explain(row, Request.make(E, None, None, False), 1, False)
    assert len(opened) == 1
    assert found.rows.order == (1, 2, 0)
    empty = engine.explain(row[:0], Request.make(E, None, None, False), 1, False)
    assert empty.values.shape == (0, 3, 2) and empty.rows.order == (1, 2, 0)


def test_picking_goes_in_chunks_of_few_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = make_engine(E, None, tables=None, n_threads=1)
    request = Request.make(E, ["c"], 1, True)
    whole = engine.explain(ROWS, request, 1, False)
    monkeypatch.setattr(_engine, "_CHUNK_NUMBERS", 1)
    assert engine._chunk_rows(request) == 64
    chunks = engine.explain(ROWS, request, 1, False)
    np.testing.assert_array_equal(whole.values, chunks.values)
    np.testing.assert_array_equal(whole.interactions, chunks.interactions)


@pytest.mark.parametrize("background", [False, True])
def test_more_rows_need_no_more_memory_than_their_result(background: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_engine, "_CHUNK_ROWS", 2_000)
    table = np.tile(vectors.TWO_OUTPUTS_ROWS, (25_000, 1))

    def beyond(n_rows: int) -> int:
        parts = iter(np.array_split(table[:n_rows], n_rows // 2_000))  # read part by part
        tracemalloc.start()
        try:
            found = gw.attributions(E, table[:n_rows], background=parts if background else None)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert found.prediction is not None and not np.shares_memory(found.prediction, found.raw)
        held = (found.values, found.rest, found.raw, found.prediction)
        return peak - sum(array.nbytes for array in held)

    gw.attributions(E, table[:10], background=table[:10])  # what is imported and planned once
    few, many = beyond(10_000), beyond(50_000)
    assert many < few + 100_000 and few < 1_000_000  # a chunk's check of sums, whatever the number of rows


def test_a_request_names_what_exists() -> None:
    assert Request.make(E, None, None, False).features == [0, 1, 2]
    assert Request.make(E, ["b", 0], "output1", False).output == 1
    with pytest.raises(OptionError):
        Request.make(E, ["d"], None, False)
    with pytest.raises(OptionError):
        Request.make(E, None, 2, False)


def test_the_bytes_of_interactions_are_reported(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="glasswood"):
        make_engine(E, None, tables=None, n_threads=1).explain(ROWS, Request.make(E, None, None, True), 1, False)
    assert "interactions of 400 rows take 57,600 bytes" in caplog.text
