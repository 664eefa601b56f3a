"""A list is cut where the bytes run out, but never to nothing."""

from glasswood.web._budget import within


def test_parts_are_kept_while_they_fit() -> None:
    parts = [{"a": "x" * 100} for _ in range(10)]
    assert len(within(iter(parts), 350)) == 3
    assert len(within(iter(parts), 1)) == 1
    assert len(within(iter(parts), 10_000)) == 10
    assert within(iter([]), 10) == []
