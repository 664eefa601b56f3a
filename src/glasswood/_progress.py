"""A bar on stderr for long work, no library needed."""

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

T = TypeVar("T")

_WIDTH = 30
_PAUSE = 0.1  # seconds between two drawings


@contextmanager
def progress_bar(items: Sequence[T], what: str, *, show: bool) -> Iterator[Iterator[T]]:
    """Give the items one by one and draw how far we are.

    Examples
    --------
    >>> from glasswood._progress import progress_bar
    >>> with progress_bar(range(3), "counting", show=False) as numbers:
    ...     sum(numbers)
    3
    """
    if not show:
        yield iter(items)
        return
    try:
        yield _drawing(items, what)
    finally:
        sys.stderr.write("\n")
        sys.stderr.flush()


def _drawing(items: Sequence[T], what: str) -> Iterator[T]:
    begun = drawn = time.monotonic()
    for done, item in enumerate(items):
        yield item
        now = time.monotonic()
        if now - drawn >= _PAUSE or done + 1 == len(items):
            drawn = now
            share = (done + 1) / len(items)
            bar = "█" * round(share * _WIDTH)
            sys.stderr.write(f"\r{what} {bar:<{_WIDTH}} {done + 1}/{len(items)} {now - begun:.1f} s")
            sys.stderr.flush()
