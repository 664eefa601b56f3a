"""What a device does not take is refused by name, before anything is moved."""

import sys
from typing import Any, ClassVar

import numpy as np
import pytest

import glasswood as gw
from glasswood import gpu
from glasswood.errors import MissingDependencyError, OptionError, TableError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 2))
Y = RNG.normal(size=60)


class RowsOnDevice:
    """What is used of an array on a GPU before CuPy is asked."""

    __cuda_array_interface__: ClassVar[dict[str, Any]] = {
        "shape": (60, 2),
        "typestr": "<f8",
        "data": (0, False),
        "version": 3,
    }


def fit(X: Any = X, sample_weight: Any = None, **options: Any) -> None:
    options = {"statistics": "quantised", "device": "cuda", **options}
    gw.BoostingRegressor(n_estimators=1, **options).fit(X, Y[: len(X)], sample_weight)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"statistics": "exact"}, "device='cuda' sums quantised gradients; got statistics='exact'"),
        ({"max_depth": None}, "takes max_depth from 1 to 10; got max_depth=None"),
        ({"max_depth": 11}, "takes max_depth from 1 to 10; got max_depth=11"),
        ({"symmetric": True}, "does not grow symmetric trees yet; set symmetric=False, or device='cpu'"),
        ({"min_samples_leaf": 2, "sample_weight": np.ones(60)}, "got min_samples_leaf=2 with sample_weight"),
        ({"interaction_cst": [[k % 2] for k in range(65)]}, "takes up to 64 groups in interaction_cst; got 65"),
        ({"device": "gpu"}, "device must be one of 'cpu', 'cuda'; got 'gpu'"),
    ],
)
def test_options_are_refused_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        fit(**options)


def test_wide_categories_are_refused_by_name() -> None:
    levels = np.array([f"l{k % 300}" for k in range(600)], dtype=object)
    table = np.column_stack([levels, levels])
    with pytest.raises(TableError, match=r"up to 254 levels; feature 'x0' has 300: set max_bins=254"):
        gw.BoostingRegressor(device="cuda", statistics="quantised", n_estimators=1).fit(table, np.arange(600.0))


def test_what_is_taken_needs_cupy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    needs_cupy = r"device='cuda' and rows on a GPU need CuPy: pip install 'glasswood\[gpu13\]'"
    with pytest.raises(MissingDependencyError, match=needs_cupy):
        fit()
    fitted, rows = gw.BoostingRegressor(n_estimators=1).fit(X, Y), RowsOnDevice()
    calls = (gpu.predict_raw, gpu.effects, gpu.interactions, gpu.attributions)
    for call in (*calls, lambda model, rows: model.predict(rows)):
        with pytest.raises(MissingDependencyError, match=needs_cupy):
            call(fitted, rows)


@pytest.mark.parametrize("verb", ["effects", "interactions", "attributions", "predict_raw"])
def test_rows_of_the_host_are_refused_with_what_takes_them(monkeypatch: pytest.MonkeyPatch, verb: str) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)  # so says a machine without CuPy too
    fitted = gw.BoostingRegressor(n_estimators=1).fit(X, Y)
    with pytest.raises(TableError, match=rf"gpu\.{verb} takes .* on a GPU; got ndarray: use "):
        getattr(gpu, verb)(fitted, X)


@pytest.mark.parametrize("verb", [gw.effects, gw.interactions, gw.attributions])
def test_functions_of_the_host_say_where_rows_on_a_gpu_go(verb: Any) -> None:
    fitted = gw.BoostingRegressor(n_estimators=1).fit(X, Y)
    with pytest.raises(
        TableError, match="the RowsOnDevice lies on a GPU; copy it to the host, or use the functions of"
    ):
        verb(fitted, RowsOnDevice())
