"""The library process ends when there are no more requests, and does not disturb this one."""

import subprocess
import sys
from pathlib import Path

import numpy as np

import glasswood as gw


def test_a_process_without_requests_ends() -> None:
    done = subprocess.run([sys.executable, "-m", "glasswood.readers._library_main"], input=b"", capture_output=True)
    assert done.returncode != 0 and b"EOFError" in done.stderr


def test_reading_a_file_with_rows_imports_no_library_here(tmp_path: Path) -> None:
    import lightgbm as lgb

    X = np.random.default_rng(0).normal(size=(60, 2))
    lgb.train({"verbose": -1, "num_threads": 1, "num_leaves": 3}, lgb.Dataset(X, X[:, 0]), 2).save_model(
        str(tmp_path / "model.txt")
    )
    code = (
        "import sys, numpy as np, glasswood as gw\n"
        f"read = gw.read({str(tmp_path / 'model.txt')!r}, np.zeros((3, 2)))\n"
        "print(read.source.parity.leaves_equal, 'lightgbm' in sys.modules)"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "True False"
    assert gw.read(tmp_path / "model.txt", X).source.parity.n_rows == 60
