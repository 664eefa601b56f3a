"""Fixtures for all tests, and how hypothesis draws its examples."""

import os
import signal
import sys
from collections.abc import Callable, Iterator

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

from glasswood import _native

PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
MORE = 20  # how many times more examples the profile `explore` draws than a test asks for

# neither profile uses a clock, because machines may be busy
_PATIENT = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "print_blob": True}
settings.register_profile("ci", derandomize=True, database=None, **_PATIENT)
settings.register_profile("explore", **_PATIENT)
settings.load_profile(PROFILE)
if PROFILE == "ci":
    # Hypothesis also uses constants of the modules imported so far: examples would depend on which tests ran before.
    providers._get_local_constants = providers.Constants


def pytest_itemcollected(item: pytest.Item) -> None:
    test = getattr(item, "obj", None)
    if PROFILE == "explore" and getattr(test, "is_hypothesis_test", False) and not hasattr(test, "explored"):
        asked = test._hypothesis_internal_use_settings
        test._hypothesis_internal_use_settings = settings(asked, max_examples=MORE * asked.max_examples)
        test.explored = True


class _Figures:
    """pyplot keeps every figure and warns at the twentieth; examples of pages and docstrings leave theirs open."""

    def pytest_runtest_teardown(self) -> None:
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(_Figures())  # as a plugin it serves the docstrings of `src` too


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests that need a GPU run only where they are asked for: `make gpu`."""
    if "gpu" in config.option.markexpr:
        return
    for_gpu = [item for item in items if item.get_closest_marker("gpu")]
    config.hook.pytest_deselected(items=for_gpu)
    items[:] = [item for item in items if not item.get_closest_marker("gpu")]


@pytest.fixture
def control_c() -> Iterator[Callable[[int], None]]:
    """control_c(n): Ctrl-C is pressed when a kernel checks for interrupts for the n-th time from now.

    It works in a background job too, which ignores SIGINT by default.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield _native.press_at_check
    _native.press_at_check(0)
    signal.signal(signal.SIGINT, before)
