"""Damaged files of every format: each is read, valid and usable, or refused with our own errors."""

import tracemalloc
from collections import Counter

import pytest

from tests.fuzz.formats import FORMATS, garbled_file
from tests.fuzz.outcome import outcome

_FILES = 300  # of each format; `python -m tests.fuzz` creates as many as needed
_MEMORY = 8 << 20  # of Python and numpy, in addition to 64 bytes per byte of the file


@pytest.mark.parametrize("name", FORMATS)
def test_whole_files_are_read(name: str) -> None:
    if name == "xgboost-ubj":  # its files are made from the same documents as those of JSON
        return
    assert {outcome(content, "whole") for content in FORMATS[name].whole()} == {"read"}


@pytest.mark.parametrize("name", FORMATS)
def test_garbled_files_are_read_or_refused(name: str) -> None:
    FORMATS[name].whole()
    outcomes = Counter(outcome(garbled_file(name, number, seed=0), "garbled") for number in range(_FILES))
    assert sum(outcomes.values()) == _FILES
    # edits that always or never do damage test nothing
    assert min(outcomes["read"], outcomes["refused"]) > _FILES // 20


@pytest.mark.parametrize("name", FORMATS)
def test_garbled_files_take_little_memory(name: str) -> None:
    FORMATS[name].whole()
    tracemalloc.start()
    try:
        for number in range(_FILES // 10):
            content = garbled_file(name, number, seed=1)
            tracemalloc.reset_peak()
            outcome(content, "garbled")
            assert tracemalloc.get_traced_memory()[1] < _MEMORY + 64 * len(content)
    finally:
        tracemalloc.stop()
