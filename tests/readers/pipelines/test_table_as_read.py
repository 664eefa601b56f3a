"""The values that glasswood reads, in a form that scikit-learn takes."""

import numpy as np
import pandas as pd

from glasswood.readers.pipelines._table_as_read import decoded_table
from glasswood.tables import read_table


def test_float32_becomes_float64_so_that_scikit_learn_computes_as_glasswood_does() -> None:
    X = pd.DataFrame({"a": np.array([0.1, np.nan], dtype=np.float32), "city": ["Rome", "Oslo"]})
    frame = decoded_table(read_table(X), ("a", "city"))
    assert str(frame["a"].dtype) == "float64"
    assert frame["a"][0] == float(np.float32(0.1))
    assert list(frame["city"]) == ["Rome", "Oslo"]
