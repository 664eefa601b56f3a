"""A library opens its own file in this process: the comparison of `gw.read(path, X)` without the process it starts.

A process that imports a library takes a second; tests/readers/test_library.py is about it, and a few tests of every
library start it.
"""

from pathlib import Path
from types import ModuleType
from typing import Any

from glasswood.ensemble import Ensemble
from glasswood.readers._parity import check_parity


def agreeing_file(reader: ModuleType, path: Path, X: Any) -> Ensemble:
    """Read a file, and check it against the library that opened the same bytes."""
    content = path.read_bytes()
    ensemble: Ensemble = reader.read_file(content, str(path))
    opened = reader.open_file(content)
    checked = check_parity(ensemble, X, lambda rows: reader.ask_opened(opened, ensemble, rows))
    assert checked.source.parity.leaves_equal is True
    return checked
