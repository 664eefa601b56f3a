"""Columns of a frame that a model needs, and the levels it knows."""

from collections.abc import Callable, Sequence
from typing import Any

from glasswood.ensemble._label import join_names
from glasswood.ensemble._schema import FeatureSchema
from glasswood.tables import Label, column_names, pick_columns


def features_of(
    frame: Any, features: FeatureSchema, aside: Sequence[str], say: Callable[[str], None] | None = None
) -> Any:
    """Columns of the model, by name if it has names; otherwise all columns except those in `aside`."""
    names = column_names(frame)
    rest = [name for name in names if name not in aside]
    if not features.named:
        return pick_columns(frame, rest)
    position = features.find(names)
    if len(position) < len(features):
        return pick_columns(frame, rest)  # a missing column is reported, with a suggestion, when the table is aligned
    wanted = [names[j] for j in sorted(position.values())]
    unused = [name for name in rest if name not in wanted]
    if unused and say is not None:
        say(f"not in the model, left out: {join_names(unused)}")
    return pick_columns(frame, wanted)


def known_levels(features: FeatureSchema) -> dict[str, tuple[Label, ...]]:
    """Levels by column, as `read_csv` takes them; empty if only hashes of their text are known."""
    hashes = features.hashes or (None,) * len(features)
    return {
        name: () if known is not None else labels
        for name, labels, known in zip(features.names, features.categories, hashes, strict=True)
        if labels is not None
    }
