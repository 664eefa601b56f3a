"""Pipelines: transformers and a model, read as one model of the caller's columns."""

import dataclasses
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, FeatureSchema, Provenance, build_ensemble, join_names, restate
from glasswood.errors import UnsupportedModelError
from glasswood.readers.pipelines._compose import Followed, follow_steps
from glasswood.readers.pipelines._derived import Derived, derive
from glasswood.readers.pipelines._expand import expanded
from glasswood.readers.pipelines._inner import read_inner, sklearn_version
from glasswood.readers.pipelines._sources import Sources, UnsettledError, settle
from glasswood.readers.pipelines._split_translation import (
    EXACT_ZERO,
    NEAR_ZERO,
    NO_ZERO,
    columns_missing,
    node_arrays,
    split_arrays,
    translate_splits,
)
from glasswood.readers.pipelines._steps import flat_steps, input_columns
from glasswood.readers.pipelines._tracks import Mixing, Track


def final_step(model: Any) -> Any:
    """The model at the end of a pipeline."""
    last = flat_steps(model)[-1]
    if last is None or isinstance(last, str) or not hasattr(last, "predict"):
        raise UnsupportedModelError("this Pipeline ends in a transformer, not in a model; there is nothing to explain")
    return last


def read_pipeline(model: Any, written: bytes | None = None) -> Ensemble:
    """Read the last step and express its splits in the columns before the other steps, as far as they can."""
    last, steps = final_step(model), flat_steps(model)[:-1]
    inner = read_inner(last, written)
    if inner.features.derivation is not None:
        raise UnsupportedModelError(
            f"the last step of this Pipeline, {type(last).__name__}, holds a pipeline that computes features; read "
            "that one with the table it sees: gw.read(pipeline[-1], pipeline[:-1].transform(X))"
        )
    names, named = input_columns(model)
    table = Followed(tuple(Track(j) for j in range(len(names))))
    table = follow_steps(steps, table, len(inner.features))
    if len(table.tracks) != len(inner.features):
        raise UnsupportedModelError(
            f"the steps give {len(table.tracks)} columns and {type(last).__name__} was fitted on "
            f"{len(inner.features)}; fit the pipeline again"
        )
    tracks = list(table.tracks)
    while True:
        try:
            derived = derive(steps, names, named, tracks, inner.features)
            sources = settle(derived.names, derived.named, derived.tracks, inner.features)
            break
        except UnsettledError as error:
            unsettled = derived.origin[error.source]
            tracks = [replace(t, mixed=Mixing("Pipeline", str(error))) if t.source == unsettled else t for t in tracks]
    return _assembled(model, inner, sources, table.sparse, derived)


def _assembled(model: Any, inner: Ensemble, sources: Sources, sparse: bool, derived: Derived) -> Ensemble:
    zeros, as_missing = _zeros(inner, sources, sparse)
    splits = translate_splits(inner, sources, zeros)
    source = _provenance(model, inner, sources, as_missing, derived.note)
    features = dataclasses.replace(_schema(inner, sources, as_missing), derivation=derived.derivation)
    if not splits.steps:
        return restate(inner, split_arrays(inner, splits), splits.swapped, features=features, source=source)
    several = join_names(dict.fromkeys(repr(sources.names[splits.feature[node]]) for node in splits.steps))
    note = f"splits of {several} need several cuts each, so the trees have more nodes and no weights"
    return build_ensemble(
        **expanded(inner, splits, node_arrays(inner, splits)),
        baseline=inner.baseline,
        link=inner.link,
        features=features,
        outputs=inner.outputs,
        source=dataclasses.replace(source, weight_kind="none", notes=(*source.notes, note)),
    )


def _zeros(inner: Ensemble, sources: Sources, sparse: bool) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Zeros of each transformed column that the model treats as missing, and table columns in which zeros are missing.

    XGBoost treats values that a sparse matrix does not store as missing. A column that reaches the model unchanged has
    a flag for this in its schema.
    """
    as_xgboost = sparse and inner.source.library == "XGBoost"
    zeros = np.where(inner.features.zero_is_missing, NEAR_ZERO, EXACT_ZERO if as_xgboost else NO_ZERO).astype(np.int8)
    uses = np.bincount([track.source for track in sources.tracks], minlength=len(sources.names))
    as_missing = np.zeros(len(sources.names), dtype=bool)
    for k, track in enumerate(sources.tracks):
        alone = track.is_plain and uses[track.source] == 1 and inner.features.categories[k] is None
        if zeros[k] != NO_ZERO and alone:
            as_missing[track.source], zeros[k] = True, NO_ZERO
    return zeros, as_missing


def _schema(inner: Ensemble, sources: Sources, as_missing: NDArray[np.bool_]) -> FeatureSchema:
    n, features = len(sources.names), inner.features
    stays = columns_missing(sources.tracks)
    routed = np.zeros(n, dtype=bool)
    for k, track in enumerate(sources.tracks):
        refused = track.encoded is not None and track.encoded.missing_refused
        routed[track.source] |= features.missing_routed[k] if stays[k] else not refused
    routed |= np.array([code is not None for code in sources.filled], dtype=bool)
    coded = np.array([k is not None and bool(features.coded[k]) for k in sources.direct], dtype=bool)
    hashes: Sequence[tuple[int, ...] | None] = [
        features.hashes[k] if k is not None and features.hashes else None for k in sources.direct
    ]
    return FeatureSchema(
        names=sources.names,
        named=sources.named,
        categories=sources.labels,
        coded=coded,
        missing_routed=routed | as_missing,
        zero_is_missing=as_missing,
        hashes=tuple(hashes) if any(known is not None for known in hashes) else (),
    )


def _provenance(
    model: Any, inner: Ensemble, sources: Sources, as_missing: NDArray[np.bool_], derived: str | None
) -> Provenance:
    """Source of the model; notes say what was computed, and what the ensemble accepts and scikit-learn refuses."""
    notes = [*inner.source.notes, *([] if derived is None else [derived])]
    unseen, missing, none = dict[str, None](), dict[str, None](), dict[str, None]()
    for track in sources.tracks:
        name = repr(sources.names[track.source])
        if track.encoded is not None and track.encoded.unseen_refused:
            unseen[name] = None
        if track.encoded is not None and track.encoded.missing_refused:
            missing[name] = None
        if track.encoded is not None and track.encoded.none_learnt:
            none[name] = None
    if unseen:
        notes.append(f"scikit-learn refuses rows with a level it has not seen in {join_names(unseen)}")
    if missing:
        notes.append(f"scikit-learn refuses rows with a missing value in {join_names(missing)}")
    if none:
        notes.append(f"missing values of {join_names(none)} are None to scikit-learn, not NaN")
    zero = [repr(name) for name, flag in zip(sources.names, as_missing, strict=True) if flag]
    if zero and not inner.features.zero_is_missing.any():
        notes.append(f"0 is missing in {join_names(zero)}: XGBoost takes what a sparse matrix leaves out for missing")
    return dataclasses.replace(
        inner.source,
        model=f"{type(model).__name__} of {inner.source.model}",
        version=f"{inner.source.version} in scikit-learn {sklearn_version()}"
        if inner.source.library != "scikit-learn"
        else inner.source.version,
        notes=tuple(notes),
    )
