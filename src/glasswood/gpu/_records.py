"""Records: what the host and the kernels tell each other, byte by byte as in `kernels/common.cuh`."""

import numpy as np

NODE = np.dtype(
    [
        ("begin", "u4"), ("end", "u4"), ("n_left", "u4"), ("n_right", "u4"), ("feature", "i4"), ("bin", "i4"),
        ("missing_left", "i4"), ("unseen_left", "i4"), ("gain", "f8"), ("lower", "f8"), ("upper", "f8"),
        ("groups", "u8"), ("sums", "i8", 4), ("left_set", "u8", 4),
    ]
)  # fmt: skip
FEATURE = np.dtype(
    [
        ("groups", "u8"), ("category", "u4"), ("n_bins", "u2"), ("is_category", "u1"), ("monotone", "i1"),
    ]
)  # fmt: skip
RULES = np.dtype(
    [
        ("l2", "f8"), ("rho", "f8"), ("min_weight", "f8"), ("min_gain", "f8"), ("power", "f8"), ("largest_step", "f8"),
        ("rate", "f8"), ("most_weight", "f8"), ("seed", "u8"), ("first_stream", "u8"), ("groups", "u8"),
        ("n_table", "u4"), ("max_leaves", "u4"),
    ]
)  # fmt: skip
LOSS_SUM = np.dtype([("largest", "f8"), ("largest_raw", "f8"), ("high", "i8"), ("low", "i8"), ("flags", "u8")])
CANDIDATE_BYTES = 48
QUANTILE_BYTES = 32
LOSS_IS_NAN, LOSS_IS_INFINITE, RAW_IS_NAN, RAW_IS_INFINITE = 1, 2, 4, 8


_BEFORE_SUMS = 8 + 4 * 32 + 8  # bytes of the state before the sums of the leaves


def state_bytes(depth: int, leaf_fields: int) -> int:
    """Size of the state of a fit."""
    leaves = 1 << depth
    return row_values_at(depth, leaf_fields) + leaves * 8 + leaves * 4 + depth * leaves * 4 + 8


def row_values_at(depth: int, leaf_fields: int) -> int:
    """Place in the state of what rows get from the last tree, by the slot they are in."""
    leaves = 1 << depth
    return _BEFORE_SUMS + leaves * leaf_fields * 8 + leaves * 8 * 2
