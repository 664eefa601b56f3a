"""Columns of a table that hold more than the features of one model."""

from typing import Any

from glasswood.ensemble import FeatureSchema, features_of
from glasswood.tables import Table, names_and_dtypes


def columns_for(X: Table, features: FeatureSchema) -> Any:
    """The columns of a model, where the table has names; the whole table if a pipeline computes features of it."""
    return X if features.derivation is not None or names_and_dtypes(X)[0] is None else features_of(X, features, ())
