"""The examples run; one that needs a library which is not installed says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent.parent / "examples").glob("*.py"))
# what an example must print, besides running
PRINTED = {"silently_wrong_partial_dependence": "checked on 2,000 rows", "silently_wrong_shap": "checked on 2,000 rows"}


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_example_runs(path: Path, tmp_path: Path) -> None:
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}  # beside other workers more are slower
    command = [sys.executable, path]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=one_thread, check=False)
    if run.stderr.startswith("this example needs "):
        pytest.skip(run.stderr.strip())
    assert run.returncode == 0, run.stderr
    assert PRINTED.get(path.stem, "") in run.stdout
