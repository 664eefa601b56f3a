"""The difference of two ensembles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.ensemble import AlignedRows, Ensemble, subtract
from tests.reference import predict as reference
from tests.reference.built import built
from tests.reference.ensembles import Recipe, random_columns, random_ensemble, random_pair


def raw(ensemble: Ensemble, columns: list[np.ndarray]) -> np.ndarray:
    return ensemble._plan().predict_raw(AlignedRows(len(columns[0]), columns).data, 1)


@given(st.integers(0, 2**32))
@settings(max_examples=200)
def test_raw_of_the_difference_is_the_difference_of_raw(seed: int) -> None:
    a, b, rng = random_pair(seed)
    columns = random_columns(rng, a if rng.random() < 0.5 else b, 60)
    expected = reference.predict_raw(a, columns) - reference.predict_raw(b, columns)
    found = subtract(built(a), built(b))
    assert found.n_trees == len(a["tree_output"]) + len(b["tree_output"])
    np.testing.assert_allclose(raw(found, columns), expected, rtol=0, atol=1e-13)


@given(st.integers(0, 2**32))
@settings(max_examples=100)
def test_a_model_minus_itself_is_exactly_zero(seed: int) -> None:
    a, _, rng = random_pair(seed)
    assert not raw(subtract(built(a), built(a)), random_columns(rng, a, 60)).any()


def test_outputs_are_matched_by_name() -> None:
    import dataclasses

    a, _, rng = random_pair(3, n_outputs=3)
    one = dataclasses.replace(built(a), outputs=("x", "y", "z"))
    for order in ([2, 0, 1], [1, 2, 0]):
        turned = a | {"baseline": a["baseline"][order]}
        if a["value"].shape[1] == 3:
            turned["value"] = a["value"][:, order]
        else:
            turned["tree_output"] = np.argsort(order)[a["tree_output"]]
        other = dataclasses.replace(built(turned), outputs=tuple("xyz"[k] for k in order))
        assert not raw(subtract(one, other), random_columns(rng, a, 40)).any()


@pytest.mark.parametrize("width", [1, 3])
def test_trees_of_one_and_of_all_outputs_are_subtracted(width: int) -> None:
    rng = np.random.default_rng(width)
    a, b = (random_ensemble(rng, Recipe(n_outputs=3, width=w, n_trees=3, odd=False)) for w in (width, 4 - width))
    columns = random_columns(rng, a, 50)
    expected = reference.predict_raw(a, columns) - reference.predict_raw(b, columns)
    np.testing.assert_allclose(raw(subtract(built(a), built(b)), columns), expected, rtol=0, atol=1e-13)
