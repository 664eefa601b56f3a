"""Layout: every feature has one lane, lanes stay in their row, sums fit the shared memory."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.errors import OptionError
from glasswood.gpu._layout import make_layout

SHARED = {"8.0": 163 * 1024, "9.0": 223 * 1024}


@settings(max_examples=300)
@given(
    st.integers(1, 3000),
    st.integers(2, 256),
    st.sampled_from([2, 3, 4]),
    st.sampled_from([2, 4, 5]),
    st.sampled_from([*SHARED]),
)
def test_a_row_is_dealt_to_lanes(n_features: int, n_cells: int, fields: int, words: int, shared: str) -> None:
    layout = make_layout(n_features, n_cells, fields, words=words, shared_bytes=SHARED[shared], threads=1024)
    assert layout.histogram_bytes <= SHARED[shared] and layout.n_cells >= n_cells
    assert 1 <= layout.lanes <= 32 and layout.width in (1, 2, 4)
    assert layout.groups * layout.group_features >= n_features  # every feature has a lane
    assert (layout.groups - 1) * layout.group_features < n_features  # no group is empty
    assert layout.stride % 4 == 0 and layout.stride >= layout.groups * layout.group_features
    assert layout.group_features % layout.width == 0  # a lane reads whole words


def test_a_wider_lane_means_fewer_groups() -> None:
    few = make_layout(100, 65, 3, words=4, shared_bytes=SHARED["9.0"], threads=1024)
    assert (few.groups, few.width, few.lanes) == (1, 4, 25)
    many = make_layout(100, 256, 4, words=4, shared_bytes=SHARED["9.0"], threads=1024)
    assert (many.groups, many.width, many.lanes) == (4, 1, 25)


def test_too_little_shared_memory_is_named() -> None:
    with pytest.raises(OptionError, match=r"50,000 bytes of shared memory .* lower max_bins"):
        make_layout(10, 256, 4, words=4, shared_bytes=50_000, threads=1024)
