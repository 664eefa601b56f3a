"""Document: perpetual's JSON, with boosters, features and classes, checked for form."""

import json
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from glasswood._checks import unique_keys
from glasswood.ensemble import FeatureSchema, Label
from glasswood.errors import GlasswoodError, ModelFileError, UnsupportedModelError
from glasswood.tables import class_labels, class_names

MAX_LEVELS = 2**16  # perpetual stores category codes in 16 bits
MALFORMED = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)  # errors caused by invalid JSON
_MAX_FEATURES = 2**20


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One model: a booster per output, each with its own number of trees."""

    objective: str
    base_scores: tuple[float, ...]
    trees: tuple[tuple[Any, ...], ...]  # trees of each booster, still JSON objects
    names: tuple[str, ...]
    named: bool
    categories: tuple[tuple[Label, ...] | None, ...]  # labels of the codes 1, 2, …; perpetual's code 0 is missing
    classes: tuple[Label, ...]  # empty for a regressor
    n_bytes: int  # of the JSON


def parse_document(content: str | bytes) -> Document:
    """Parse the JSON of a model."""
    try:
        return _document(json.loads(content, object_pairs_hook=unique_keys), len(content))
    except GlasswoodError:
        raise
    except MALFORMED as error:
        raise ModelFileError(f"it does not hold a perpetual model: {type(error).__name__}: {error}") from None


def looks_like_perpetual(content: bytes) -> bool:
    """Whether the content is JSON with the keys of a perpetual model; it is not parsed."""
    keys = (b'"cfg"', b'"base_score"', b'"trees"', b'"missing_node_treatment"')
    return content.lstrip()[:1] == b"{" and all(key in content for key in keys)


def _document(model: Any, n_bytes: int) -> Document:
    boosters = model.get("boosters", [model])
    if not boosters:
        raise ModelFileError("it holds no booster")
    for booster in boosters:
        if booster["cfg"].get("missing") is not None:
            raise UnsupportedModelError(
                f"this model treats {booster['cfg']['missing']!r} as missing, which no threshold can express; "
                "train with missing values as NaN"
            )
    metadata = model.get("metadata") or {}
    classes = class_labels(_decoded(metadata, "classes_", []))
    if any(booster.get("base_score", 0.0) is None and not booster.get("trees") for booster in boosters):
        which = f", {class_names(classes)[0]}" if len(classes) == 1 else ""
        raise UnsupportedModelError(
            f"this model has seen a single class{which}: it has no trees and predicts infinite log-odds for every row; "
            "fit it on rows of two classes or more"
        )
    n_features, names = _names(metadata, boosters)
    return Document(
        objective=_objective(boosters[0]["cfg"]),
        base_scores=tuple(number(booster["base_score"]) for booster in boosters),
        trees=tuple(tuple(booster["trees"]) for booster in boosters),
        names=names or FeatureSchema.positions(n_features),
        named=bool(names),
        categories=_categories(metadata, boosters[0]["cfg"], n_features),
        classes=classes,
        n_bytes=n_bytes,
    )


def _objective(cfg: Any) -> str:
    """Name of the objective; one with parameters is an object with the name as its key."""
    objective = cfg.get("objective")
    if isinstance(objective, dict) and len(objective) == 1:
        objective = next(iter(objective))
    return objective if isinstance(objective, str) else "unknown"


def _decoded(metadata: Any, key: str, default: Any) -> Any:
    """A metadata entry, which is JSON text within the JSON."""
    return json.loads(metadata[key], object_pairs_hook=unique_keys) if key in metadata else default


def _names(metadata: Any, boosters: Any) -> tuple[int, tuple[str, ...]]:
    """Number of features, and their names if the table was a frame; positions written as text are not names."""
    found = _decoded(metadata, "feature_names_in_", None)
    if found is not None:
        names = tuple(str(name) for name in found)
        return len(names), () if names == tuple(map(str, range(len(names)))) else names
    splits = (whole(node["split_feature"]) for b in boosters for tree in b["trees"] for node in tree["nodes"].values())
    n_features = 1 + max(splits, default=-1)
    if n_features > _MAX_FEATURES:
        raise ModelFileError(f"it splits feature {n_features - 1}")
    return n_features, ()


def _categories(metadata: Any, cfg: Any, n_features: int) -> tuple[tuple[Label, ...] | None, ...]:
    """Labels per feature: the mapping without its first entry, which is for missing values."""
    if n_features == 0:
        return ()
    mapping = _decoded(metadata, "cat_mapping", {}) or {}
    names = [str(name) for name in _decoded(metadata, "feature_names_in_", range(n_features))]
    unmapped = [j for j in cfg.get("categorical_features") or () if names[whole(j)] not in mapping]
    if unmapped:
        raise UnsupportedModelError(f"feature {names[unmapped[0]]!r} is a category whose labels the model did not keep")
    categories: list[tuple[Label, ...] | None] = [None] * n_features
    position = {name: j for j, name in enumerate(names)}
    for name, labels in mapping.items():
        if not labels or labels[0] != "nan" or not all(isinstance(label, str) for label in labels):
            raise ModelFileError(f"the categories of feature {name!r} are not a list of texts that starts with 'nan'")
        if name not in position:
            raise ModelFileError(f"it has the categories of {name!r}, which is not a feature")
        categories[position[name]] = _typed(labels[1:])
    return tuple(categories)


def _typed(labels: list[str]) -> tuple[Label, ...]:
    """Labels with the types of the table; perpetual writes numbers and booleans as text."""
    if labels and set(labels) <= {"True", "False"}:
        return tuple(label == "True" for label in labels)
    if labels and all(re.fullmatch(r"0|-?[1-9][0-9]{0,18}", label) for label in labels):
        return tuple(int(label) for label in labels)  # also beyond 2**53
    try:
        numbers = [float(label) for label in labels]
    except ValueError:
        return tuple(labels)
    if not all(map(_writes, numbers, labels)):  # "01234" and "1_0" are texts
        return tuple(labels)
    distinct = len(set(numbers)) == len(numbers) and all(abs(number) < 2**53 for number in numbers)
    if not distinct:
        return tuple(labels)
    return tuple(int(number) if number.is_integer() else number for number in numbers)


def _writes(number: float, label: str) -> bool:
    """Whether a number is written like this, as float64 or as float32."""
    with np.errstate(over="ignore"):
        return label in (str(number), str(int(number)) if number.is_integer() else "", str(np.float32(number)))


def number(value: Any) -> float:
    """A finite JSON number; raises for anything else."""
    if type(value) not in (int, float) or not math.isfinite(value):
        raise ModelFileError(f"expected a number, found {str(value)[:40]!r}")
    return float(value)


def whole(value: Any) -> int:
    """A whole JSON number; raises for anything else."""
    if type(value) is not int or not 0 <= value < 2**31:
        raise ModelFileError(f"expected an index, found {str(value)[:40]!r}")
    return value
