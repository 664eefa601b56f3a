"""A set and its bits are equivalent."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from glasswood.ensemble import pack_set, unpack_set


@given(st.lists(st.booleans(), max_size=200))
def test_bits_come_back(members: list[bool]) -> None:
    words = pack_set(np.array(members, dtype=bool))
    assert words.dtype == np.uint64 and len(words) == -(-len(members) // 64)
    flags = unpack_set(words)
    assert flags[: len(members)].tolist() == members and not flags[len(members) :].any()


def test_bit_c_is_code_c() -> None:
    assert pack_set(np.arange(70) == 65).tolist() == [0, 2]
    assert np.flatnonzero(unpack_set(np.array([0, 2], dtype=np.uint64))).tolist() == [65]


def test_many_sets_are_packed_as_one_by_one() -> None:
    members = np.random.default_rng(0).random((5, 130)) < 0.5
    words = pack_set(members)
    assert words.tolist() == [pack_set(own).tolist() for own in members]
    np.testing.assert_array_equal(unpack_set(words)[:, :130], members)
