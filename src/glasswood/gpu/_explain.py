"""Explanations of rows that lie on a GPU: effects, pairs and attributions, with the bits of the CPU."""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._jobs import resolve_n_jobs
from glasswood.ensemble import Ensemble
from glasswood.errors import AdditivityError, TableError
from glasswood.explain.attributions import prepare_attributions
from glasswood.explain.effects import effects as effects_of
from glasswood.explain.effects import interactions as interactions_of
from glasswood.explain.effects import largest_change, make_grid
from glasswood.gpu._attributions import LineTables, upload_tables, write_values
from glasswood.gpu._device_matrix import DeviceMatrix
from glasswood.gpu._inputs import device_matrix, is_on_device
from glasswood.gpu._memory import memory_errors
from glasswood.gpu._predict import predict_into
from glasswood.gpu._row_counts import DeviceRowCounts
from glasswood.readers import as_ensemble
from glasswood.results import Effects, Interactions

_MAX_TABLE_BYTES = 2_000_000_000
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True, eq=False)
class DeviceAttributions:
    """Shapley values that stay on the device."""

    values: Any  # cupy.ndarray, (n_rows, n_features), or (n_rows, n_features, n_outputs)
    raw: Any  # cupy.ndarray, (n_rows,) or (n_rows, n_outputs)
    baseline: NDArray[np.float64]  # (n_outputs,)
    names: tuple[str, ...]
    outputs: tuple[str, ...]


def effects(model: Any, X: Any, *, features: Any = None, n_jobs: int | None = None) -> Effects:
    """Exact interventional effects over rows on a GPU, with the bits of `glasswood.effects`.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        A model of numbers.
    X : array with ``__cuda_array_interface__``, (n_rows, n_features), or a cuDF frame
        Rows to average over. They stay on the device; only counts come to the host.
    features : list of str or int, optional
        By default all.
    n_jobs : int, optional
        Threads of the host, which makes the tables from the counts.

    Returns
    -------
    Effects
    """
    ensemble = as_ensemble(model)
    return effects_of(ensemble, _counts("effects", ensemble, X), features=features, n_jobs=n_jobs)


def interactions(
    model: Any,
    X: Any,
    *,
    features: Any = None,
    pairs: Any = None,
    max_cells: int = 50_000_000,
    n_jobs: int | None = None,
) -> Interactions:
    """Exact tables of pairs over rows on a GPU, with the bits of `glasswood.interactions`.

    Parameters
    ----------
    model, X, n_jobs
        As in `effects`.
    features, pairs, max_cells
        As in `glasswood.interactions`.

    Returns
    -------
    Interactions
    """
    ensemble = as_ensemble(model)
    rows = _counts("interactions", ensemble, X)
    return interactions_of(ensemble, rows, features=features, pairs=pairs, max_cells=max_cells, n_jobs=n_jobs)


def attributions(model: Any, X: Any, *, background: Any = None, n_jobs: int | None = None) -> DeviceAttributions:
    """Exact Shapley values of rows on a GPU, with the bits of `glasswood.attributions`.

    The values of a row and the baseline add up to raw; every call checks this.

    Parameters
    ----------
    model : fitted model, path or Ensemble
        A model of numbers whose trees have up to 12 features on a path.
    X : array with ``__cuda_array_interface__``, (n_rows, n_features), or a cuDF frame
        The rows to explain.
    background : table, optional
        In the memory of the host: rows over which features outside a coalition are averaged. Without it, children are
        averaged by the weights of the model's nodes.
    n_jobs : int, optional
        Threads of the host, which makes the tables of the model.

    Returns
    -------
    DeviceAttributions
    """
    from glasswood.gpu._cuda_device import CudaDevice, import_cupy

    ensemble, n_threads = as_ensemble(model), resolve_n_jobs(n_jobs)
    matrix = _matrix("attributions", ensemble, X)
    cupy = import_cupy()
    device = CudaDevice(cupy.cuda.get_current_stream())
    make = partial(_make_lines, device=device, background=background, n_threads=n_threads)
    lines = make(ensemble) if background is not None else ensemble._cached(f"lines on {device.name}", make)
    n, shape = matrix.shape[0], (len(ensemble.features), ensemble.n_outputs)
    # raw and values, and as many sums again as there is raw for the check: three of them at a time
    needed = 8 * n * ensemble.n_outputs * (len(ensemble.features) + 4)
    with memory_errors(cupy, needed):
        raw = cupy.empty((n, ensemble.n_outputs), dtype=cupy.float64)
        values = cupy.empty((n, *shape), dtype=cupy.float64)
    device.expect(needed)
    predict_into(device, ensemble, matrix, _bytes(cupy, raw), (ensemble.n_outputs, 1))
    write_values(device, ensemble, make_grid(ensemble).paths.cells(), lines.tables, matrix, _bytes(cupy, values))
    with memory_errors(cupy, 3 * raw.nbytes, needed):
        _check_sums(cupy, ensemble, values, lines.baseline, raw)
    one = ensemble.n_outputs == 1
    return DeviceAttributions(
        values=values[..., 0] if one else values,
        raw=raw[:, 0] if one else raw,
        baseline=lines.baseline,
        names=ensemble.feature_names,
        outputs=ensemble.outputs,
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Lines:
    """The tables of a model on a device; without a background they are kept with the model."""

    tables: LineTables
    baseline: NDArray[np.float64]


def _make_lines(ensemble: Ensemble, device: Any, background: Any, n_threads: int) -> _Lines:
    prepared = prepare_attributions(ensemble, background, _MAX_TABLE_BYTES, n_threads)
    tables = upload_tables(device, prepared.tables, len(ensemble.features) * ensemble.n_outputs)
    device.finish()
    return _Lines(tables, prepared.baseline)


def _check_sums(cupy: Any, ensemble: Ensemble, values: Any, baseline: NDArray[np.float64], raw: Any) -> None:
    if raw.size == 0:
        return
    miss = cupy.abs(values.sum(axis=1) + cupy.asarray(baseline) - raw)
    bound = _ROUNDING * max(1.0, float(cupy.abs(raw).max()), largest_change(ensemble))
    worst = float(cupy.where(cupy.isnan(miss), cupy.inf, miss).max())
    if not worst <= bound:
        raise AdditivityError(
            f"attributions miss raw by {worst:.3g}, more than rounding explains ({bound:.1g}); please report this model"
        )


def _matrix(verb: str, ensemble: Ensemble, X: Any) -> DeviceMatrix:
    if not is_on_device(X):
        raise TableError(f"gpu.{verb} takes rows on a GPU; got {type(X).__name__}: use glasswood.{verb}")
    return device_matrix(X, ensemble.features).matrix


def _counts(verb: str, ensemble: Ensemble, X: Any) -> DeviceRowCounts:
    from glasswood.gpu._cuda_device import CudaDevice

    matrix = _matrix(verb, ensemble, X)
    return DeviceRowCounts(CudaDevice(), matrix)


def _bytes(cupy: Any, array: Any) -> Any:
    return array.reshape(-1).view(cupy.uint8)
