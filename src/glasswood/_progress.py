"""Progress: a bar on stderr for long work, without another library."""

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType
from typing import TypeVar

T = TypeVar("T")

_WIDTH = 30
_LINE = 79
_PAUSE = 0.1  # seconds between two drawings

# told of every step: what is done, how many steps of it, and of how many; of this thread only
_watcher: ContextVar[Callable[[str, int, int | None], None] | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Callable[[str, int, int | None], None]) -> Iterator[None]:
    """Tell a function of the steps of all work inside, whether or not bars are shown.

    Examples
    --------
    >>> from glasswood._progress import progress_bar, watched
    >>> with watched(lambda what, done, total: print(what, done, total)):
    ...     with progress_bar("ab", "letters", show=False) as letters:
    ...         word = "".join(letters)
    letters 0 2
    letters 1 2
    letters 2 2
    """
    before = _watcher.set(watcher)
    try:
        yield
    finally:
        _watcher.reset(before)


class Progress:
    """Counts steps and draws a bar if `show` is set; without a total it draws only the count.

    `done` steps were done before. With `left` the bar also says how long the other steps take at the same speed.
    """

    def __init__(self, what: str, total: int | None, *, show: bool, done: int = 0, left: bool = False) -> None:
        self._watcher = _watcher.get()
        self._what, self._total, self._show, self._done = what, total, show, done
        self._start, self._tell_left = done, left
        self._begun, self._drawn = time.monotonic(), float("-inf")

    def __enter__(self) -> "Progress":
        if self._watcher is not None:
            self._watcher(self._what, self._done, self._total)
        self._draw(time.monotonic())
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._show:
            sys.stderr.write("\n")
            sys.stderr.flush()

    def step(self, n: int = 1) -> None:
        """Count n more steps."""
        self._done += n
        if self._watcher is not None:
            self._watcher(self._what, self._done, self._total)
        now = time.monotonic()
        if now - self._drawn >= _PAUSE or self._done == self._total:
            self._drawn = now
            self._draw(now)

    def _draw(self, now: float) -> None:
        if not self._show:
            return
        line = f"{self._what} {self._count()} {now - self._begun:.1f} s{self._left(now - self._begun)}"
        sys.stderr.write(f"\r{line:<{_LINE}}")  # bars may follow one another on a line: spaces cover what was there
        sys.stderr.flush()

    def _left(self, passed: float) -> str:
        if not self._tell_left or self._total is None or not self._start < self._done < self._total:
            return ""
        return f", {passed / (self._done - self._start) * (self._total - self._done):.0f} s left"

    def over(self, items: Iterable[T]) -> Iterator[T]:
        """Yield the items one by one, with a step after each."""
        for item in items:
            yield item
            self.step()

    def _count(self) -> str:
        if self._total is None:
            return str(self._done)
        share = min(1.0, self._done / max(1, self._total))
        bar = "█" * round(share * _WIDTH)
        return f"{bar:<{_WIDTH}} {self._done}/{self._total}"


@contextmanager
def progress_bar(items: Sequence[T], what: str, *, show: bool) -> Iterator[Iterator[T]]:
    """Yield the items one by one and draw the progress.

    Examples
    --------
    >>> from glasswood._progress import progress_bar
    >>> with progress_bar(range(3), "counting", show=False) as numbers:
    ...     sum(numbers)
    3
    """
    with Progress(what, len(items), show=show) as bar:
        yield bar.over(items)
