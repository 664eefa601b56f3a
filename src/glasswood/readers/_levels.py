"""Level names: labels of categories that a source stores only as hashes, found in the rows given with the model."""

import dataclasses
import re

from glasswood.ensemble import Ensemble, Label, column_order, distinct_texts, model_table, text_hash
from glasswood.tables import Table, read_table

HASH_NOTE = "only hashes of some category labels are known; read with rows that hold them to see the labels"


def name_levels(ensemble: Ensemble, X: Table) -> Ensemble:
    """Replace labels that are hashes by the texts in X with these hashes."""
    features = ensemble.features
    if not features.hashes:
        return ensemble
    table = read_table(model_table(X, features))
    categories = list(features.categories)
    for k, j in enumerate(column_order(table, features)):
        hashes, labels = features.hashes[k], features.categories[k]
        if hashes and labels:
            found = {text_hash(text): text for text in distinct_texts(table.category(j))[0]}
            categories[k] = tuple(
                found.get(known, label) if label == hash_label(known) else label
                for known, label in zip(hashes, labels, strict=True)
            )
    named = dataclasses.replace(features, categories=tuple(categories))
    source = ensemble.source
    if not any(map(_is_nameless, categories)):
        source = dataclasses.replace(source, notes=tuple(note for note in source.notes if note != HASH_NOTE))
    return ensemble._with_features(named)._with_source(source)


def _is_nameless(labels: tuple[Label, ...] | None) -> bool:
    return any(isinstance(label, str) and re.fullmatch("#[0-9a-f]{8}", label) for label in labels or ())


def hash_label(known: int) -> str:
    """Placeholder for a label of which only the hash is known."""
    return f"#{known:08x}"
