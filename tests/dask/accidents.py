"""Accidents: workers that are killed or stopped at a chosen point of a fit. The functions run in the workers."""

import os
import signal
from collections.abc import Callable
from typing import Any


def prepare(stage: str, how: signal.Signals, after: int = 0) -> None:
    """From now on this process gets the signal when a fit reaches the stage; `after` so many rounds in a round."""
    from glasswood.dask import _member
    from glasswood.train.boosting import _boost

    place: dict[str, tuple[Any, str]] = {
        "before join": (_member, "join"),
        "in binning": (_boost, "make_binning"),
        "in a round": (_member._Membership, "check"),
    }
    owner, name = place[stage]
    setattr(owner, name, _after(getattr(owner, name), after, lambda: os.kill(os.getpid(), how)))


def _after(function: Callable[..., Any], n_calls: int, accident: Callable[[], None]) -> Callable[..., Any]:
    """The same function, with an accident when it is called once more than `n_calls` times."""
    calls = 0

    def with_accident(*given: Any, **options: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == n_calls + 1:
            accident()
        return function(*given, **options)

    return with_accident
