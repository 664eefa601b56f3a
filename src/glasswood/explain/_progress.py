"""Progress: a bar on stderr for long work."""

import sys
from types import TracebackType

_WIDTH = 30


class Progress:
    """Counts steps and draws them, if asked to; total None draws a count."""

    def __init__(self, what: str, total: int | None, *, show: bool) -> None:
        self._what, self._total, self._show, self._done = what, total, show, 0

    def __enter__(self) -> "Progress":
        self._draw()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._show:
            sys.stderr.write("\n")
            sys.stderr.flush()

    def step(self, n: int = 1) -> None:
        """Say that n more steps are done."""
        self._done += n
        self._draw()

    def _draw(self) -> None:
        if not self._show:
            return
        if self._total is None:
            sys.stderr.write(f"\r{self._what} {self._done}")
        else:
            share = min(1.0, self._done / max(1, self._total))
            bar = "█" * round(share * _WIDTH)
            sys.stderr.write(f"\r{self._what} {bar:<{_WIDTH}} {self._done}/{self._total}")
        sys.stderr.flush()
