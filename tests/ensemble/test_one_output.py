"""One output of an ensemble."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.ensemble import Ensemble, one_output
from tests.reference.built import built_with_columns


@given(built_with_columns(), st.integers(0, 2))
@settings(max_examples=60)
def test_raw_of_the_output_stays(case: tuple[Ensemble, list[np.ndarray]], output: int) -> None:
    ensemble, columns = case
    output %= ensemble.n_outputs
    alone = one_output(ensemble, output)
    assert alone.n_outputs == 1 and alone.outputs == (ensemble.outputs[output],)
    found = alone._plan().predict_raw(columns, 1)[:, 0]
    np.testing.assert_array_equal(found, ensemble._plan().predict_raw(columns, 1)[:, output])
