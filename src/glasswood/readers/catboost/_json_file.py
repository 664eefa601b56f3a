"""CatBoost's JSON file → parts, with the numbering that CatBoost uses when it loads the file."""

import json
from typing import Any

import numpy as np

from glasswood._checks import unique_keys
from glasswood.errors import GlasswoodError, ModelFileError
from glasswood.readers.catboost._json_ctr import json_ctrs
from glasswood.readers.catboost._json_values import as_float32, as_index, as_number, as_numbers, as_text
from glasswood.readers.catboost._model_content import CategoryFeature, FloatFeature, ModelContent
from glasswood.readers.catboost._refuse import refuse_estimated

_TREES = ("oblivious_trees", "trees")


def looks_like_json(content: bytes) -> bool:
    """Whether the content is JSON with the keys of a CatBoost model; it is not parsed."""
    return (
        content.lstrip()[:1] == b"{"
        and b'"features_info"' in content
        and any(f'"{k}"'.encode() in content for k in _TREES)
    )


def read_json(content: bytes) -> ModelContent:
    """Read the bytes of a `.json` file."""
    try:
        document = json.loads(content, object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"it is not JSON: {error}") from None
    try:
        return _parts(document, len(content))
    except GlasswoodError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise ModelFileError(f"it does not hold a CatBoost model: {type(error).__name__}: {error}") from None


def _parts(document: Any, n_bytes: int) -> ModelContent:
    features = document["features_info"] or {}
    texts = _texts(features)
    categories = tuple(_categories(features, texts))
    _refuse_foreign(features)
    trees = _oblivious(document["oblivious_trees"]) if "oblivious_trees" in document else _nested(document["trees"])
    scale, bias = document.get("scale_and_bias", (1.0, [0.0]))
    bias = as_numbers(bias if isinstance(bias, list) else [bias], np.float64)
    dimension = trees.pop("dimension") or len(bias)
    if len(bias) == 1 and dimension > 1:
        bias = np.repeat(bias, dimension)
    return ModelContent(
        dimension=dimension,
        scale=as_number(scale),
        bias=bias,
        floats=tuple(_float_feature(entry) for entry in features.get("float_features") or ()),
        categories=categories,
        info=_info(document.get("model_info") or {}),
        ctrs=json_ctrs(features.get("ctrs") or (), document.get("ctr_data") or {}),
        n_bytes=n_bytes,
        texts=texts,
        **trees,
    )


def _info(model_info: Any) -> dict[str, Any]:
    return {str(key): value for key, value in model_info.items()}


def _float_feature(entry: Any) -> FloatFeature:
    has_missing = entry["has_nans"] is True
    return FloatFeature(
        flat_index=as_index(entry["flat_feature_index"]),
        name=as_text(entry.get("feature_id", "")),
        borders=as_float32(as_numbers(entry["borders"] or [], np.float64)),
        missing_right=has_missing and entry["nan_value_treatment"] == "AsTrue",
        missing_routed=has_missing,
        index=as_index(entry["feature_index"]),
    )


def _texts(features: Any) -> dict[int, str]:
    """Texts by their hash, if the file was saved with the training table."""
    entries = features.get("cat_features_hash") or ()
    return {as_index(entry["hash"]) & 0xFFFFFFFF: as_text(entry["value"]) for entry in entries}


def _categories(features: Any, texts: dict[int, str]) -> list[CategoryFeature]:
    found = []
    for entry in features.get("categorical_features") or ():
        hashes = tuple(as_index(value) & 0xFFFFFFFF for value in entry.get("values") or ())
        stored = tuple(as_text(text) for text in entry.get("string_values") or ())
        known = tuple(texts[h] for h in hashes) if all(h in texts for h in hashes) else ()
        found.append(
            CategoryFeature(
                index=as_index(entry["feature_index"]),
                flat_index=as_index(entry["flat_feature_index"]),
                name=as_text(entry.get("feature_id", "")),
                hashes=hashes,
                labels=stored or known,
                n_split_off=len(hashes),
            )
        )
    return found


def _refuse_foreign(features: Any) -> None:
    kinds = [kind for kind in ("text", "embedding") if features.get(f"{kind}_features")]
    if kinds or features.get("estimated_features"):
        raise refuse_estimated(kinds or ["text or embedding"])


def _oblivious(entries: Any) -> dict[str, Any]:
    splits: list[Any] = []
    values: list[Any] = []
    weights: list[Any] = []
    sizes, dimension = [], 0
    for entry in entries or ():
        own = entry["splits"] or ()
        splits.extend(split["split_index"] for split in own)
        values.extend(entry["leaf_values"])
        weights.extend(entry.get("leaf_weights") or ())
        sizes.append(len(own))
        if len(own) > 62 or len(entry["leaf_values"]) % 2 ** len(own):
            raise ModelFileError(f"a tree with {len(own)} splits has {len(entry['leaf_values'])} leaf values")
        dimension = len(entry["leaf_values"]) >> len(own)
    return {
        "dimension": dimension,
        "tree_sizes": np.array(sizes, dtype=np.int64),
        "splits": as_numbers(splits, np.int64),
        "steps": None,
        "leaf_of": np.zeros(0, dtype=np.int64),
        "leaf_values": as_numbers(values, np.float64),
        "leaf_weights": as_numbers(weights, np.float64),
    }


def _nested(entries: Any) -> dict[str, Any]:
    """Trees of nested objects, numbered in the order in which CatBoost reads them: node, left, right."""
    splits: list[Any] = []
    steps: list[list[int]] = []
    leaf_of: list[int] = []
    values: list[Any] = []
    weights: list[Any] = []
    sizes, dimension = [], 0
    for entry in entries or ():
        first = len(steps)
        waiting: list[tuple[Any, int, int]] = [(entry, -1, 0)]  # object, its parent, its side
        while waiting:
            node, parent, side = waiting.pop()
            here = len(steps)
            if parent >= 0:
                steps[parent][side] = here - parent
            steps.append([0, 0])
            if "value" in node:
                value = node["value"] if isinstance(node["value"], list) else [node["value"]]
                leaf_of.append(len(values))
                splits.append(0)
                values.extend(value)
                weights.extend([node["weight"]] if "weight" in node else ())
                dimension = len(value)
            else:
                leaf_of.append(-1)
                splits.append(node["split"]["split_index"])
                waiting += [(node["right"], here, 1), (node["left"], here, 0)]
        sizes.append(len(steps) - first)
    return {
        "dimension": dimension,
        "tree_sizes": np.array(sizes, dtype=np.int64),
        "splits": as_numbers(splits, np.int64),
        "steps": np.array(steps, dtype=np.int64).reshape(-1, 2),
        "leaf_of": np.array(leaf_of, dtype=np.int64),
        "leaf_values": as_numbers(values, np.float64),
        "leaf_weights": as_numbers(weights, np.float64),
    }
