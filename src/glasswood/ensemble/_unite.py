"""unite: the features of several models as one schema, and where each model's features and levels are in it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._category_hash import as_text, text_hash
from glasswood.ensemble._derivation import Derivation
from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._label import join_names
from glasswood.ensemble._place import Place
from glasswood.ensemble._schema import FeatureSchema
from glasswood.errors import UnsupportedModelError
from glasswood.tables import Label

Levels = tuple[Label, ...]
Hashes = tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Used:
    """The features of one model or several, and on which of them a tree splits."""

    features: FeatureSchema
    used: NDArray[np.bool_]

    @classmethod
    def by(cls, model: Ensemble) -> "_Used":
        used = np.zeros(len(model.features), dtype=bool)
        used[model.feature[model.feature >= 0]] = True
        return cls(model.features, used)


@dataclass(frozen=True, slots=True, eq=False)
class _Kind:
    """What one feature of the united schema is, and the new codes of the levels of both models."""

    levels: Levels | None
    hashes: Hashes | None
    coded: bool
    zero_is_missing: bool
    missing_routed: bool
    codes: tuple[NDArray[np.int64] | None, NDArray[np.int64] | None]


def unite(*models: Ensemble) -> tuple[FeatureSchema, list[Place]]:
    """Join features by name (by position if one model has no names) and unite their levels.

    The places are those of the models, in their order.
    """
    groups: list[_Used] = []  # models that share a schema
    group_of = []
    for model in models:
        own = _Used.by(model)
        found = next((k for k, group in enumerate(groups) if _same(group.features, own.features)), len(groups))
        group_of.append(found)
        if found == len(groups):
            groups.append(own)
        else:
            groups[found] = _Used(own.features, groups[found].used | own.used)
    together = groups[0]
    levels = [None if known is None else np.arange(len(known)) for known in together.features.categories]
    places = [Place(np.arange(len(together.features), dtype=np.int32), tuple(levels))]
    for other in groups[1:]:
        together, earlier, later = _unite_two(together, other)
        places = [*(place.then(earlier) for place in places), later]
    return together.features, [places[k] for k in group_of]


def _same(a: FeatureSchema, b: FeatureSchema) -> bool:
    keys = [None if schema.derivation is None else schema.derivation.key for schema in (a, b)]
    return a is b or (a == b and keys[0] == keys[1])


def _unite_two(a: _Used, b: _Used) -> tuple[_Used, Place, Place]:
    derivation = _same_derivation(a.features, b.features)
    names, of_a, of_b = _match(a.features, b.features)
    kinds = [_kind(name, a, i, b, j) for name, i, j in zip(names, of_a, of_b, strict=True)]
    schema = FeatureSchema(
        names=tuple(names),
        named=a.features.named or b.features.named,
        categories=tuple(kind.levels for kind in kinds),
        coded=np.array([kind.coded for kind in kinds], dtype=bool),
        missing_routed=np.array([kind.missing_routed for kind in kinds], dtype=bool),
        zero_is_missing=np.array([kind.zero_is_missing for kind in kinds], dtype=bool),
        hashes=tuple(kind.hashes for kind in kinds) if any(kind.hashes is not None for kind in kinds) else (),
        underscored=a.features.underscored or b.features.underscored,
        derivation=derivation,
    )
    places = _place(a, of_a, kinds, 0), _place(b, of_b, kinds, 1)
    used = np.zeros(len(schema), dtype=bool)
    for model, place in zip((a, b), places, strict=True):
        used[place.feature] |= model.used
    return _Used(schema, used), *places


def _same_derivation(a: FeatureSchema, b: FeatureSchema) -> Derivation | None:
    """How the features of both models are computed."""
    found = [schema.derivation for schema in (a, b) if schema.derivation is not None]
    if not found:
        return None
    if len({derivation.key for derivation in found}) > 1 or a.names != b.names:
        computed = join_names(map(repr, dict.fromkeys(name for derivation in found for name in derivation.names)))
        raise UnsupportedModelError(
            f"the models do not share their features: steps of a pipeline compute {computed} for one of them in its "
            "own way; fit both models behind the same fitted steps"
        )
    return found[0]


def _place(model: _Used, found: Sequence[int | None], kinds: Sequence[_Kind], side: int) -> Place:
    feature = np.zeros(len(model.features), dtype=np.int32)
    codes: list[NDArray[np.int64] | None] = [None] * len(model.features)
    for new, old in enumerate(found):
        if old is not None:
            feature[old], codes[old] = new, kinds[new].codes[side]
    return Place(feature, tuple(codes))


def _match(a: FeatureSchema, b: FeatureSchema) -> tuple[list[str], list[int | None], list[int | None]]:
    """Names of the united features, and the position of each in both models."""
    if not (a.named and b.named):
        if len(a) != len(b):
            raise UnsupportedModelError(
                f"one model has no feature names, so features are matched by position, but one model has {len(a)} "
                f"and the other {len(b)}; fit both on tables with names"
            )
        places: list[int | None] = list(range(len(a)))
        return list(b.names if b.named else a.names), places, places

    def written(name: str) -> str:
        return name.replace(" ", "_") if a.underscored or b.underscored else name

    of_a, of_b = ({written(name): k for k, name in enumerate(schema.names)} for schema in (a, b))
    if len(of_a) < len(a) or len(of_b) < len(b):
        raise UnsupportedModelError("two features have names that differ only in spaces and underscores; rename one")
    keys = list(dict.fromkeys([*of_a, *of_b]))
    # LightGBM writes underscores; the other model may have the name as the table has it
    first, second = (b, of_b), (a, of_a)
    if not a.underscored:
        first, second = second, first
    names = [first[0].names[first[1][key]] if key in first[1] else second[0].names[second[1][key]] for key in keys]
    return names, [of_a.get(key) for key in keys], [of_b.get(key) for key in keys]


def _kind(name: str, a: _Used, i: int | None, b: _Used, j: int | None) -> _Kind:
    # a model that never splits on a feature fits any kind of it
    if i is not None and j is not None and not _alike(a.features, i, b.features, j):
        used = [bool(model.used[k]) for model, k in ((a, i), (b, j))]
        if all(used):
            raise UnsupportedModelError(_unlike(name, a.features, i, b.features, j))
        if used[1]:
            return _alone(b.features, j, 1)
        return _alone(a.features, i, 0)
    if j is None:
        return _alone(a.features, i or 0, 0)
    if i is None:
        return _alone(b.features, j, 1)
    routed = bool(a.features.missing_routed[i] or b.features.missing_routed[j])
    zero, coded = bool(a.features.zero_is_missing[i]), bool(a.features.coded[i])
    mine, theirs = a.features.categories[i], b.features.categories[j]
    if mine is None or theirs is None:
        return _Kind(None, None, coded, zero, routed, (None, None))
    if coded:
        longer = max(mine, theirs, key=len)
        return _Kind(longer, None, True, zero, routed, (np.arange(len(mine)), np.arange(len(theirs))))
    hashed = [_hashes(model.features, k) for model, k in ((a, i), (b, j))]
    if hashed[0] is None and hashed[1] is None:
        levels = tuple(dict.fromkeys([*mine, *theirs]))
        at: dict[Label, int] = {label: code for code, label in enumerate(levels)}
        codes = tuple(np.array([at[label] for label in known], dtype=np.int64) for known in (mine, theirs))
        return _Kind(levels, None, False, zero, routed, (codes[0], codes[1]))
    return _by_hash(name, (mine, theirs), hashed, zero, routed)


def _by_hash(
    name: str, levels: tuple[Levels, Levels], hashed: Sequence[Hashes | None], zero: bool, routed: bool
) -> _Kind:
    """Unite levels of which one model knows only the hash of the text."""
    both = [
        known if known is not None else tuple(text_hash(as_text(label)) for label in labels)
        for labels, known in zip(levels, hashed, strict=True)
    ]
    if any(len(set(known)) < len(known) for known in both):
        raise UnsupportedModelError(f"two levels of feature {name!r} have the same hash, so they cannot be told apart")
    label_of: dict[int, Label] = {}
    for labels, known in zip(levels, both, strict=True):
        for label, found in zip(labels, known, strict=True):
            label_of.setdefault(found, label)
    if len(set(label_of.values())) < len(label_of):
        raise UnsupportedModelError(f"the levels of feature {name!r} have other texts in the two models")
    at = {found: code for code, found in enumerate(label_of)}
    codes = [np.array([at[found] for found in known], dtype=np.int64) for known in both]
    return _Kind(tuple(label_of.values()), tuple(label_of), False, zero, routed, (codes[0], codes[1]))


def _alone(features: FeatureSchema, k: int, side: int) -> _Kind:
    """A feature that only one of the models uses."""
    levels = features.categories[k]
    codes = None if levels is None else np.arange(len(levels))
    return _Kind(
        levels,
        _hashes(features, k),
        bool(features.coded[k]),
        bool(features.zero_is_missing[k]),
        bool(features.missing_routed[k]),
        (codes, None) if side == 0 else (None, codes),
    )


def _hashes(features: FeatureSchema, k: int) -> Hashes | None:
    return features.hashes[k] if features.hashes else None


def _alike(a: FeatureSchema, i: int, b: FeatureSchema, j: int) -> bool:
    same_kind = (a.categories[i] is None) == (b.categories[j] is None)
    return same_kind and a.coded[i] == b.coded[j] and a.zero_is_missing[i] == b.zero_is_missing[j]


def _unlike(name: str, a: FeatureSchema, i: int, b: FeatureSchema, j: int) -> str:
    if (a.categories[i] is None) != (b.categories[j] is None):
        kinds = join_names("a number" if model.categories[k] is None else "a category" for model, k in ((a, i), (b, j)))
        return f"feature {name!r} is {kinds.replace(', ', ' in one model and ')} in the other; fit both on one table"
    if a.coded[i] != b.coded[j]:
        return (
            f"feature {name!r}: one model knows its levels and the other only their codes; "
            "read the other with a table, gw.read(model, X), which names its levels"
        )
    return f"feature {name!r}: one model takes 0 for missing and the other does not"
