"""What was compared on a device: `python -m tests.gpu.verified` there writes it down.

A test on any machine compares the file with the kernels and with the CPU: it fails if a kernel was changed and its
trees were not compared on a device since.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from glasswood.gpu import start_device_rounds
from glasswood.gpu._sources import KERNEL_FILES, kernel_text
from tests.gpu.fits import FITS, fit, hash_of

FILE = Path(__file__).parent / "verified.json"
N_ROWS = 3000


def hash_of_kernels() -> str:
    """A hash of the text of all kernels with their headers."""
    return hashlib.sha256("".join(map(kernel_text, KERNEL_FILES)).encode()).hexdigest()[:16]


def hashes_of(make_rounds: Any = None) -> dict[str, str]:
    """Hash of every fit."""
    return {what: hash_of(fit(what, N_ROWS, make_rounds)) for what in FITS}


def main() -> None:
    """Compare every fit on the device with the CPU and write down the hashes."""
    import cupy

    found, expected = hashes_of(start_device_rounds), hashes_of()
    different = [what for what in FITS if found[what] != expected[what]]
    if different:
        raise SystemExit(f"not the bits of the CPU: {', '.join(different)}")
    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    versions = {"cupy": cupy.__version__, "nvrtc": ".".join(map(str, cupy.cuda.nvrtc.getVersion()))}
    content = {"kernels": hash_of_kernels(), "device": device, **versions, "rows": N_ROWS, "hashes": found}
    FILE.write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
