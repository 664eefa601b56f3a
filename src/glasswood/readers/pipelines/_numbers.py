"""Transformers of numbers: scalers, power and quantile transforms, bins and some functions, each column separately."""

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import UnsupportedModelError
from glasswood.readers._float_keys import LARGEST
from glasswood.readers.pipelines._tracks import Link, Matrix, Step, Track

# functions allowed in FunctionTransformer: their inverse, and the last float at which they are NaN
_FUNCTIONS: dict[Any, tuple[Any, tuple[float, ...]]] = {
    np.log: (np.exp, (-5e-324,)),
    np.log2: (np.exp2, (-5e-324,)),
    np.log10: (lambda v: 10.0**v, (-5e-324,)),
    np.log1p: (np.expm1, (float(np.nextafter(-1.0, -2.0)),)),
    np.sqrt: (np.square, (-5e-324,)),
    np.cbrt: (lambda v: v**3, ()),
    np.exp: (np.log, ()),
    np.exp2: (np.log2, ()),
    np.expm1: (np.log1p, ()),
    np.arcsinh: (np.sinh, ()),
    np.negative: (np.negative, ()),
}
_FLOAT32 = float(np.finfo(np.float32).max)
FUNCTION_NAMES = ", ".join(f"numpy.{function.__name__}" for function in _FUNCTIONS)


def bare(transformer: Any) -> Any:
    """A shallow copy that takes and returns plain matrices and has no names, so that it does not warn about them."""
    twin = copy.copy(transformer)
    for name in ("feature_names_in_", "_sklearn_output_config"):
        vars(twin).pop(name, None)
    return twin


def as_matrix(answer: Any) -> Matrix:
    """Output of a transformer as a matrix of float64."""
    dense = answer.toarray() if hasattr(answer, "toarray") else answer
    return np.asarray(dense, dtype=np.float64)


def calls(transformer: Any, *, sparse: bool) -> Callable[[Matrix], Matrix]:
    """The transformer as a function of a matrix, which is made sparse if the transformer was fitted on a sparse one."""
    twin = bare(transformer)

    def call(matrix: Matrix) -> Matrix:
        if not sparse:
            return as_matrix(twin.transform(matrix))
        from scipy.sparse import csr_matrix

        # scikit-learn scales a sparse matrix with different operations
        return as_matrix(twin.transform(csr_matrix(matrix)))

    return call


def scaled(transformer: Any, tracks: Sequence[Track], sparse: bool) -> list[Track]:
    """Follow the columns through a monotone transformer with one output per input."""
    undo = bare(transformer).inverse_transform if hasattr(transformer, "inverse_transform") else None
    step = Step(
        type(transformer).__name__,
        len(tracks),
        calls(transformer, sparse=sparse),
        None if undo is None else lambda matrix: as_matrix(undo(matrix)),
    )
    return [track.then(Link(step, k, k)) for k, track in enumerate(tracks)]


def powered(transformer: Any, tracks: Sequence[Track], sparse: bool) -> list[Track]:
    """Follow the columns through a PowerTransformer; it refuses numbers whose power is infinite, which stay so here."""
    unscaled = bare(transformer)
    unscaled.standardize = False
    low, high = _nearly_infinite(transformer)
    least = 5e-324 if transformer.method == "box-cox" else -LARGEST
    call, undo = calls(transformer, sparse=sparse), bare(transformer).inverse_transform

    def powers(matrix: Matrix) -> Matrix:
        matrix = np.maximum(matrix, least)
        if not np.any((matrix < low) | (matrix > high)):
            return call(matrix)
        bare_powers = as_matrix(unscaled.transform(matrix))
        infinite = np.isinf(bare_powers)
        return np.where(infinite, bare_powers, call(np.where(infinite, 1.0, matrix)))

    step = Step(type(transformer).__name__, len(tracks), powers, lambda matrix: as_matrix(undo(matrix)))
    return [track.then(Link(step, k, k)) for k, track in enumerate(tracks)]


def _nearly_infinite(transformer: Any) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """For each column a number below or above which a power may be infinite; NaN where none is."""
    powers = np.asarray(transformer.lambdas_, dtype=np.float64)
    with np.errstate(all="ignore"):
        if transformer.method == "box-cox":  # (x^p − 1) / p, infinite at the top for p > 1, at 0 for p < −1
            at = np.exp((np.log(LARGEST) + np.log(np.abs(powers))) / powers)
            return np.where(powers < 0, 2 * at, np.nan), np.where(powers > 0, at / 2, np.nan)
        # ((x + 1)^p − 1) / p above 0, and the same of −x with 2 − p below it
        low, high = (np.exp((np.log(LARGEST) + np.log(power)) / power) / 2 for power in (2 - powers, powers))
    return -low, high


def through_function(transformer: Any, tracks: Sequence[Track], sparse: bool) -> list[Track]:
    """Follow the columns through a FunctionTransformer with a function that is known to be monotone."""
    function = transformer.func
    if function is None:
        return list(tracks)
    known = _FUNCTIONS.get(function) if getattr(function, "__hash__", None) else None
    if known is None or transformer.kw_args:
        name = getattr(function, "__name__", type(function).__name__)
        raise UnsupportedModelError(
            f"FunctionTransformer holds {name}, of which glasswood does not know whether it is monotone; it reads "
            f"{FUNCTION_NAMES} without arguments; compute the column before the pipeline instead"
        )
    undo, pivots = known
    step = Step(f"FunctionTransformer of {function.__name__}", len(tracks), calls(transformer, sparse=sparse), undo)
    return [track.then(Link(step, k, k, pivots)) for k, track in enumerate(tracks)]


def binned(transformer: Any, tracks: Sequence[Track], sparse: bool) -> list[Track]:
    """Follow the columns through a KBinsDiscretizer: the number of the bin, or one column per bin."""
    call = calls(transformer, sparse=sparse)
    if transformer.dtype == np.float32:  # values beyond the range of float32 would become infinite and be refused
        step = Step("KBinsDiscretizer", len(tracks), lambda matrix: call(np.clip(matrix, -_FLOAT32, _FLOAT32)))
    else:
        step = Step("KBinsDiscretizer", len(tracks), call)
    if transformer.encode == "ordinal":
        return [track.then(Link(step, k, k)) for k, track in enumerate(tracks)]
    found: list[Track] = []
    for k, track in enumerate(tracks):
        edges = np.asarray(transformer.bin_edges_[k], dtype=np.float64)
        # the column of a bin rises before its middle and falls after it
        middle = edges[:-1] + (edges[1:] - edges[:-1]) / 2
        for at in middle.tolist():
            found.append(track.then(Link(step, k, len(found), (at,))))
    return found
