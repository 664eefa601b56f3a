"""FeatureSchema knows names, kinds and labels."""

import dataclasses

import numpy as np
import pytest

from glasswood.ensemble import FeatureSchema
from glasswood.errors import InvalidEnsembleError, TableError
from tests.ensemble.examples import category_tree


def test_numeric_features_have_no_levels() -> None:
    schema = FeatureSchema.numeric(["a", "b"], missing_routed=False)
    assert len(schema) == 2
    assert schema.n_levels.tolist() == [0, 0]
    assert not schema.is_category.any()
    assert not schema.missing_routed.any()


def test_positions_name_the_nameless() -> None:
    assert FeatureSchema.positions(2) == ("x0", "x1")


def test_equality_looks_at_every_field() -> None:
    schema = category_tree().features
    assert schema == dataclasses.replace(schema)
    assert schema != dataclasses.replace(schema, zero_is_missing=np.array([True]))
    assert schema != dataclasses.replace(schema, categories=(("blue", "green", "pink"),))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ("a", "a")}, "'a' occurs twice"),
        ({"names": (1, "a")}, "feature name 1 is not text"),
        ({"coded": np.zeros(1, dtype=bool)}, "coded has 1 entries for 2 features"),
        ({"categories": (("x", "x"), None)}, "'a' has a category label twice"),
    ],
)
def test_a_broken_schema_is_named(change: dict, message: str) -> None:
    with pytest.raises(InvalidEnsembleError, match=message):
        dataclasses.replace(FeatureSchema.numeric(["a", "b"]), **change).validate()


def test_a_document_reads_back() -> None:
    schema = FeatureSchema(
        names=("a", "b"),
        named=True,
        categories=(None, ("x", 2)),
        coded=np.array([False, True]),
        missing_routed=np.array([True, False]),
        zero_is_missing=np.array([True, False]),
        hashes=(None, (7, 9)),
    )
    assert FeatureSchema.from_dict(schema.to_dict()) == schema


def test_names_are_found_as_they_are_or_as_the_source_writes_them() -> None:
    schema = FeatureSchema.numeric(("petal_length", "x"))
    assert schema.find(["x", "petal length"]) == {"x": 0}
    written = dataclasses.replace(schema, underscored=True)
    assert written.find(["x", "petal length"]) == {"petal_length": 1, "x": 0}
    assert written.find(["petal length", "petal_length"]) == {"petal_length": 1}
    assert FeatureSchema.from_dict(written.to_dict()) == written != schema
    with pytest.raises(TableError, match="'a b_c' and 'a_b c' both mean 'a_b_c'"):
        dataclasses.replace(FeatureSchema.numeric(("a_b_c",)), underscored=True).find(["a b_c", "a_b c"])
