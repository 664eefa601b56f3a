"""Timing: calls alternate and the best of several counts, so that a busy moment affects both sides alike."""

import time
from collections.abc import Callable, Sequence
from typing import Any

Call = Callable[[], Any]


def seconds(call: Call, clock: Callable[[], float] = time.perf_counter) -> float:
    """How long one call takes."""
    begun = clock()
    call()
    return clock() - begun


def alternate(calls: Sequence[Call], rounds: int) -> list[float]:
    """The shortest time of each call in seconds, the calls taking turns."""
    best = [float("inf")] * len(calls)
    for _ in range(rounds):
        for i, call in enumerate(calls):
            best[i] = min(best[i], seconds(call))
    return best
