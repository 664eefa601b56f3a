"""The registry finds a reader by the class, without importing the library."""

import subprocess
import sys

import pytest

from glasswood.errors import ModelFileError, UnsupportedModelError
from glasswood.readers._registry import file_reader_of, reader_of


def test_the_nearest_known_parent_decides() -> None:
    foreign = type("Foreign", (), {"__module__": "sklearn.made_up"})
    mine = type("Mine", (foreign,), {"__module__": "mine"})
    assert reader_of(mine()).__name__ == "glasswood.readers.sklearn"


def test_an_unknown_class_is_named_with_the_supported_ones() -> None:
    with pytest.raises(UnsupportedModelError, match=r"builtins\.int.*sklearn"):
        reader_of(3)


def test_an_unknown_file_is_refused() -> None:
    with pytest.raises(ModelFileError, match="diary: not a model file"):
        file_reader_of(b"dear diary", "diary")


def test_looking_for_a_reader_imports_no_library() -> None:
    code = """
import sys
from glasswood.readers._registry import file_reader_of, reader_of
reader_of(type("Forest", (), {"__module__": "sklearn.ensemble"})())
try:
    file_reader_of(b"nothing", "nothing")
except ValueError:
    pass
print([name for name in ("sklearn", "lightgbm", "xgboost", "catboost", "perpetual", "pandas") if name in sys.modules])
"""
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
