"""Inputs on a GPU: frames are read column by column, what holds no numbers is named. CuPy is played by NumPy."""

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.ensemble import FeatureSchema
from glasswood.errors import TableError
from glasswood.gpu import device_matrix, is_on_device, on_host


class Frame:
    """What is used of a cuDF frame."""

    def __init__(self, columns: dict[str, Any]) -> None:
        self._columns = columns
        self.columns = list(columns)
        self.dtypes = [values.dtype for values in columns.values()]

    def __len__(self) -> int:
        return len(next(iter(self._columns.values())))

    def to_cupy(self, dtype: Any, na_value: float) -> Any:
        return np.column_stack(list(self._columns.values())).astype(dtype)


Frame.__module__ = "cudf.core.dataframe"


@pytest.fixture
def cupy(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """NumPy in the place of CuPy."""
    module = ModuleType("cupy")
    stream = SimpleNamespace(synchronize=lambda: None)
    cuda = SimpleNamespace(
        get_current_stream=lambda: stream,
        memory=SimpleNamespace(OutOfMemoryError=MemoryError),
        runtime=SimpleNamespace(CUDARuntimeError=KeyError),
    )
    vars(module).update(vars(np), cuda=cuda, asnumpy=np.asarray)
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


def test_a_frame_becomes_a_matrix_in_the_order_of_the_model(cupy: ModuleType) -> None:
    frame = Frame({"a": np.array([1.0, 2.0]), "b": np.array([3, 4])})
    assert is_on_device(frame)
    plain = device_matrix(frame)
    assert plain.names == ("a", "b") and plain.matrix.dtype == np.float64
    ordered = device_matrix(frame, FeatureSchema.numeric(["b", "a"]))
    np.testing.assert_array_equal(ordered.matrix.array, [[3.0, 1.0], [4.0, 2.0]])
    single = device_matrix(Frame({"a": np.float32([1, 2])}))
    assert single.matrix.dtype == np.float32


def test_columns_that_are_not_numbers_or_not_there_are_named(cupy: ModuleType) -> None:
    with pytest.raises(TableError, match="column 'b' of a frame on a GPU holds object"):
        device_matrix(Frame({"a": np.zeros(2), "b": np.array(["x", "y"], dtype=object)}))
    with pytest.raises(TableError, match="the model has the features a, c; X has a, b"):
        device_matrix(Frame({"a": np.zeros(2), "b": np.zeros(2)}), FeatureSchema.numeric(["a", "c"]))


def test_what_lies_on_the_host_is_left_alone() -> None:
    y = np.arange(3.0)
    assert on_host(y) is y and on_host(None) is None and not is_on_device([1, 2])


def test_rows_on_a_gpu_need_device_cuda() -> None:
    on_device = SimpleNamespace(__cuda_array_interface__={})
    with pytest.raises(gw.errors.OptionError, match="X lies on a GPU; got device='cpu': set device='cuda'"):
        gw.BoostingRegressor().fit(on_device, [1.0])
