"""Timing: calls alternate and the best of several counts, so that a busy moment affects both sides alike."""

import time
from collections.abc import Callable, Sequence
from typing import Any

Call = Callable[[], Any]
ENOUGH = 8.0  # seconds: a call that has taken so long in all is not repeated


def seconds(call: Call, clock: Callable[[], float] = time.perf_counter) -> float:
    """How long one call takes."""
    begun = clock()
    call()
    return clock() - begun


def alternate(calls: Sequence[Call], rounds: int) -> list[float]:
    """The shortest time of each call in seconds, the calls taking turns; long calls are repeated less often."""
    times: list[list[float]] = [[] for _ in calls]
    for _ in range(rounds):
        for taken, call in zip(times, calls, strict=True):
            if sum(taken) < ENOUGH:
                taken.append(seconds(call))
    return [min(taken) for taken in times]
