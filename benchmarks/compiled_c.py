"""C files of a model: compiled by ``cc`` and asked for the predictions of rows, ours and a peer's in the same way."""

import ctypes
import subprocess
import time
from pathlib import Path

import numpy as np


def compile_c(source):
    """The compiled file beside a C file, and the seconds that it took."""
    library = Path(source).with_suffix(".so")
    begun = time.perf_counter()
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", str(library), str(source), "-lm"], check=True)
    return library, time.perf_counter() - begun


def predictions(library, function, rows, n_outputs):
    """What a function of a row and of room for the answers, both arrays of doubles, gives for every row."""
    call = getattr(ctypes.CDLL(str(library)), function)
    call.restype = None
    answers = np.zeros((len(rows), n_outputs))
    for row, answer in zip(np.ascontiguousarray(rows, dtype=np.float64), answers):
        call(ctypes.c_void_p(row.ctypes.data), ctypes.c_void_p(answer.ctypes.data))
    return answers
