"""Votes: meta-estimators that predict the mean of several models, or have one model per class."""

import dataclasses
from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import (
    IDENTITY,
    NO_LINK,
    OVA,
    Ensemble,
    FeatureSchema,
    Link,
    LinkKind,
    Provenance,
    WeightKind,
    holds_shares,
    join,
    placed,
    unite,
)
from glasswood.errors import UnsupportedModelError
from glasswood.readers._oracle import Oracle
from glasswood.readers._override import library_method
from glasswood.readers.pipelines._ask import predicted, rows_for
from glasswood.readers.pipelines._inner import inner_reader, read_inner, sklearn_version
from glasswood.readers.pipelines._kind import Kind
from glasswood.readers.pipelines._meta_estimators import fitted, noted
from glasswood.tables import Table, class_names


def _members(model: Any) -> list[Any]:
    members = list(fitted(model, "estimators_"))
    if getattr(model, "voting", "soft") == "hard":
        raise UnsupportedModelError(
            f"this {type(model).__name__} counts votes, which is not a sum over trees; fit it with voting='soft', or "
            "read the members from estimators_"
        )
    return members


def _shares_of_votes(model: Any, n: int) -> NDArray[np.float64]:
    """Share of each member in the mean."""
    if model.weights is None:
        return np.full(n, 1.0 / n)
    # the weight of a dropped member is not used
    kept = [
        weight
        for (_, member), weight in zip(model.estimators, model.weights, strict=True)
        if not (isinstance(member, str) and member == "drop")
    ]
    weights = np.asarray(kept, dtype=np.float64)
    return np.asarray(weights / weights.sum())


def _read_votes(model: Any, content: bytes | None) -> Ensemble:
    members = _members(model)
    parts = [read_inner(member) for member in members]
    _check_sums(model, members, parts)
    return _mean(
        model,
        [
            dataclasses.replace(part, value=part.value * share, baseline=part.baseline * share)
            for part, share in zip(parts, _shares_of_votes(model, len(parts)), strict=True)
        ],
    )


def _check_sums(model: Any, members: Sequence[Any], parts: Sequence[Ensemble]) -> None:
    """Raise `UnsupportedModelError` if the mean of the predictions is not a sum over trees."""
    of_classes = getattr(model, "classes_", None) is not None
    for member, part in zip(members, parts, strict=True):
        if part.link.kind is not LinkKind.IDENTITY or (of_classes and not holds_shares(part)):
            raise UnsupportedModelError(
                f"this {type(model).__name__} averages predictions of a {type(member).__name__}, which turns raw into "
                f"predictions by a link ({part.link}), so that the mean is not a sum over trees; read the members from "
                "estimators_"
            )


def _mean(model: Any, scaled: Sequence[Ensemble]) -> Ensemble:
    """The members, whose values are already multiplied by their shares, as one ensemble."""
    classes = getattr(model, "classes_", None)
    outputs = scaled[0].outputs if classes is None else class_names(classes[1:] if len(classes) == 2 else classes)
    baseline = reduce(np.add, [part.baseline for part in scaled])
    # this objective is not the name of a forest, in which all trees have equal weights
    return _joined(model, scaled, baseline, IDENTITY, outputs, f"mean of {scaled[0].source.objective}")


def _bagged(model: Any) -> list[Any]:
    return list(fitted(model, "estimators_"))


def _read_bag(model: Any, content: bytes | None) -> Ensemble:
    """The mean of bagged models, each of which may see only some of the features."""
    members = _bagged(model)
    classes = getattr(model, "classes_", None)
    parts = [read_inner(member) for member in members]
    _check_sums(model, members, parts)
    for member in members:
        if classes is not None and len(member.classes_) != len(classes):
            raise UnsupportedModelError(
                f"a member of this {type(model).__name__} knows {len(member.classes_)} of {len(classes)} classes; read "
                "the members one by one from estimators_"
            )
    return _mean(
        model,
        [
            dataclasses.replace(
                _with_all_features(model, part, k), value=part.value / len(parts), baseline=part.baseline / len(parts)
            )
            for k, part in enumerate(parts)
        ],
    )


def _with_all_features(model: Any, part: Ensemble, k: int) -> Ensemble:
    """A member with the features of the whole bag."""
    places, n = np.asarray(model.estimators_features_[k]), int(model.n_features_in_)
    if np.array_equal(places, np.arange(n)):
        return part
    if part.features.is_category.any() or part.features.zero_is_missing.any() or part.features.derivation is not None:
        raise UnsupportedModelError(
            f"the members of this {type(model).__name__} see some of the columns only, and not as plain numbers; read "
            "the members one by one from estimators_"
        )
    routed = np.zeros(n, dtype=bool)
    routed[places] = part.features.missing_routed
    features = FeatureSchema.numeric(FeatureSchema.positions(n), named=False, missing_routed=routed)
    moved = np.where(part.feature < 0, -1, places[part.feature]).astype(np.int32)
    return dataclasses.replace(part, feature=moved, features=features)


def _ask_bag(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    rows, asked_with = rows_for(model, ensemble, X)
    matrix = np.asarray(rows)
    oracles = [
        inner_reader(member).ask(member, read_inner(member), matrix[:, places])
        for member, places in zip(_bagged(model), model.estimators_features_, strict=True)
    ]
    return _answered(model, ensemble, rows, oracles, asked_with)


def _per_class(model: Any) -> list[Any]:
    members = list(fitted(model, "estimators_"))
    for member in members:
        if not hasattr(member, "classes_") or len(member.classes_) != 2:
            raise UnsupportedModelError(
                f"this {type(model).__name__} holds a {type(member).__name__} for a class that all or no rows have; "
                "leave that class out and fit again"
            )
    return members


def _read_per_class(model: Any, content: bytes | None) -> Ensemble:
    parts = [read_inner(member) for member in _per_class(model)]
    links = {part.link for part in parts}
    if len(links) > 1 or any(part.n_outputs != 1 for part in parts):
        raise UnsupportedModelError(
            f"the members of this {type(model).__name__} are of different kinds; read them one by one from estimators_"
        )
    link, outputs = next(iter(links)), class_names(model.classes_)
    if len(parts) == 1:
        return _joined(model, parts, parts[0].baseline, link, outputs[-1:], parts[0].source.objective)
    several = [
        dataclasses.replace(part, tree_output=np.full(part.n_trees, k, dtype=np.int32)) for k, part in enumerate(parts)
    ]
    baseline = np.concatenate([part.baseline for part in parts])
    joined = _joined(model, several, baseline, _link(model, link), outputs, f"one vs rest, {parts[0].source.objective}")
    if model.multilabel_:
        return joined
    note = (
        f"raw is that of one classifier per class, whose probabilities {type(model).__name__} divides by their sum, so "
        "predict is refused"
    )
    return noted(joined, note)


def _link(model: Any, link: Link) -> Link:
    """Link of one model per class; none if scikit-learn normalises the probabilities of a single label."""
    if not model.multilabel_:
        return NO_LINK
    return dataclasses.replace(OVA, scale=link.scale) if link.kind is LinkKind.LOGIT else link


def _joined(
    model: Any,
    parts: Sequence[Ensemble],
    baseline: NDArray[np.float64],
    link: Link,
    outputs: tuple[str, ...],
    objective: str,
) -> Ensemble:
    """The trees of all members as one ensemble."""
    members = _on_one_schema(model, parts)
    kinds: set[WeightKind] = {part.source.weight_kind for part in parts}
    source = Provenance(
        library="scikit-learn",
        version=sklearn_version(),
        model=f"{type(model).__name__} of {', '.join(dict.fromkeys(part.source.model for part in parts))}",
        objective=objective,
        weight_kind=kinds.pop() if len(kinds) == 1 else "none",
        notes=tuple(dict.fromkeys(note for part in parts for note in part.source.notes)),
    )
    alike = [
        dataclasses.replace(
            part,
            source=source,
            link=link,
            baseline=baseline,
            outputs=outputs,
            weight=part.weight if source.weight_kind != "none" else np.full(part.n_nodes, np.nan),
        )
        for part in members
    ]
    return join(*alike)


def _on_one_schema(model: Any, parts: Sequence[Ensemble]) -> list[Ensemble]:
    """The members with the same features, levels and names."""
    shared = _shared([part.features for part in parts])
    if shared is None:
        try:
            schema, places = unite(*parts)
        except UnsupportedModelError as error:
            # what follows the reason is advice for models that were fitted by themselves
            reason = str(error).partition(";")[0]
            raise UnsupportedModelError(
                f"the members of this {type(model).__name__} read the columns of the table differently: {reason}; read "
                "the members one by one from estimators_"
            ) from error
        schema = _with_names(model, schema)
        return [
            dataclasses.replace(part, features=schema, **placed(part, place, schema))
            for part, place in zip(parts, places, strict=True)
        ]
    schema = _with_names(model, shared)
    return [dataclasses.replace(part, features=schema) for part in parts]


def _shared(schemas: Sequence[FeatureSchema]) -> FeatureSchema | None:
    """The schema of all members, where they differ in names and in the ways of missing values at most."""
    first = schemas[0]
    for other in schemas[1:]:
        alike = len(other) == len(first) and (other.categories, other.hashes) == (first.categories, first.hashes)
        alike = alike and _key(other) == _key(first)
        if not alike or np.any(other.coded != first.coded) or np.any(other.zero_is_missing != first.zero_is_missing):
            return None
    routed = reduce(np.logical_or, [schema.missing_routed for schema in schemas])
    return dataclasses.replace(first, missing_routed=routed)


def _with_names(model: Any, schema: FeatureSchema) -> FeatureSchema:
    """The schema with the names of the table, which LightGBM rewrites."""
    names = getattr(model, "feature_names_in_", None)
    given = schema.names if names is None or schema.derivation is not None else tuple(str(name) for name in names)
    if given == schema.names:
        return schema
    return dataclasses.replace(schema, names=given, named=True, underscored=False)


def _key(schema: FeatureSchema) -> bytes:
    """What computes the features that are not columns of the table."""
    return b"" if schema.derivation is None else schema.derivation.key


def _ask_members(model: Any, X: Table, members: Sequence[Any]) -> list[Oracle]:
    return [inner_reader(member).ask(member, read_inner(member), X) for member in members]


def _together(raw: NDArray[np.float64], oracles: Sequence[Oracle]) -> Oracle:
    leaves = [oracle.leaves for oracle in oracles if oracle.leaves is not None]
    return Oracle(
        raw=raw.reshape(len(raw), -1),
        leaves=np.hstack(leaves) if len(leaves) == len(oracles) else None,
        unit=max(oracle.unit for oracle in oracles),
    )


def _ask_votes(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    rows, asked_with = rows_for(model, ensemble, X)
    return _answered(model, ensemble, rows, _ask_members(model, rows, _members(model)), asked_with)


def _answered(model: Any, ensemble: Ensemble, rows: Any, oracles: Sequence[Oracle], asked_with: str | None) -> Oracle:
    """The mean as scikit-learn computes it, and the leaves of the members."""
    method = "predict" if not hasattr(model, "classes_") else "predict_proba"
    raw = np.asarray(library_method(model, method)(rows), dtype=np.float64)
    raw = raw[:, 1:] if raw.ndim == 2 and ensemble.n_outputs == 1 else raw
    oracle = _together(raw, oracles)
    return oracle if asked_with is None else dataclasses.replace(oracle, asked_with=asked_with)


def _ask_per_class(model: Any, ensemble: Ensemble, X: Table) -> Oracle:
    oracles = _ask_members(model, X, _per_class(model))
    return _together(np.hstack([oracle.raw for oracle in oracles]), oracles)


VOTES = Kind(_members, _read_votes, _ask_votes, predicted, lambda model: (model.weights, model.estimators))
PER_CLASS = Kind(_per_class, _read_per_class, _ask_per_class, predicted, lambda model: model.classes_)
BAG = Kind(
    _bagged,
    _read_bag,
    _ask_bag,
    predicted,
    lambda model: (model.estimators_features_, getattr(model, "classes_", None)),
)
