"""Waiting for what `expect` has no word for: numbers computed from a drawing, several readings at once."""

from collections.abc import Callable
from typing import TypeVar

from playwright.sync_api import Page

T = TypeVar("T")

# Patience is counted in frames of the page, not in seconds: a busy machine draws fewer of them.
FRAMES = 3_000
NEXT_FRAME = "() => new Promise((done) => requestAnimationFrame(() => done()))"


def drawn_again(page: Page) -> None:
    """Wait until figures have the size of a new window: they are told of it in the next frame, and draw in it."""
    for _ in range(3):
        page.evaluate(NEXT_FRAME)


def eventually(page: Page, read: Callable[[], T], expected: T, *, frames: int = FRAMES) -> None:
    """Read again, frame by frame, until the page shows what is expected."""
    eventually_true(page, read, lambda found: found == expected, f"expected {expected!r}", frames=frames)


def eventually_true(
    page: Page, read: Callable[[], T], holds: Callable[[T], bool], why: str = "", *, frames: int = FRAMES
) -> T:
    """Read again, frame by frame, until what is read has the property; give what was read."""
    for _ in range(frames):
        found = read()
        if holds(found):
            return found
        page.evaluate(NEXT_FRAME)
    raise AssertionError(f"the page still shows {read()!r}; {why}")
