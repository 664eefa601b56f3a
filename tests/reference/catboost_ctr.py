"""CatBoost's prediction for a row, from the JSON of a model: slow, one row and one split at a time."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from glasswood.ensemble import text_hash

F = np.float32
_MAGIC, _WORD = 0x4906BA494954CB65, 2**64


def leaf_of(document: Mapping[str, Any], tree: int, row: Mapping[int, Any]) -> int:
    """Number of the leaf a row reaches in an oblivious tree; the row is given by column number, categories as text."""
    leaf = 0
    conditions = _conditions(document)
    for bit, split in enumerate(document["oblivious_trees"][tree]["splits"]):
        leaf |= _holds(document, conditions[split["split_index"]], row) << bit
    return leaf


def _conditions(document: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    features = document["features_info"]
    found = [("number", entry, border) for entry in features.get("float_features", ()) for border in entry["borders"]]
    found += [("level", e, v) for e in features.get("categorical_features", ()) for v in e.get("values", ())]
    return found + [("ctr", entry, border) for entry in features.get("ctrs", ()) for border in entry["borders"]]


def _holds(document: Mapping[str, Any], condition: tuple[str, Any, Any], row: Mapping[int, Any]) -> bool:
    kind, entry, asked = condition
    if kind == "number":
        return _above(entry, asked, row)
    if kind == "level":
        return text_hash(row[entry["flat_feature_index"]]) == asked & 0xFFFFFFFF
    with np.errstate(all="ignore"):
        return bool(_ctr(document, entry, row) > F(asked))


def _above(entry: Mapping[str, Any], border: float, row: Mapping[int, Any]) -> bool:
    value = F(row[entry["flat_feature_index"]])
    if np.isnan(value):
        return entry["has_nans"] and entry["nan_value_treatment"] == "AsTrue" and F(border) < np.inf
    return bool(value > F(border))


def _ctr(document: Mapping[str, Any], ctr: Mapping[str, Any], row: Mapping[int, Any]) -> np.float32:
    features = document["features_info"]
    key = 0
    for element in ctr["elements"]:
        kind = element["combination_element"]
        if kind == "float_feature":
            part = int(_above(features["float_features"][element["float_feature_index"]], element["border"], row))
        else:
            column = features["categorical_features"][element["cat_feature_index"]]["flat_feature_index"]
            known = text_hash(row[column])
            part = known if known < 2**31 else known - 2**32
            if kind == "cat_feature_exact_value":
                part = int(part == element["value"])
        key = _MAGIC * (key + _MAGIC * part) % _WORD
    data = document["ctr_data"][ctr["identifier"]]
    stride, flat = data["hash_stride"], data["hash_map"]
    table = {int(flat[k]): flat[k + 1 : k + stride] for k in range(0, len(flat), stride)}
    counts = table.get(key, [0] * (stride - 1))
    at = ctr["target_border_idx"]
    hits, total = {
        "Borders": lambda: (sum(counts[at + 1 :]) if len(counts) > 2 else counts[1], sum(counts)),
        "Buckets": lambda: (counts[at], sum(counts)),
        "Counter": lambda: (counts[0], data["counter_denominator"]),
        "FeatureFreq": lambda: (counts[0], data["counter_denominator"]),
        "BinarizedTargetMeanValue": lambda: tuple(counts),
        "FloatTargetMeanValue": lambda: tuple(counts),
    }[ctr["ctr_type"]]()
    share = (F(hits) + F(ctr["prior_numerator"])) / (F(total) + F(ctr["prior_denomerator"]))
    return (share + F(ctr["shift"])) * F(ctr["scale"])
