"""predict_raw: raw of rows that already lie on a GPU, left there."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from glasswood.ensemble import Ensemble
from glasswood.errors import TableError, UnsupportedModelError
from glasswood.gpu._bin_kernel import PLAIN, BinKernel
from glasswood.gpu._coded_trees import CHUNK_NODES, code_trees
from glasswood.gpu._device import Device, Launch, number
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._inputs import device_matrix, is_on_device
from glasswood.gpu._memory import memory_errors

_STEP = np.dtype(
    [("threshold", "f8"), ("feature", "i4"), ("left", "i4"), ("right", "i4"), ("missing_left", "u4")]
)  # fmt: skip
_ROWS = 2**22  # whose codes are in memory at a time
_THREADS = 512


def predict_raw(model: Any, X: Any) -> Any:
    """Raw of the rows of an array on a GPU, with the bits of `Ensemble.predict_raw`.

    Parameters
    ----------
    model : Ensemble, or an estimator of glasswood
        A model of numbers; one with categories is refused.
    X : array with ``__cuda_array_interface__``, (n_rows, n_features), or a cuDF frame
        CuPy, PyTorch or any other array of float32 or float64 on the current device, of any strides; NaN is missing. It
        is not copied to the host.

    Returns
    -------
    cupy.ndarray of float64, (n_rows,) for one output, else (n_rows, n_outputs)
    """
    from glasswood.gpu._cuda_device import CudaDevice, import_cupy

    ensemble = _check_model(getattr(model, "ensemble_", model))
    if not is_on_device(X):
        raise TableError(
            f"gpu.predict_raw takes an array on a GPU; got {type(X).__name__}: use predict_raw of the model"
        )
    matrix = device_matrix(X, ensemble.features).matrix
    cupy = import_cupy()
    shape = (matrix.shape[0], ensemble.n_outputs)
    with memory_errors(cupy, 8 * shape[0] * shape[1]):
        raw = cupy.empty(shape, dtype=cupy.float64)
    device = CudaDevice(cupy.cuda.get_current_stream())
    predict_into(device, ensemble, matrix, raw.reshape(-1).view(cupy.uint8), (ensemble.n_outputs, 1))
    return raw[:, 0] if ensemble.n_outputs == 1 else raw


def predict_into(device: Device, ensemble: Ensemble, rows: DeviceMatrix, raw: Any, steps: tuple[int, int]) -> None:
    """Write raw of the rows into a buffer; `steps`: numbers from row to row, and from output to output."""
    if rows.shape[0] == 0:
        return
    predictor = ensemble._cached(
        f"predictor on {device.name} of {rows.dtype}", partial(_make_predictor, device=device, dtype=rows.dtype)
    )
    if predictor is None:
        device.run([_plain_launch(device, ensemble, rows, raw, steps)])
    else:
        predictor.write(device, rows, raw, steps)


@dataclass(frozen=True, slots=True, eq=False)
class _Predictor:
    """Coded trees on a device, for any number of calls in any stream."""

    encode: BinKernel
    walk: Any
    quads: int
    outputs: list[tuple[Any, ...]]  # arguments of the kernel

    def write(self, device: Device, rows: DeviceMatrix, raw: Any, steps: tuple[int, int]) -> None:
        """Write raw of all rows, as many at a time as have their codes in memory."""
        n, quads = rows.shape[0], self.quads
        codes = device.zeros(min(n, _ROWS) * 4 * quads)
        shared_bytes = walk_bytes(quads)
        per_processor = max(1, min(4, (device.shared_bytes + 4096) // (shared_bytes + 1024)))
        for first in range(0, n, _ROWS):
            m = min(_ROWS, n - first)
            part = rows[first : first + m]
            launches = [self.encode.launch(part.array, part.shape, part.steps, codes, 4 * quads)]
            blocks = min(per_processor * device.n_processors, -(-m // _THREADS))
            for k, given in enumerate(self.outputs):
                place = device.at(raw, 8 * (first * steps[0] + k * steps[1]))
                arguments = (codes, number(quads, "u4"), number(m, "u4"), *given, place, number(steps[0], "u8"))
                launches.append(Launch(self.walk, blocks, _THREADS, arguments, shared_bytes))
            device.run(launches)


def _make_predictor(ensemble: Ensemble, device: Device, dtype: Any) -> _Predictor | None:
    """Trees on a device; None where they cannot be coded, or the codes of a block's rows do not fit its memory."""
    coded = code_trees(ensemble)
    if coded is None or not coded.thresholds:
        return None
    quads = -(-len(coded.thresholds) // 4)
    if walk_bytes(quads) > device.shared_bytes:
        return None
    encode = BinKernel(device, dtype, coded.thresholds, coded.missing, coded.source)
    macros = {**PLAIN, "FLOAT64": int(dtype == np.float64)}
    walk = device.compile("predict.cu", macros, ["walk_codes"])["walk_codes"]
    outputs = [
        (
            device.upload(own.words), device.upload(own.values), device.upload(own.first), device.upload(own.depth),
            device.upload(own.chunk_start), number(len(own.chunk_start) - 1, "u4"), number(baseline, "f8"),
        )
        for own, baseline in zip(coded.outputs, ensemble.baseline.tolist(), strict=True)
    ]  # fmt: skip
    device.finish()
    return _Predictor(encode, walk, quads, outputs)


def walk_bytes(quads: int) -> int:
    """Shared memory of a block that walks trees: a chunk of nodes with their values, and the codes of its rows."""
    return 12 * CHUNK_NODES + 4 * _THREADS * quads


def _plain_launch(
    device: Device, ensemble: Ensemble, rows: DeviceMatrix, raw: Any, raw_steps: tuple[int, int]
) -> Launch:
    """Walk trees of any size."""
    steps = np.zeros(len(ensemble.feature), dtype=_STEP)
    for name in _STEP.names or ():
        steps[name] = getattr(ensemble, name)
    macros = {**PLAIN, "FLOAT64": int(rows.dtype == np.float64)}
    kernel = device.compile("predict.cu", macros, ["predict"])["predict"]
    shape = (number(rows.steps[0], "i8"), number(rows.steps[1], "i8"), number(rows.shape[0], "u8"))
    value = ensemble.value.reshape(len(steps), -1)
    trees = (
        device.upload(steps), device.upload(value), number(value.shape[1], "u4"),
        device.upload(ensemble.tree_start[:-1]), device.upload(ensemble.tree_output), number(ensemble.n_trees, "u4"),
        device.upload(ensemble.baseline), number(ensemble.n_outputs, "u4"),
    )  # fmt: skip
    blocks = max(1, min(8 * device.n_processors, -(-rows.shape[0] // 256)))
    out = (raw, number(raw_steps[0], "u8"), number(raw_steps[1], "u8"))
    return Launch(kernel, blocks, 256, (rows.array, *shape, *trees, *out))


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
