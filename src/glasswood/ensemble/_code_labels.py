"""Code labels: names for levels of which a model kept only the codes, from a table that declares its categories."""

import dataclasses

from glasswood.ensemble._align import column_order, model_table
from glasswood.ensemble._ensemble import Ensemble
from glasswood.tables import CategoryColumn, Table, read_table


def label_codes(ensemble: Ensemble, X: Table) -> Ensemble:
    """Label the levels of coded features by the categories of X; code k of the model is the k-th category of the table.

    A feature stays coded where the table does not list its categories, or lists fewer than the model has codes.
    """
    features = ensemble.features
    if not features.coded.any():
        return ensemble
    table = read_table(model_table(X, features))
    categories, coded = list(features.categories), features.coded.copy()
    for k, j in enumerate(column_order(table, features)):
        labels = categories[k]
        if not coded[k] or labels is None:
            continue
        column = table.column(j)
        if isinstance(column, CategoryColumn) and column.declared and len(column.labels) >= len(labels):
            categories[k], coded[k] = column.labels[: len(labels)], False
    return ensemble._with_features(dataclasses.replace(features, categories=tuple(categories), coded=coded))
