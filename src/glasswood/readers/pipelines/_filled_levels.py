"""Filled levels: columns whose levels reach a category feature of the model, perhaps behind imputers."""

from glasswood.ensemble import FeatureSchema, Label, as_text, text_hash
from glasswood.readers.pipelines._tracks import Track


def keeps_levels(track: Track, inner: FeatureSchema, out: int) -> bool:
    """Whether the model gets the column's own levels, as a category, with a level in place of missing values at most.

    Parameters
    ----------
    track : the way of the column
    inner : features of the model
    out : the feature that the column reaches
    """
    if inner.categories[out] is None or track.mixed is not None:
        return False
    if track.is_plain:
        return True
    if track.encoded is not None or inner.coded[out]:
        return False
    fills = [None if link.flag else link.fill for link in track.links]
    by_text = bool(inner.hashes) and inner.hashes[out] is not None
    # the levels of other models are numbers, which an imputer of numbers changes as a step of numbers
    return all(fill is not None and fill.wanted is None and (by_text or isinstance(fill.value, str)) for fill in fills)


def filled_levels(track: Track, inner: FeatureSchema, out: int) -> tuple[tuple[Label, ...], int]:
    """Levels of the model, and the code of the one that missing values become; their number if it is none of them."""
    fill, labels = track.links[0].fill, inner.categories[out]
    assert fill is not None and labels is not None
    hashes = inner.hashes[out] if inner.hashes else None
    if hashes is None:
        return labels, labels.index(fill.value) if fill.value in labels else len(labels)
    wanted = text_hash(as_text(fill.value))
    if wanted not in hashes:
        return labels, len(labels)
    code = hashes.index(wanted)
    if fill.value in labels:
        return labels, code
    return (*labels[:code], fill.value, *labels[code + 1 :]), code  # the text is known from the imputer
