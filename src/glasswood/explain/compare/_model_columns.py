"""The columns that one model needs, from a table that may hold more."""

from typing import Any

from glasswood.ensemble import FeatureSchema, features_of
from glasswood.tables import Table, names_and_dtypes


def columns_for(X: Table, features: FeatureSchema) -> Any:
    """The model's columns, if the table has names; the whole table if not, or if a pipeline computes features."""
    return X if features.derivation is not None or names_and_dtypes(X)[0] is None else features_of(X, features, ())
