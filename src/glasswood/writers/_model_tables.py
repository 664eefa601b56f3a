"""Tables of a model: its trees as lists of plain numbers, which code in any language can walk."""

from dataclasses import dataclass

from glasswood.ensemble import Ensemble, Label, LinkKind, unpack_set
from glasswood.errors import UnsupportedModelError


@dataclass(frozen=True, slots=True, eq=False)
class ModelTables:
    """Node i is entry i of every list; the value of a leaf is that of one output per entry of `value[i]`."""

    names: tuple[str, ...]
    levels: tuple[tuple[Label, ...] | None, ...]  # None for a number
    zero_is_missing: list[bool]
    root: list[int]
    first_output: list[int]
    feature: list[int]  # −1 in a leaf
    threshold: list[float]  # the largest number that goes left; 0 where there is none
    left: list[int]
    right: list[int]
    missing_left: list[bool]
    unseen_left: list[bool]
    members: list[tuple[int, ...]]  # codes that go left at a split of a category
    value: list[list[float]]
    baseline: list[float]


def model_tables(ensemble: Ensemble) -> ModelTables:
    """Plain numbers of an ensemble; refused if the levels of a category have no labels."""
    check_writable(ensemble)
    features = ensemble.features
    sets = [
        tuple(int(code) for code in unpack_set(ensemble.set_bits[first:last]).nonzero()[0])
        for first, last in zip(ensemble.set_start[:-1], ensemble.set_start[1:], strict=True)
    ]
    inner = ensemble.feature >= 0
    numeric = inner & (ensemble.category_set < 0)
    return ModelTables(
        names=features.names,
        levels=tuple(labels if labels else None for labels in features.categories),
        zero_is_missing=features.zero_is_missing.tolist(),
        root=ensemble.tree_start[:-1].tolist(),
        first_output=ensemble.tree_output.tolist(),
        feature=ensemble.feature.tolist(),
        threshold=[float(t) if is_number else 0.0 for t, is_number in zip(ensemble.threshold, numeric, strict=True)],
        left=ensemble.left.tolist(),
        right=ensemble.right.tolist(),
        missing_left=ensemble.missing_left.tolist(),
        unseen_left=ensemble.unseen_left.tolist(),
        members=[sets[k] if k >= 0 else () for k in ensemble.category_set.tolist()],
        value=[row if leaf else [] for row, leaf in zip(ensemble.value.tolist(), ~inner, strict=True)],
        baseline=ensemble.baseline.tolist(),
    )


def check_writable(ensemble: Ensemble) -> None:
    """Refuse a model whose levels have no labels, or whose link is not known."""
    features = ensemble.features
    hashes = features.hashes or (None,) * len(features)
    for name, labels, known in zip(features.names, features.categories, hashes, strict=True):
        if known is not None and any(isinstance(label, str) and label.startswith("#") for label in labels or ()):
            raise UnsupportedModelError(
                f"only hashes of the levels of feature {name!r} are known; read the model with rows, gw.read(model, X)"
            )
    if ensemble.link.kind is LinkKind.NONE:
        raise UnsupportedModelError(f"how {ensemble.source.objective!r} turns raw into a prediction is not known")
