"""Refusals: errors for splits that cannot be expressed with the columns of the user's table."""

from collections.abc import Iterable

from glasswood.errors import UnsupportedModelError


def refuse_combination(names: Iterable[str], why: str) -> UnsupportedModelError:
    """Error for target statistics (CTR) of combined categories that cannot be expressed as splits on single ones."""
    shown = ", ".join(repr(name) for name in dict.fromkeys(names))
    return UnsupportedModelError(
        f"this CatBoost model splits target statistics (CTR) of combinations of {shown}, which cannot be restated as "
        f"sets of categories: {why}; train with max_ctr_complexity=1"
    )


def refuse_estimated(kinds: Iterable[str]) -> UnsupportedModelError:
    """Error for splits on features computed from text or embeddings."""
    return UnsupportedModelError(
        f"this CatBoost model computes features from {' and '.join(kinds)} columns, which cannot be read exactly; "
        "compute numeric features from them first and train on those"
    )


def refuse_fractions(kind: str) -> UnsupportedModelError:
    """Error for a JSON file whose sums of the target are not whole; CatBoost writes them, but loads them as 0."""
    return UnsupportedModelError(
        f"this .json file holds target statistics (CTR) of kind {kind} with sums that are not whole numbers; CatBoost "
        "loads those as 0, so its answers from this file are not those of the model that was saved; save it as .cbm "
        "and read that"
    )


def refuse_new(what: str) -> UnsupportedModelError:
    """Error for a file that uses something newer than this reader."""
    return UnsupportedModelError(
        f"this CatBoost file uses {what}, which this version of glasswood does not know; update glasswood"
    )
