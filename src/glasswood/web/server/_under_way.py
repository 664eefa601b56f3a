"""UnderWay: what the server is computing for whom, in words, while a page waits."""

import threading
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from glasswood._progress import watched

K = TypeVar("K", bound=Hashable)


class UnderWay(Generic[K]):
    """The last step of each work that is being done.

    Examples
    --------
    >>> from glasswood._progress import progress_bar
    >>> from glasswood.web.server._under_way import UnderWay
    >>> works: UnderWay[str] = UnderWay()
    >>> with works.watch("mine"), progress_bar("ab", "letters", show=False) as letters:
    ...     [works.words("mine") for letter in letters]
    ['letters: 0 of 2', 'letters: 1 of 2']
    >>> works.words("mine")
    ''
    """

    def __init__(self) -> None:
        self._words: dict[K, str] = {}
        self._lock = threading.Lock()

    @contextmanager
    def watch(self, key: K) -> Iterator[None]:
        """Remember the steps of the work inside under a key."""

        def step(what: str, done: int, total: int | None) -> None:
            words = f"{what}: {done:,}" if total is None else f"{what}: {done:,} of {total:,}"
            with self._lock:
                self._words[key] = words

        try:
            with watched(step):
                yield
        finally:
            with self._lock:
                self._words.pop(key, None)

    def words(self, key: K) -> str:
        """What is being done under a key; empty if nothing is, or nothing that counts its steps."""
        with self._lock:
            return self._words.get(key, "")
