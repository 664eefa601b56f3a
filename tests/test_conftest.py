"""The profile that `make test` uses draws the same examples in every run."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DRAW = """
import sys
sys.path[:0] = sys.argv[1:]
import tests.conftest
if len(sys.argv) > 2:
    import other_module
from hypothesis import given, settings, strategies as st
drawn = []
@settings(max_examples=300)
@given(st.tuples(st.integers(), st.text(), st.floats()))
def draw(values):
    drawn.append(values)
draw()
print(drawn)
"""


def drawn(*folders: Path, hash_seed: str) -> str:
    environment = {**os.environ, "HYPOTHESIS_PROFILE": "ci", "PYTHONHASHSEED": hash_seed}
    command = [sys.executable, "-c", DRAW, str(ROOT), *map(str, folders)]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_examples_depend_neither_on_hashes_nor_on_modules_imported_before(tmp_path: Path) -> None:
    (tmp_path / "other_module.py").write_text("MANY = [987654321, 87654321, 7654321, 0.1234, 'some text']\n")
    assert drawn(hash_seed="0") == drawn(tmp_path, hash_seed="1")
