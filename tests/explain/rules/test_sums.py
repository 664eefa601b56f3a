"""Sums over the rows inside rules."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.explain.rules._sums import rule_sums


@given(st.integers(0, 2**32), st.integers(0, 60), st.integers(0, 5), st.integers(1, 3))
@settings(max_examples=60)
def test_sums_are_those_of_matrix_products_in_any_order(seed, n_rows, n_rules, n_folds) -> None:
    rng = np.random.default_rng(seed)
    masks, fold = rng.random((n_rows, n_rules)) < 0.5, rng.integers(0, n_folds, n_rows)
    values = rng.normal(size=(n_rows, 2)) * 10.0 ** rng.integers(-5, 5)
    found = rule_sums(masks, values, fold, with_pairs=True)
    for k in range(int(fold.max(initial=0)) + 1):
        held = fold == k
        inside = values[held].T @ masks[held]
        np.testing.assert_allclose(found.total[:, k], values[held].sum(axis=0), rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(found.inside[:, k], inside, rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(found.outside[:, k], values[held].T @ ~masks[held], rtol=1e-12, atol=1e-9)
        both = masks[held].T @ (masks[held] * values[held, :1])
        np.testing.assert_allclose(found.both[k], both, rtol=1e-12, atol=1e-9)
    order = rng.permutation(n_rows)
    again = rule_sums(masks[order], values[order], fold[order], with_pairs=True)
    for name in ("total", "inside", "outside", "both"):
        np.testing.assert_array_equal(getattr(found, name), getattr(again, name))


def test_whole_numbers_are_summed_exactly() -> None:
    masks = np.array([[True, False], [True, True], [False, True]])
    found = rule_sums(masks, np.array([[1.0], [2.0], [4.0]]), with_pairs=True)
    assert found.total.tolist() == [[7.0]]
    assert found.inside.tolist() == [[[3.0, 6.0]]] and found.outside.tolist() == [[[4.0, 1.0]]]
    assert found.both.tolist() == [[[3.0, 2.0], [2.0, 6.0]]]
