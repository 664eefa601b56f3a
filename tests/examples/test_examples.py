"""The examples run; one that needs a library which is not installed says so."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
# what an example must print; pages of the docs show this output
PRINTED = {
    "silently_wrong_partial_dependence": ["checked on 2,000 rows"],
    "silently_wrong_shap": ["checked on 2,000 rows"],
    "which_effect": [
        line
        for block in re.findall(r"```text\n(.*?)```", (ROOT / "docs" / "which-effect.md").read_text(), re.S)
        for line in block.splitlines()
    ],
    "titanic_rules": re.findall(r"```text\n(.*?)```", (ROOT / "docs" / "rules.md").read_text(), re.S),
    "titanic_neighbours": re.findall(r"```text\n(.*?)```", (ROOT / "docs" / "examples.md").read_text(), re.S),
}


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_an_example_runs(path: Path, tmp_path: Path) -> None:
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1"}  # with other workers running, more threads are slower
    command = [sys.executable, path]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=one_thread, check=False)
    if run.stderr.startswith("this example needs "):
        pytest.skip(run.stderr.strip())
    assert run.returncode == 0, run.stderr
    for text in PRINTED.get(path.stem, []):
        assert text in run.stdout
