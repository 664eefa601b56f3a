"""What tests of every room may ask for."""

import os
import signal
import threading
from collections.abc import Callable, Iterator

import pytest


@pytest.fixture
def control_c() -> Iterator[Callable[[float], None]]:
    """control_c(seconds): somebody presses Ctrl-C then. Heeded also in a background job, which is born deaf to it."""
    timers: list[threading.Timer] = []

    def press(seconds: float) -> None:
        timers.append(threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)))
        timers[-1].start()

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield press
    for timer in timers:
        timer.join()
    signal.signal(signal.SIGINT, before)
