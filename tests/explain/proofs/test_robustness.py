"""gw.robustness: the distance of the nearest row of another class, compared with a look at every row."""

import dataclasses

import matplotlib.pyplot as plt
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import glasswood as gw
from glasswood.ensemble import LOGIT, SOFTMAX
from glasswood.explain.proofs._cells import cells_of
from glasswood.explain.proofs._costs import reaches_of
from tests.reference import predict as reference
from tests.reference.built import built
from tests.reference.proofs import all_columns, move_cost, near_values, small


def classes_at(raw: np.ndarray) -> np.ndarray:
    return (raw[:, 0] > 0).astype(int) if raw.shape[1] == 1 else raw.argmax(axis=1)


def drawn(seed: int):
    rng = np.random.default_rng(seed)
    arrays = small(seed)
    ensemble = dataclasses.replace(built(arrays), link=LOGIT if arrays["baseline"].size == 1 else SOFTMAX)
    every = all_columns(arrays)
    picked = rng.integers(len(every[0]), size=3)
    columns = [column[picked] for column in every]
    columns = [np.where(np.isinf(c), 0.25, c) if c.dtype == np.float64 else c for c in columns]
    table = np.column_stack(
        [np.where(c < 0, np.nan, c) if n else c for c, n in zip(columns, arrays["n_levels"], strict=True)]
    )
    return arrays, ensemble, columns, table.astype(np.float64)


@given(st.integers(0, 2**32))
@example(100021)  # a change of class whose cost is rounded to 0
@example(100442)
@settings(max_examples=120)
def test_the_distance_is_that_of_the_nearest_row_of_another_class(seed: int) -> None:
    arrays, ensemble, columns, table = drawn(seed)
    found = gw.robustness(ensemble, table)
    early = gw.robustness(ensemble, table, max_nodes=1)
    reaches = reaches_of(ensemble, cells_of(ensemble), table)
    now = classes_at(reference.predict_raw(arrays, columns))
    for i in range(len(table)):
        row = [float(column[i]) for column in columns]
        tried = all_columns(arrays, {j: near_values(arrays, j, row[j]) for j in range(len(row))})
        costs = np.array([move_cost(arrays, j, row[j], tried[j], reaches[j].scale) for j in range(len(row))])
        other = classes_at(reference.predict_raw(arrays, tried)) != now[i]
        least = costs.max(axis=0)[other].min() if other.any() else np.inf
        assert found.proven[i]
        np.testing.assert_allclose(found.epsilon[i], least, rtol=1e-12)
        assert early.epsilon[i] <= least * (1 + 1e-12) or early.epsilon[i] == least
        assert early.found[i] >= least * (1 - 1e-12)
        if found.rows[i] is not None:
            given_row = [np.nan if value is None else float(value) for value in found.rows[i].values()]
            assert classes_at(ensemble.predict_raw(np.array([given_row])).reshape(1, -1))[0] != now[i]


def test_a_model_of_numbers_is_refused() -> None:
    model = gw.TreeRegressor(max_depth=1).fit([[0.0], [1.0], [2.0]], [1.0, 1.0, 4.0])
    with pytest.raises(gw.UnsupportedModelError, match="robustness is about classes"):
        gw.robustness(model, np.array([[0.0]]))


def test_no_rows_have_no_distances() -> None:
    model = gw.TreeClassifier(max_depth=1).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    assert len(gw.robustness(model, np.zeros((0, 1))).epsilon) == 0


def test_the_picture_has_the_shares_in_their_order() -> None:
    X = np.array([[0.0], [1.0], [3.0], [4.0]])
    found = gw.robustness(gw.TreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1]), X)
    axes = found.plot()
    shown = [label.get_text() for label in axes.get_yticklabels()]
    assert shown == [f"{share}% of the rows" for share in (95, 75, 50, 25, 5)]
    plt.close(axes.figure)


def test_a_model_of_one_class_says_so() -> None:
    model = gw.TreeClassifier().fit([[0.0], [1.0]], ["a", "a"])
    with pytest.raises(gw.UnsupportedModelError, match="the model knows one class only, a"):
        gw.robustness(model, [[0.0]])
