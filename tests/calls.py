"""Counts how often a function of the package is called, from any module."""

import sys
from collections.abc import Callable
from typing import Any

import pytest


class Calls:
    """Number of calls of one function since the last `reset`."""

    def __init__(self) -> None:
        self.n = 0

    def reset(self) -> None:
        self.n = 0


def count_calls(monkeypatch: pytest.MonkeyPatch, function: Callable[..., Any]) -> Calls:
    """Count the calls of a function in every module of the package that is loaded."""
    calls = Calls()

    def counted(*args: Any, **kwargs: Any) -> Any:
        calls.n += 1
        return function(*args, **kwargs)

    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] == "glasswood" and vars(module).get(function.__name__) is function:
            monkeypatch.setattr(module, function.__name__, counted)
    return calls
