"""Pace: whether a round of boosting is shared by threads, by what rounds took.

Threads pay for each other's writes; how much depends on the machine and on who else uses it, and no estimate knows it.
But rounds are alike: one of the first is grown alone, and the faster way goes on until it is slower than the other was.
Long rounds gain by sharing, and one of them alone would cost more than it tells: they are shared until they take twice
as long as before. The trees have the same bits either way.
"""

from collections import deque
from collections.abc import Callable, Iterable
from statistics import median

from glasswood import _native

_START = (True, True, False, True)  # shared or alone; the first round touches memory for the first time
_LONG = 0.02  # seconds of a shared round
_FIRST_GAP = 16  # rounds alone until sharing is tried again; twice as many after every try in vain
_LONGEST_GAP = 256
_LATELY = 3  # rounds that are remembered of each way
_GAIN = 0.95  # sharing takes at most so much of the time alone, or is not worth another CPU


class Pace:
    """Number of threads for the next round.

    Examples
    --------
    >>> pace = Pace(1)
    >>> pace.threads
    1
    """

    def __init__(self, n_threads: int) -> None:
        self._n_threads = _native.usable_threads(n_threads)
        self._n_rounds = 0
        self._shares = True  # the way of most rounds
        self._next = True  # the way of the next
        self._times: dict[bool, deque[float]] = {True: deque(maxlen=_LATELY), False: deque(maxlen=_LATELY)}
        self._fastest = float("inf")  # shared round
        self._since, self._gap = 0, _FIRST_GAP

    @property
    def threads(self) -> int:
        """Threads of the next round."""
        return self._n_threads if self._next else 1

    def note(self, seconds: float) -> None:
        """Say what that round took."""
        self._n_rounds += 1
        if self._next:
            self._fastest = min(self._fastest, seconds)
        if self._n_rounds > 1:
            self._times[self._next].append(seconds)
        if self._n_rounds < len(_START):
            self._next = _START[self._n_rounds] or self._fastest > _LONG
        elif self._n_rounds == len(_START):
            self._shares = self._next = self._gains(min)
        else:
            self._choose()

    def _choose(self) -> None:
        """Keep to the way, change it after a try that was faster, or try the other."""
        self._since += 1
        if self._next != self._shares:
            faster = self._gains() == self._next
            self._gap = _FIRST_GAP if faster else min(2 * self._gap, _LONGEST_GAP)
            self._shares = self._next if faster else self._shares
            self._since = 0
        tries = not self._gains() if self._shares else self._since >= self._gap
        self._next = self._shares != (tries and self._since >= _LATELY)
        if self._next != self._shares:
            self._times[self._next].clear()  # what it took long ago says little

    def _gains(self, typical: Callable[[Iterable[float]], float] = median) -> bool:
        """Whether sharing was faster lately; without a round alone, whether it is about as fast as ever."""
        shared, alone = self._times[True], self._times[False]
        return typical(shared) <= (_GAIN * typical(alone) if alone else 2 * self._fastest)
