"""Meaning: objective, link, classes and features from the metadata of a CatBoost file."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import (
    IDENTITY,
    LOG,
    LOGIT,
    NO_LINK,
    OVA,
    SOFTMAX,
    FeatureSchema,
    Label,
    Link,
    Provenance,
    join_names,
)
from glasswood.errors import ModelFileError
from glasswood.readers._levels import HASH_NOTE, hash_label
from glasswood.readers.catboost._model_content import CategoryFeature, FloatFeature, ModelContent
from glasswood.tables import class_labels

_DIVIDED_NOTE = (
    "node weights are unknown: leaves were divided to split combinations of categories one feature at a time, and the "
    "file does not tell the training rows of each part"
)
_MAX_COLUMNS = 2**20  # a file may name any column number; this many names still fit into memory easily

# how CatBoost's predict treats raw: among regressors it exponentiates only Poisson and Tweedie
_LINKS: dict[str, Link] = {
    **dict.fromkeys(("Poisson", "Tweedie"), LOG),
    **dict.fromkeys(("Logloss", "CrossEntropy", "Focal"), LOGIT),
    "MultiClass": SOFTMAX,
    **dict.fromkeys(("MultiClassOneVsAll", "MultiLogloss", "MultiCrossEntropy"), OVA),
    **dict.fromkeys(
        (
            "RMSE", "MAE", "MAPE", "RMSPE", "Lq", "Huber", "Expectile", "LogCosh", "Quantile", "LogLinQuantile",
            "GroupQuantile", "MultiQuantile", "MultiRMSE", "MultiRMSEWithMissingValues", "Cox", "SurvivalAft",
            "PairLogit", "PairLogitPairwise", "YetiRank", "YetiRankPairwise", "QueryRMSE", "QuerySoftMax",
            "QueryCrossEntropy", "StochasticRank", "StochasticFilter", "LambdaMart",
        ),
        IDENTITY,
    ),
}  # fmt: skip
_CLASSES = {
    "Logloss",
    "CrossEntropy",
    "Focal",
    "MultiClass",
    "MultiClassOneVsAll",
    "MultiLogloss",
    "MultiCrossEntropy",
}

_SEVERAL_TARGETS = {"MultiLogloss", "MultiCrossEntropy", "MultiRMSE", "MultiRMSEWithMissingValues"}


def loss_of(info: Any) -> tuple[str, str]:
    """Name of the loss, and the objective as CatBoost writes it, such as `Quantile:alpha=0.3`."""
    params = info.get("params")
    loss = params.get("loss_function") if isinstance(params, dict) else None
    if not isinstance(loss, dict) or not isinstance(loss.get("type"), str):
        return "", "unknown"
    given = loss.get("params")
    options = given.items() if isinstance(given, dict) else ()
    shown = ";".join(f"{key}={value}" for key, value in options if not key.startswith("__"))
    return loss["type"], f"{loss['type']}:{shown}" if shown else loss["type"]


def link_of(loss: str) -> Link:
    """Link of a loss; no link if it is not known how CatBoost predicts."""
    return _LINKS.get(loss, NO_LINK)


def outputs_of(info: Any, loss: str, dimension: int) -> tuple[str, ...]:
    """Names of the outputs: with two classes the second, with more all of them, or the targets."""
    if loss in _CLASSES:
        labels, places = _declared_classes(info)
        names = tuple(str(label) for label in labels)
        if dimension == 1:
            return (names[1],) if len(names) == 2 else ("1",)
        if len(places) == dimension:
            names = tuple(names[place] for place in places)
        if len(set(names)) == dimension == len(names) and loss != "MultiLogloss":
            return names
    return ("y",) if dimension == 1 else tuple(f"y{k}" for k in range(dimension))


def classes_of(info: Any, loss: str, dimension: int) -> tuple[Label, ...]:
    """Labels of the classes in the order of the outputs; empty if the file does not tell, or for several targets.

    A class without training rows has no output.
    """
    labels, places = _declared_classes(info)
    if loss not in _CLASSES or loss in _SEVERAL_TARGETS:
        return ()
    if dimension > 1 and len(places) == dimension:
        labels = tuple(labels[place] for place in places)
    return labels if len(labels) == max(dimension, 2) else ()


def _declared_classes(info: Any) -> tuple[tuple[Label, ...], tuple[int, ...]]:
    """Labels of the classes with which a model was declared, and the positions of those that occurred in training.

    The positions are empty if the file does not tell them, or if their form is not known.
    """
    options = info.get("class_params") or info.get("multiclass_params")
    options = options if isinstance(options, dict) else {}
    seen, count = options.get("class_to_label"), options.get("classes_count")
    seen = seen if isinstance(seen, list) else []
    labels = options.get("class_names")
    if not isinstance(labels, list) or not labels:
        if not isinstance(count, int) or not 0 < count <= _MAX_COLUMNS:
            return class_labels(seen), tuple(range(len(seen)))
        labels = list(range(count))
    inside = all(isinstance(place, int) and 0 <= place < len(labels) for place in seen)
    return class_labels(labels), tuple(seen) if inside and len(set(seen)) == len(seen) else ()


def _never_seen(info: Any, loss: str, dimension: int) -> tuple[str, ...]:
    """Declared classes without training rows: CatBoost gives them a raw of −∞ and the probability 0."""
    labels, places = _declared_classes(info)
    if loss not in _CLASSES or dimension == 1 or len(places) != dimension:
        return ()
    return tuple(str(label) for place, label in enumerate(labels) if place not in places)


def provenance_of(parts: ModelContent, model: str, objective: str, *, weighed: bool) -> Provenance:
    """Source of the model; `weighed`: its nodes have weights."""
    loss = loss_of(parts.info)[0]
    never_seen = _never_seen(parts.info, loss, parts.dimension)
    found = re.search(r"v?(\d+\.\d+(?:\.\d+)*)", str(parts.info.get("catboost_version_info", "")))
    nameless = any(
        label == hash_label(known)
        for feature in parts.categories
        for label, known in zip(_labels(feature, parts), feature.hashes, strict=True)
    )
    notes = [HASH_NOTE] if nameless else []
    if len(parts.leaf_weights) and not weighed:
        notes.append(_DIVIDED_NOTE)
    if never_seen:
        notes.append(f"classes without a training row, whose probability is always 0: {join_names(never_seen)}")
    return Provenance(
        library="CatBoost",
        version=found.group(1) if found else "unknown",
        model=model,
        objective=objective,
        weight_kind="weights" if weighed else "none",
        notes=tuple(notes),
        classes=classes_of(parts.info, loss, parts.dimension),
        n_targets=parts.dimension if loss in _SEVERAL_TARGETS else 1,
    )


def schema_of(parts: ModelContent) -> tuple[FeatureSchema, NDArray[np.int64]]:
    """Schema, and the position in it of every float feature, then of every category.

    If unused features were dropped from a file, the others keep their column numbers. Without names, columns are
    matched by position, so the dropped columns must stay in the schema; with names they are left out.
    """
    features = parts.features
    flat = np.array([feature.flat_index for feature in features], dtype=np.int64)
    if flat.size and (flat.min() < 0 or flat.max() >= _MAX_COLUMNS or len(np.unique(flat)) < len(flat)):
        raise ModelFileError("its column numbers are not distinct numbers from 0")
    named = any(feature.name for feature in features)
    place = np.argsort(np.argsort(flat)) if named else flat
    n = len(flat) if named else int(flat.max(initial=-1)) + 1
    names = list(FeatureSchema.positions(n))
    routed = np.zeros(n, dtype=bool)
    categories: list[tuple[str, ...] | None] = [None] * n
    hashes: list[tuple[int, ...] | None] = [None] * n
    for feature, j in zip(features, place.tolist(), strict=True):
        if named:
            names[j] = feature.name or str(feature.flat_index)
        if isinstance(feature, FloatFeature):
            routed[j] = feature.missing_routed
        else:
            categories[j] = _labels(feature, parts)
            hashes[j] = feature.hashes
    schema = FeatureSchema(
        names=tuple(names),
        named=named,
        categories=tuple(categories),
        coded=np.zeros(n, dtype=bool),
        missing_routed=routed,
        zero_is_missing=np.zeros(n, dtype=bool),
        hashes=tuple(hashes) if parts.categories else (),
    )
    return schema, place


def _labels(feature: CategoryFeature, parts: ModelContent) -> tuple[str, ...]:
    """Texts of the levels; for some of them the file may have only the hash."""
    labels = [parts.texts.get(known, hash_label(known)) for known in feature.hashes]
    if len(feature.labels) == feature.n_split_off:
        labels[: feature.n_split_off] = feature.labels
    return tuple(labels)
