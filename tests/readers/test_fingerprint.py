"""A digest is the same for equal states and different after any change."""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from glasswood.readers._fingerprint import digest, vars_but


def state(**changed: Any) -> dict[str, Any]:
    parts: dict[str, Any] = {
        "numbers": np.arange(6.0).reshape(2, 3),
        "labels": np.array(["a", None], dtype=object),
        "inner": SimpleNamespace(rate=0.1, names=["x", "y"], kinds={"b", "a"}),
        "none": None,
        "text": "\ud800",  # half of a surrogate pair, which UTF-8 cannot encode
        "raw": b"ab",
    }
    return {**parts, **changed}


def test_equal_states_have_equal_digests() -> None:
    assert digest(state()) == digest(state())


@pytest.mark.parametrize(
    "changed",
    [
        {"numbers": np.arange(6.0).reshape(3, 2)},
        {"numbers": np.arange(6.0, dtype=np.float32).reshape(2, 3)},
        {"numbers": np.array([[0.0, 1, 2], [3, 4, 6]])},
        {"labels": np.array(["a", "None"], dtype=object)},
        {"inner": SimpleNamespace(rate=0.2, names=["x", "y"], kinds={"b", "a"})},
        {"inner": SimpleNamespace(rate=0.1, names=["xy"], kinds={"b", "a"})},
        {"inner": SimpleNamespace(rate=0.1, names=["x", "y"], kinds={"b", "c"})},
        {"none": False},
        {"raw": b"ac"},
        {"more": 1},
    ],
    ids=lambda changed: next(iter(changed)),  # not their text, because the order of a set differs between processes
)
def test_any_change_changes_the_digest(changed: dict[str, Any]) -> None:
    assert digest(state(**changed)) != digest(state())


def test_strided_arrays_count_by_their_values() -> None:
    block = np.arange(12.0).reshape(3, 4)
    assert digest(block[:, 1]) == digest(block[:, 1].copy())


def test_a_circle_ends() -> None:
    circle = SimpleNamespace(rate=1)
    circle.own = [circle]
    assert digest(circle) == digest(circle)


def test_what_hides_its_state_counts_by_identity() -> None:
    first, second = np.random.default_rng(0), np.random.default_rng(0)
    assert digest(first) == digest(first)
    assert digest(first) != digest(second)
    assert digest(len) != digest(sum)


def test_one_attribute_is_left_out() -> None:
    assert vars_but(SimpleNamespace(a=1, b=2), "a") == {"b": 2}


MANY = [f"word {k}" for k in range(100)]


@pytest.mark.parametrize(
    "other",
    [
        [*MANY[:-1], "word"],
        [*MANY[1:], MANY[0]],
        ["word 0word", " 1", *MANY[2:]],  # the same characters, cut elsewhere
        [*MANY[:-1], 5],
        [*MANY[:-1], None],
        dict.fromkeys(MANY),
        tuple(MANY),
    ],
    ids=["text", "order", "cut", "number", "none", "mapping", "tuple"],
)
def test_many_texts_count_one_by_one(other: Any) -> None:
    assert digest(MANY) == digest(list(MANY))
    assert digest(other) != digest(MANY)
    assert digest(np.array(MANY, dtype=object)) != digest(np.array(MANY[::-1], dtype=object))


@pytest.mark.parametrize("kind", [int, float, np.int32, np.int64, np.float32, np.float64])
def test_many_numbers_count_by_value_and_type(kind: type) -> None:
    numbers = [kind(k) for k in range(100)]
    assert digest(numbers) == digest(list(numbers))
    assert digest([*numbers[:-1], kind(7)]) != digest(numbers)
    other = float if kind is int else int
    assert digest([other(k) for k in range(100)]) != digest(numbers)


def test_many_whole_numbers_may_have_any_size() -> None:
    large = [10**30 + k for k in range(100)]
    assert digest(large) == digest(list(large))
    assert digest([*large[:-1], 1]) != digest(large)


def test_a_vocabulary_counts_by_words_and_numbers() -> None:
    words = {word: np.int64(k) for k, word in enumerate(MANY)}
    assert digest(words) == digest(dict(words))
    assert digest({**words, "word 3": np.int64(4)}) != digest(words)
    renamed = dict(zip([*MANY[:-1], "other"], words.values(), strict=True))
    assert digest(renamed) != digest(words)
