"""Level names: the labels of categories a source keeps only by hash, found in the rows the model is read with."""

import dataclasses

from glasswood.ensemble import Ensemble, column_order, distinct_texts, text_hash
from glasswood.tables import Table, read_table


def name_levels(ensemble: Ensemble, X: Table) -> Ensemble:
    """Replace labels that are hashes by the texts in X that hash to them; nothing else changes."""
    features = ensemble.features
    if not features.hashes:
        return ensemble
    table = read_table(X)
    categories = list(features.categories)
    for k, source in enumerate(column_order(table, features)):
        hashes, labels = features.hashes[k], features.categories[k]
        if hashes and labels:
            found = {text_hash(text): text for text in distinct_texts(table.column(source))[0]}
            categories[k] = tuple(
                found.get(known, label) if label == hash_label(known) else label
                for known, label in zip(hashes, labels, strict=True)
            )
    return dataclasses.replace(ensemble, features=dataclasses.replace(features, categories=tuple(categories)))


def hash_label(known: int) -> str:
    """Stand-in for a label of which only the hash is known."""
    return f"#{known:08x}"
