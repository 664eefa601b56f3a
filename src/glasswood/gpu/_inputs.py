"""Inputs that lie on a GPU: arrays with ``__cuda_array_interface__`` and cuDF frames."""

from dataclasses import dataclass
from typing import Any

from glasswood.ensemble import FeatureSchema
from glasswood.errors import TableError
from glasswood.gpu._device_matrix import DeviceMatrix, check_matrix
from glasswood.gpu._memory import memory_errors


@dataclass(frozen=True, slots=True, eq=False)
class DeviceInput:
    """Rows on a device, with the names of their columns if they have any."""

    matrix: DeviceMatrix
    names: tuple[str, ...] | None


def is_on_device(X: Any) -> bool:
    """Whether this is an array, a frame or a column on a GPU."""
    return hasattr(X, "__cuda_array_interface__") or type(X).__module__.partition(".")[0] == "cudf"


def device_matrix(X: Any, features: FeatureSchema | None = None) -> DeviceInput:
    """Read rows on a device, without a copy to the host; in the order of `features`, if they are given."""
    from glasswood.gpu._cuda_device import import_cupy

    cupy = import_cupy()
    names = None
    if not hasattr(X, "__cuda_array_interface__"):
        names = tuple(map(str, X.columns))
        with memory_errors(cupy, _frame_bytes(X)):
            X = _frame_values(cupy, X, names)
    array = cupy.asarray(X)
    if names is not None and features is not None and features.named:
        lacking = [name for name in features.names if name not in names]
        if lacking or len(names) != len(features.names):
            raise TableError(f"the model has the features {', '.join(features.names)}; X has {', '.join(names)}")
        with memory_errors(cupy, array.nbytes):
            array = array[:, cupy.asarray([names.index(name) for name in features.names])]
    matrix = check_matrix(array, None if features is None else len(features.names))
    cupy.cuda.get_current_stream().synchronize()  # what follows may run in a stream of its own
    return DeviceInput(matrix, names)


def on_host(values: Any) -> Any:
    """Copy a column that lies on a device to the host; leave anything else as it is."""
    if not is_on_device(values):
        return values
    from glasswood.gpu._cuda_device import import_cupy

    return import_cupy().asnumpy(values if hasattr(values, "__cuda_array_interface__") else values.to_cupy())


def _frame_values(cupy: Any, frame: Any, names: tuple[str, ...]) -> Any:
    """The numbers of a cuDF frame as one matrix, missing values as NaN."""
    for name, dtype in zip(names, frame.dtypes, strict=True):
        if getattr(dtype, "kind", "O") not in "biuf":
            raise TableError(
                f"column {name!r} of a frame on a GPU holds {dtype}, not numbers: give the table in the memory of the "
                f"host, with frame.to_pandas(), or encode the column"
            )
    return frame.to_cupy(dtype=cupy.float32 if _is_single(frame) else cupy.float64, na_value=cupy.nan)


def _is_single(frame: Any) -> bool:
    return all(dtype == "float32" for dtype in frame.dtypes)


def _frame_bytes(frame: Any) -> int:
    """Of the numbers of a frame as one matrix."""
    return len(frame) * len(frame.columns) * (4 if _is_single(frame) else 8)
