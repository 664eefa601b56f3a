"""Deadlines: a test that waits for ever ends the run, and says where every thread stood."""

import faulthandler
import sys
from collections.abc import Iterator
from contextlib import contextmanager

DEADLINE = 900  # seconds; no test takes so long, however busy the machine


@contextmanager
def deadline(seconds: float = DEADLINE) -> Iterator[None]:
    """End the process after so many seconds, unless the block has ended."""
    faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)
    try:
        yield
    finally:
        faulthandler.cancel_dump_traceback_later()
