"""CTRs of a JSON file: their combinations, numbers, and tables of counts."""

import json
from typing import Any, TypeAlias

import numpy as np

from glasswood._checks import unique_keys
from glasswood.errors import ModelFileError
from glasswood.readers.catboost._ctr_tables import NO_KEY, ctr_table
from glasswood.readers.catboost._ctr_values import KINDS, width_of
from glasswood.readers.catboost._json_values import as_float32, as_index, as_number, as_numbers, as_text
from glasswood.readers.catboost._model_content import Combination, Ctr, CtrTable
from glasswood.readers.catboost._refuse import refuse_fractions

Base: TypeAlias = tuple[Combination, str]  # what is counted and how


def json_ctrs(entries: Any, data: Any) -> tuple[Ctr, ...]:
    """CTRs of `features_info`, with their tables in `ctr_data`."""
    if not entries:
        return ()
    tables = {}
    for text, entry in data.items():
        base = json.loads(text, object_pairs_hook=unique_keys)
        key = (_combination(base["identifier"]), _kind(base["type"]))
        if key in tables:
            raise ModelFileError("the table of a CTR stands in it twice")
        tables[key] = _table(entry, key[1])
    return tuple(_ctr(entry, tables) for entry in entries)


def _ctr(entry: Any, tables: dict[Base, CtrTable]) -> Ctr:
    base = (_combination(entry["elements"]), _kind(entry["ctr_type"]))
    if base not in tables:
        raise ModelFileError("a CTR has no table")
    return Ctr(
        combination=base[0],
        kind=base[1],
        table=tables[base],
        target_class=as_index(entry["target_border_idx"]),
        prior=(as_number(entry["prior_numerator"]), as_number(entry["prior_denomerator"])),  # CatBoost's own spelling
        shift=as_number(entry["shift"]),
        scale=as_number(entry["scale"]),
        borders=as_float32(as_numbers(entry["borders"] or [], np.float64)),
    )


def _combination(elements: Any) -> Combination:
    """ModelContent of a key, in CatBoost's order: categories, then tests of numbers, then tests for a level."""
    categories, borders, levels = [], [], []
    for element in elements:
        kind = element["combination_element"]
        if kind == "cat_feature_value":
            categories.append(as_index(element["cat_feature_index"]))
        elif kind == "float_feature":
            border = float(as_float32(as_numbers([element["border"]], np.float64))[0])
            borders.append((as_index(element["float_feature_index"]), border))
        elif kind == "cat_feature_exact_value":
            levels.append((as_index(element["cat_feature_index"]), as_index(element["value"]) & 0xFFFFFFFF))
        else:
            raise ModelFileError(f"a CTR is taken over {str(kind)[:40]!r}")
    return Combination(categories=tuple(categories), borders=tuple(borders), levels=tuple(levels))


def _kind(name: Any) -> str:
    if as_text(name) not in KINDS:
        raise ModelFileError(f"a CTR is of kind {name[:40]!r}")
    return str(name)


def _table(entry: Any, kind: str) -> CtrTable:
    stride, flat = as_index(entry["hash_stride"]), entry["hash_map"]
    width = width_of(kind, stride - 1)
    if stride != width + 1 or len(flat) % stride:
        raise ModelFileError(f"the table of a CTR has {len(flat)} entries in groups of {stride}")
    keys = np.array([_key(text) for text in flat[::stride]], dtype=np.uint64)
    columns = [as_numbers(flat[k::stride], np.float64) for k in range(1, stride)]
    counts = np.column_stack(columns) if len(keys) else np.zeros((0, width))
    taken = keys != NO_KEY  # CatBoost also writes the empty slots of its table
    if np.any(counts[taken] != np.floor(counts[taken])):
        raise refuse_fractions(kind)
    return ctr_table(keys[taken], counts[taken], as_index(entry["counter_denominator"]))


def _key(text: Any) -> int:
    if not isinstance(text, str) or not text.isascii() or not text.isdigit() or len(text) > 20 or int(text) >= 2**64:
        raise ModelFileError(f"expected the key of a CTR, found {str(text)[:40]!r}")
    return int(text)
