"""What in a table a library may read differently."""

import numpy as np
import pandas as pd
import pyarrow as pa

from glasswood.ensemble import FeatureSchema, align
from glasswood.readers._reasons import reasons

NUMBERS = FeatureSchema.numeric(["a", "b"])


def found(X: object, features: FeatureSchema = NUMBERS, row: int = 0) -> list[str]:
    return reasons(X, features, align(X, features), row, "the library")


def test_plain_numbers_give_no_reason() -> None:
    assert found(np.zeros((2, 2))) == []
    assert found(pd.DataFrame({"a": [1], "b": [2.0]})) == []


def test_a_mask_an_order_and_a_dtype_are_named() -> None:
    assert "masked array" in found(np.ma.array(np.zeros((1, 2)), mask=True))[0]
    assert found(np.ma.array(np.zeros((1, 2)))) == []
    assert "another order" in found(pd.DataFrame({"b": [1.0], "a": [2.0]}))[0]
    assert "an array of >f8" in found(np.zeros((1, 2), dtype=">f8"))[0]
    assert "column 'a' has dtype category" in found(pd.DataFrame({"a": pd.Categorical([1]), "b": [2.0]}))[0]


def test_the_category_of_the_row_is_named() -> None:
    schema = FeatureSchema(
        names=("c",),
        named=True,
        categories=(("x", "y"),),
        coded=np.array([False]),
        missing_routed=np.array([True]),
        zero_is_missing=np.array([False]),
    )
    X = pd.DataFrame({"c": ["x", "z", None]})
    assert "is new to the model" in found(X, schema, 1)[0]
    assert "is missing" in found(X, schema, 2)[0]
    arrow = pa.table({"c": pa.array(["x", None]).dictionary_encode()})
    assert len(found(arrow, schema, 1)) == 1
    advice = reasons(arrow, schema, align(arrow, schema), 1, "scikit-learn")
    assert advice[1].endswith("give X.to_pandas()")
