import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from glasswood.web.server._cache import Cache


def test_the_least_recently_used_is_forgotten() -> None:
    cache: Cache[str, int] = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") == 1
    cache.put("c", 3)
    assert (cache.get("a"), cache.get("b"), cache.get("c")) == (1, None, 3)


def test_a_value_is_made_once_however_many_ask() -> None:
    cache: Cache[str, int] = Cache(2)
    made: list[int] = []
    ready = threading.Barrier(8)

    def make() -> int:
        made.append(1)
        return 7

    def ask(_: int) -> int:
        ready.wait()
        return cache.made("a", make)

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(8))) == [7] * 8
    assert made == [1]


def test_an_error_is_not_kept() -> None:
    cache: Cache[str, int] = Cache(2)
    with pytest.raises(ZeroDivisionError):
        cache.made("a", lambda: 1 // 0)
    assert cache.made("a", lambda: 5) == 5
