"""RoundThreads: decides from measured times whether threads share a round of boosting.

Threads slow each other down when they write to memory. How much depends on the machine and its load, so it is measured.
Rounds are alike: one of the first is grown by one thread, and the faster of the two ways is used until it becomes
slower than the other was. Long rounds profit from sharing, and one without it would cost too much time: they are shared
until they take twice as long as before. The trees have the same bits in any case.
"""

from collections import deque
from collections.abc import Callable, Iterable
from statistics import median

from glasswood import _native

_START = (True, True, False, True)  # shared or not; the first round also allocates memory
_LONG = 0.02  # seconds of a shared round
_FIRST_GAP = 16  # rounds without sharing until it is tried again; doubled after every try without success
_LONGEST_GAP = 256
_RECENT_ROUNDS = 3  # rounds remembered of each way
_GAIN = 0.95  # sharing must take at most this share of the time of one thread, otherwise it is not worth another CPU


class RoundThreads:
    """Number of threads for the next round.

    Examples
    --------
    >>> pace = RoundThreads(1)
    >>> pace.threads
    1
    """

    def __init__(self, n_threads: int) -> None:
        self._n_threads = _native.usable_threads(n_threads)
        self._n_rounds = 0
        self._shares = True  # whether most rounds are shared
        self._next = True  # whether the next round is shared
        self._times: dict[bool, deque[float]] = {
            True: deque(maxlen=_RECENT_ROUNDS),
            False: deque(maxlen=_RECENT_ROUNDS),
        }
        self._fastest = float("inf")  # time of the fastest shared round
        self._since, self._gap = 0, _FIRST_GAP

    @property
    def threads(self) -> int:
        """Number of threads for the next round."""
        return self._n_threads if self._next else 1

    def note(self, seconds: float) -> None:
        """Record the time of the round."""
        if self._n_threads == 1:
            return
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
        """Keep the way, change it after a faster try, or try the other one."""
        self._since += 1
        if self._next != self._shares:
            faster = self._gains() == self._next
            self._gap = _FIRST_GAP if faster else min(2 * self._gap, _LONGEST_GAP)
            self._shares = self._next if faster else self._shares
            self._since = 0
        tries = not self._gains() if self._shares else self._since >= self._gap
        self._next = self._shares != (tries and self._since >= _RECENT_ROUNDS)
        if self._next != self._shares:
            self._times[self._next].clear()  # old times say little

    def _gains(self, typical: Callable[[Iterable[float]], float] = median) -> bool:
        """Whether sharing was faster recently; if never tried without, whether it is about as fast as before."""
        shared, alone = self._times[True], self._times[False]
        return typical(shared) <= (_GAIN * typical(alone) if alone else 2 * self._fastest)
