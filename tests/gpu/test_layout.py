"""Layout: every feature has one lane, lanes stay in their row, sums fit the shared memory."""

from functools import cache
from typing import Any

import numpy as np
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


FEATURES = np.arange(1, 2001)
CELLS = (33, 65, 129, 256)
SUMS = ((1, 2), (2, 2), (1, 4), (2, 4), (3, 4), (4, 4), (3, 5), (4, 5))  # fields of a cell, words of a row


def layouts(n_cells: int, fields: int, words: int, shared_bytes: int) -> Any:
    """Width, lanes, groups, group_features, stride and bytes for every number of features, or None if none fits."""
    given = {"words": words, "shared_bytes": shared_bytes, "threads": 1024}
    try:
        found = [make_layout(p, n_cells, fields, **given) for p in FEATURES.tolist()]
    except OptionError:
        return None
    names = ("width", "lanes", "groups", "group_features", "stride", "histogram_bytes")
    return np.array([[getattr(layout, name) for name in names] for layout in found]).T


@pytest.mark.parametrize("shared", [60, 95, 159, 223])  # of 64, 99, 163 and 227 KB; kernels declare up to 4 themselves
@pytest.mark.parametrize("n_cells", CELLS)
def test_every_byte_has_one_lane_and_every_lane_one_bank(n_cells: int, shared: int) -> None:
    """All numbers of features up to 2000, with all sums that a fit may ask for."""
    for fields, words in SUMS:
        found = layouts(n_cells, fields, words, shared * 1024)
        rows = 1024 * 4 * words
        if found is None:
            assert fields * n_cells * 4 * 32 + rows > shared * 1024  # not even one byte per lane
            continue
        width, lanes, groups, group_features, stride, histogram_bytes = found
        assert np.isin(width, (1, 2, 4)).all() and (lanes >= 1).all() and (lanes <= 32).all()
        assert (group_features == lanes * width).all() and (stride % 4 == 0).all()
        assert (groups * group_features >= FEATURES).all() and ((groups - 1) * group_features < FEATURES).all()
        assert (groups * group_features <= stride).all()  # no lane reads what belongs to the next row
        assert (group_features % width == 0).all()  # a lane reads its bytes at once
        assert (histogram_bytes == fields * width * n_cells * 4 * 32 + rows).all()
        assert (histogram_bytes <= shared * 1024).all()
        # no other width that fits has fewer groups
        for other in (1, 2, 4):
            if fields * other * n_cells * 4 * 32 + rows <= shared * 1024:
                assert (groups <= -(-FEATURES // (32 * other))).all()
        # the lane and place that the kernel gives a byte, back to the byte
        for shape in np.unique(np.stack([width, lanes, groups]), axis=1).T.tolist():
            check_bytes(*shape)
        for own in np.unique(width).tolist():
            check_banks(fields, own, n_cells)


@cache
def check_bytes(width: int, lanes: int, groups: int) -> None:
    """Byte `k` of a lane of a group is byte group · lanes · width + lane · width + k of the row, and no other is."""
    group, lane, k = np.ogrid[:groups, :lanes, :width]
    byte = (group * lanes * width + lane * width + k).ravel()
    np.testing.assert_array_equal(byte, np.arange(groups * lanes * width))


@cache
def check_banks(fields: int, width: int, n_cells: int) -> None:
    """Words [field][byte][cell][lane]: each once, all of a lane in its own of 32 banks."""
    field, k, cell, lane = np.ogrid[:fields, :width, :n_cells, :32]
    word = field * (width * n_cells * 32) + k * (n_cells * 32) + cell * 32 + lane
    np.testing.assert_array_equal(word.ravel(), np.arange(fields * width * n_cells * 32))
    assert (word % 32 == lane).all()


def test_a_wider_lane_means_fewer_groups() -> None:
    few = make_layout(100, 65, 3, words=4, shared_bytes=SHARED["9.0"], threads=1024)
    assert (few.groups, few.width, few.lanes) == (1, 4, 25)
    many = make_layout(100, 256, 4, words=4, shared_bytes=SHARED["9.0"], threads=1024)
    assert (many.groups, many.width, many.lanes) == (4, 1, 25)


def test_too_little_shared_memory_is_named() -> None:
    with pytest.raises(OptionError, match=r"50,000 bytes of shared memory .* lower max_bins"):
        make_layout(10, 256, 4, words=4, shared_bytes=50_000, threads=1024)


def test_the_number_of_bins_that_fits_is_named() -> None:
    """GPUs of capability 8.6, 8.9 and 12.0 have 99 KB, of which kernels declare up to 4 themselves."""
    small = {"shared_bytes": 95 * 1024, "threads": 1024}
    for fields, words in ((3, 4), (4, 4), (4, 5)):
        with pytest.raises(OptionError, match=f"255 bins with {fields} sums each do not fit: lower max_bins to 128"):
            make_layout(10, 256, fields, words=words, **small)
        assert make_layout(10, 129, fields, words=words, **small).histogram_bytes <= 95 * 1024
    assert make_layout(10, 256, 2, words=4, **small).histogram_bytes <= 95 * 1024
    with pytest.raises(OptionError, match="do not fit: set device='cpu'"):
        make_layout(10, 256, 2, words=4, shared_bytes=10_000, threads=1024)
