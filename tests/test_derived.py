"""A derived value is computed once; of racing threads, the first decides."""

import pytest

from glasswood._derived import derived


def test_a_thing_is_made_once() -> None:
    kept: dict[str, object] = {}
    first = derived(kept, "a", object)
    assert derived(kept, "a", object) is first
    assert derived(kept, "b", object) is not first


def test_a_thread_that_is_too_late_gets_the_first_result() -> None:
    kept: dict[str, object] = {}
    first, second = object(), object()

    def make_slowly() -> object:
        kept["a"] = first  # what another thread does in the meantime
        return second

    assert derived(kept, "a", make_slowly) is first


def test_an_error_is_not_kept() -> None:
    kept: dict[str, int] = {}
    with pytest.raises(ZeroDivisionError):
        derived(kept, "a", lambda: 1 // 0)
    assert derived(kept, "a", lambda: 5) == 5
