"""predict_raw: raw of rows that already lie on a GPU, left there."""

from typing import Any

import numpy as np

from glasswood.ensemble import Ensemble
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.gpu._device import Device, Launch, number

_STEP = np.dtype(
    [("threshold", "f8"), ("feature", "i4"), ("left", "i4"), ("right", "i4"), ("missing_left", "u4")]
)  # fmt: skip
_MACROS = {"DEPTH": 1, "FIELDS": 3, "WEIGHTED": 0, "NC": 33}  # what the kernel need not know


def predict_raw(model: Any, X: Any) -> Any:
    """Raw of the rows of an array on a GPU, with the bits of `Ensemble.predict_raw`.

    Parameters
    ----------
    model : Ensemble, or an estimator of glasswood
        A model of numbers; one with categories is refused.
    X : array with ``__cuda_array_interface__``, (n_rows, n_features)
        CuPy, PyTorch or any other array of float32 or float64 on the current device, of any strides; NaN is missing. It
        is not copied.

    Returns
    -------
    cupy.ndarray of float64, (n_rows,) for one output, else (n_rows, n_outputs)
    """
    from glasswood.gpu._cuda_device import CudaDevice, import_cupy

    ensemble = _check_model(getattr(model, "ensemble_", model))
    if not hasattr(X, "__cuda_array_interface__"):
        raise TableError(
            f"gpu.predict_raw takes an array on a GPU; got {type(X).__name__}: use predict_raw of the model"
        )
    cupy = import_cupy()
    rows = cupy.asarray(X)
    _check_shape(rows, ensemble)
    raw = cupy.empty((len(rows), ensemble.n_outputs), dtype=cupy.float64)
    device = CudaDevice(cupy.cuda.get_current_stream())
    device.run([predict_launch(device, ensemble, rows, raw)])
    return raw[:, 0] if ensemble.n_outputs == 1 else raw


def predict_launch(device: Device, ensemble: Ensemble, rows: Any, raw: Any) -> Launch:
    """Make the launch that writes raw of rows on the device, (n_rows, n_outputs)."""
    steps = np.zeros(len(ensemble.feature), dtype=_STEP)
    for name in _STEP.names or ():
        steps[name] = getattr(ensemble, name)
    macros = {**_MACROS, "FLOAT64": int(rows.dtype == np.float64)}
    kernel = device.compile("predict.cu", macros, ["predict"])["predict"]
    size = rows.dtype.itemsize
    shape = (number(rows.strides[0] // size, "i8"), number(rows.strides[1] // size, "i8"), number(len(rows), "u8"))
    value = ensemble.value.reshape(len(steps), -1)
    trees = (
        device.upload(steps), device.upload(value), number(value.shape[1], "u4"),
        device.upload(ensemble.tree_start[:-1]), device.upload(ensemble.tree_output), number(ensemble.n_trees, "u4"),
        device.upload(ensemble.baseline), number(ensemble.n_outputs, "u4"),
    )  # fmt: skip
    blocks = max(1, min(8 * device.n_processors, -(-len(rows) // 256)))
    return Launch(kernel, blocks, 256, (rows, *shape, *trees, raw))


def _check_model(ensemble: Any) -> Ensemble:
    if not isinstance(ensemble, Ensemble):
        raise UnsupportedModelError(
            f"gpu.predict_raw takes an Ensemble; got {type(ensemble).__name__}: use gw.read first"
        )
    features = ensemble.features
    for refused, why in ((features.is_category, "is a category"), (features.zero_is_missing, "takes 0 for missing")):
        if refused.any():
            name = features.names[int(np.argmax(refused))]
            raise UnsupportedModelError(
                f"gpu.predict_raw takes models of numbers; feature {name!r} {why}: use predict_raw of the model"
            )
    return ensemble


def _check_shape(rows: Any, ensemble: Ensemble) -> None:
    n_features = len(ensemble.features)
    if rows.ndim != 2 or rows.shape[1] != n_features:
        raise TableError(f"X must be (n_rows, {n_features}); got {rows.shape}")
    if rows.dtype not in (np.float32, np.float64):
        raise TableError(f"X must be float32 or float64; got {rows.dtype}")
