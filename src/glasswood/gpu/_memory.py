"""Memory: errors of CuPy that say only what one call asked for, told as what is free and what is needed."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from glasswood.errors import DeviceError

_NO_MEMORY = 2  # cudaErrorMemoryAllocation
_GIB = 2**30


@contextmanager
def memory_errors(cupy: Any, n_bytes: int, in_all: int = 0, *, pinned: bool = False) -> Iterator[None]:
    """Turn a failed allocation into a `DeviceError`.

    Parameters
    ----------
    cupy : module
    n_bytes : int
        What the code inside needs.
    in_all : int
        What the whole fit or call needs, if that is more.
    pinned : bool
        Whether it is memory of the host that stays in its place.
    """
    try:
        yield
    except cupy.cuda.memory.OutOfMemoryError:
        pass
    except cupy.cuda.runtime.CUDARuntimeError as error:
        if error.status != _NO_MEMORY:
            raise
    else:
        return
    if pinned:
        raise DeviceError(
            f"the host has no {n_bytes / _GIB:.2f} GiB of pinned memory, through which tables travel to the GPU: free "
            "memory of the host, or set device='cpu'"
        )
    wanted = f"{n_bytes / _GIB:.2f} more are needed" + (f", {in_all / _GIB:.2f} in all" if in_all > n_bytes else "")
    free, total = cupy.cuda.Device().mem_info
    raise DeviceError(
        f"the GPU has {free / _GIB:.2f} of {total / _GIB:.2f} GiB free and {wanted}: use fewer rows or features, a "
        f"smaller max_depth or max_bins, or device='cpu'"
    )
