"""C files of a model: compiled by ``cc`` and asked for the predictions of rows, ours and a peer's in the same way."""

import ctypes
import subprocess
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def compile_c(source: Path) -> tuple[Path, float]:
    """The compiled file beside a C file, and the seconds that it took."""
    library = source.with_suffix(".so")
    begun = time.perf_counter()
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-lm"], check=True)
    return library, time.perf_counter() - begun


def predictions(library: Path, function: str, rows: NDArray[np.float64], n_outputs: int) -> NDArray[np.float64]:
    """What a function gives for every row; it takes a row and room for the answers, both arrays of doubles."""
    call = getattr(ctypes.CDLL(str(library)), function)
    call.restype = None
    answers = np.zeros((len(rows), n_outputs))
    for row, answer in zip(np.ascontiguousarray(rows), answers, strict=True):
        call(ctypes.c_void_p(row.ctypes.data), ctypes.c_void_p(answer.ctypes.data))
    return answers
