"""Small random CatBoost models with CTRs as JSON documents, and rows that test all their levels."""

import itertools
import json
from typing import Any

import numpy as np

from glasswood.ensemble import text_hash

_KINDS = ["Borders", "Buckets", "Counter", "FeatureFreq", "BinarizedTargetMeanValue", "FloatTargetMeanValue"]
_MAGIC, _WORD = 0x4906BA494954CB65, 2**64


def signed_hash(text: str) -> int:
    """The hash of a level as stored in the file."""
    known = text_hash(text)
    return known if known < 2**31 else known - 2**32


def key_of(parts: Any) -> int:
    """Key of a combination."""
    key = 0
    for part in parts:
        key = _MAGIC * (key + _MAGIC * int(part)) % _WORD
    return key


def random_document(rng: np.random.Generator) -> dict[str, Any]:
    """A model of one to three categories and two numbers; its levels are texts such as ``"1:0"``."""
    n_categories = int(rng.integers(1, 4))
    levels = [[f"{c}:{k}" for k in range(int(rng.integers(1, 6)))] for c in range(n_categories)]
    categories: list[dict[str, Any]] = [
        {"feature_index": c, "flat_feature_index": c, "feature_id": f"c{c}"} for c in range(n_categories)
    ]
    categories[0]["values"] = [signed_hash(text) for text in levels[0][:2]]
    floats = [
        {
            "feature_index": k,
            "flat_feature_index": n_categories + k,
            "feature_id": f"x{k}",
            "has_nans": bool(rng.integers(2)),
            "nan_value_treatment": str(rng.choice(["AsTrue", "AsFalse"])),
            "borders": sorted({float(b) for b in rng.choice([-1.5, 0.0, 0.25, 2.0], int(rng.integers(1, 4)))}),
        }
        for k in range(2)
    ]
    every = [_ctr(rng, levels, [c], floats, tests=False) for c in range(n_categories)]
    for _ in range(int(rng.integers(1, 4))):
        chosen = np.flatnonzero(rng.random(n_categories) < 0.7)
        every.append(_ctr(rng, levels, chosen.tolist() or [0], floats, tests=True))
    data = {ctr["identifier"]: table for ctr, table in every}
    ctrs = [ctr for ctr, _ in every]
    n_conditions = sum(len(e["borders"]) for e in (*floats, *ctrs)) + len(categories[0]["values"])
    trees = []
    for _ in range(int(rng.integers(1, 4))):
        depth = int(rng.integers(0, 5))
        splits = [{"split_index": int(k)} for k in rng.integers(0, n_conditions, depth)]
        values = rng.normal(size=2**depth).tolist()
        trees.append({"splits": splits, "leaf_values": values, "leaf_weights": [1.0] * 2**depth})
    features = {"categorical_features": categories, "float_features": floats, "ctrs": ctrs}
    return {
        "features_info": features,
        "oblivious_trees": trees,
        "scale_and_bias": [1.0, [0.5]],
        "ctr_data": data,
        "model_info": {},
    }


def rows_of(document: dict[str, Any], rng: np.random.Generator, n: int) -> list[dict[int, Any]]:
    """Rows by column: known and unknown levels, numbers on borders, beside them, missing and infinite."""
    features = document["features_info"]
    rows = []
    for _ in range(n):
        row: dict[int, Any] = {
            c: f"{c}:{int(rng.integers(0, 6))}" for c in range(len(features["categorical_features"]))
        }
        for entry in features["float_features"]:
            odd = [np.nan, np.inf, -np.inf, *entry["borders"], *(np.nextafter(b, 9) for b in entry["borders"]), 0.1]
            row[entry["flat_feature_index"]] = float(odd[int(rng.integers(len(odd)))])
        rows.append(row)
    return rows


def _ctr(
    rng: np.random.Generator, levels: list[list[str]], chosen: list[int], floats: list[dict[str, Any]], *, tests: bool
) -> tuple[dict[str, Any], dict[str, Any]]:
    elements: list[dict[str, Any]] = [
        {"cat_feature_index": c, "combination_element": "cat_feature_value"} for c in chosen
    ]
    parts = [[signed_hash(text) for text in levels[c]] for c in chosen]
    for entry in floats if tests else ():
        for border in entry["borders"]:
            if rng.random() < 0.3:
                elements.append(
                    {
                        "float_feature_index": entry["feature_index"],
                        "border": border,
                        "combination_element": "float_feature",
                    }
                )
                parts.append([0, 1])
    if tests and rng.random() < 0.4:
        # CatBoost tests only for levels with one-hot splits, which are those of the first category
        value = signed_hash(levels[0][int(rng.integers(len(levels[0][:2])))])
        elements.append({"cat_feature_index": 0, "value": value, "combination_element": "cat_feature_exact_value"})
        parts.append([0, 1])
    kind = str(rng.choice(_KINDS))
    narrow = {"Counter": 1, "FeatureFreq": 1, "BinarizedTargetMeanValue": 2, "FloatTargetMeanValue": 2}
    width = narrow.get(kind) or int(rng.integers(2, 5))
    keys = [key_of(combined) for combined in itertools.product(*parts)]
    # a key for every level, so that the file contains all of them; for combinations only some
    kept = [key for key in keys if len(elements) == 1 or rng.random() < 0.6]
    flat: list[Any] = []
    for key in kept:
        flat += [str(key), *rng.integers(0, 9, width).tolist()]
    flat += [str(_WORD - 1), *([7] * width)]  # an empty slot
    base = {"identifier": elements, "type": kind}
    numbers = [0.0, 0.25, 0.5, 1.0, 1.5, 3.0, 7.0]
    ctr = {
        "elements": elements,
        "identifier": json.dumps(base),
        "ctr_type": kind,
        "target_border_idx": int(rng.integers(0, width - 1)) if width > 1 else 0,
        "prior_numerator": float(rng.choice([0.0, 0.5, 1.0])),
        "prior_denomerator": float(rng.choice([0.0, 1.0, 2.0])),
        "shift": float(rng.choice([0.0, 0.0, -0.25])),
        "scale": float(rng.choice([1.0, 15.0])),
        "borders": sorted({float(b) for b in rng.choice(numbers, int(rng.integers(1, 4)))}),
    }
    return ctr, {"hash_stride": width + 1, "hash_map": flat, "counter_denominator": int(rng.integers(0, 12))}
