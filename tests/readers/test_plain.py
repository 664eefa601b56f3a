"""Numbers reach the library unchanged."""

import numpy as np
import pandas as pd

from glasswood.ensemble import FeatureSchema
from glasswood.readers._plain import plain_numbers


def test_columns_are_put_in_the_models_order_and_nothing_else() -> None:
    schema = FeatureSchema.numeric(["a", "b"])
    frame = pd.DataFrame({"b": [-1.0, 0.5], "a": [1.0, np.nan]})
    np.testing.assert_array_equal(plain_numbers(frame, schema), [[1.0, -1.0], [np.nan, 0.5]])


def test_text_is_not_numbers() -> None:
    assert plain_numbers(pd.DataFrame({"a": ["x"]}), FeatureSchema.numeric(["a"])) is None
