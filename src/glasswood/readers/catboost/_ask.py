"""Ask CatBoost itself: in this process for a model object, in a child process for a file.

CatBoost's loader crashes on garbled files, so a file never comes near it in the user's process.
"""

import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from glasswood.errors import ModelFileError
from glasswood.readers._oracle import Oracle
from glasswood.readers.catboost._rows import Rows

_TIMEOUT = 600  # seconds for one chunk of rows; loading CatBoost itself takes one or two


def ask_object(model: Any, rows: Rows) -> Oracle:
    """Raw and leaves by a fitted model."""
    import catboost

    pool = catboost.Pool(rows.matrix(), cat_features=sorted(rows.texts))
    # the base class: a ranker's own predict does not take the argument
    predicted = catboost.CatBoost.predict(model, pool, prediction_type="RawFormulaVal", thread_count=1)
    raw = np.asarray(predicted, dtype=np.float64)
    n = len(raw)
    leaves = model.calc_leaf_indexes(pool, thread_count=1) if model.tree_count_ else np.zeros((n, 0))
    return Oracle(raw=raw.reshape(n, -1), leaves=np.asarray(leaves, dtype=np.int32).reshape(n, -1))


def ask_in_child(content: bytes, file_format: str, rows: Rows) -> Oracle:
    """Raw and leaves by CatBoost in a process of its own; ImportError where it is not installed."""
    if importlib.util.find_spec("catboost") is None:
        raise ImportError("catboost is not installed")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model").write_bytes(content)
        np.save(folder / "numbers.npy", rows.numbers)
        request = {
            "format": file_format,
            "texts": {str(column): texts for column, texts in rows.texts.items()},
        }
        (folder / "request.json").write_text(json.dumps(request))
        _run(folder)
        return Oracle(
            raw=np.load(folder / "raw.npy", allow_pickle=False),
            leaves=np.load(folder / "leaves.npy", allow_pickle=False),
        )


def _run(folder: Path) -> None:
    command = [sys.executable, "-m", "glasswood.readers.catboost._child", str(folder)]
    # the child must find the same packages, also where the parent's path was changed at run time
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(entry or str(Path.cwd()) for entry in sys.path)}
    try:
        done = subprocess.run(command, env=environment, capture_output=True, timeout=_TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        raise ModelFileError(f"CatBoost itself took more than {_TIMEOUT} seconds with the file") from None
    if done.returncode == 0:
        return
    if done.returncode < 0:
        how = f"crashed ({signal.Signals(-done.returncode).name})"
    else:
        lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no message"]
        how = f"failed: {lines[-1][:300]}"
    raise ModelFileError(f"CatBoost itself cannot use the file: it {how}")
