import dataclasses

import numpy as np
import pandas as pd

from glasswood.ensemble import FeatureSchema, features_of, known_levels


def test_a_model_without_names_takes_every_column_but_the_target() -> None:
    frame = pd.DataFrame({"u": [1.0], "y": [2.0], "v": [3.0]})
    schema = FeatureSchema.numeric(("x0", "x1"), named=False)
    assert list(features_of(frame, schema, ["y"]).columns) == ["u", "v"]


def test_names_that_lightgbm_wrote_with_underscores_are_found() -> None:
    frame = pd.DataFrame({"petal length": [1.0], "y": [0]})
    assert list(
        features_of(
            frame, dataclasses.replace(FeatureSchema.numeric(("petal_length",)), underscored=True), ["y"]
        ).columns
    ) == ["petal length"]


def test_hashed_categories_are_unchanged_text() -> None:
    schema = FeatureSchema(
        names=("a", "b", "c"),
        named=True,
        categories=(("#0000002a",), ("x", "NA"), None),
        coded=np.zeros(3, bool),
        missing_routed=np.ones(3, bool),
        zero_is_missing=np.zeros(3, bool),
        hashes=((42,), None, None),
    )
    assert known_levels(schema) == {"a": (), "b": ("x", "NA")}
