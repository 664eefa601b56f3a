"""CatBoost's binary file: the four letters CBM1, a length, and a FlatBuffer with a public schema.

Field numbers are those of model.fbs and features.fbs in CatBoost's repository.
"""

import json
import struct
from typing import Any

import numpy as np

from glasswood._checks import unique_keys
from glasswood.errors import ModelFileError
from glasswood.readers.catboost._ctr_tables import PART_NAME, read_ctrs
from glasswood.readers.catboost._flatbuffer import FlatTable, root_table
from glasswood.readers.catboost._model_content import CategoryFeature, FloatFeature, ModelContent
from glasswood.readers.catboost._refuse import refuse_estimated, refuse_new

MAGIC = b"CBM1"
_FORMAT = "FlabuffersModel_v1"  # spelled so by CatBoost
_WIDE = 0xFFFFFFFF  # instead of a length: the length follows in 64 bits
_AS_TRUE = 2  # ENanValueTreatment

# TModelTrees
_DIMENSION, _SPLITS, _SIZES, _STARTS = 0, 1, 2, 3
_CATEGORIES, _FLOATS, _ONE_HOT, _CTR = 4, 5, 6, 7
_LEAF_VALUES, _LEAF_WEIGHTS, _STEPS, _LEAF_OF = 8, 9, 10, 11
_TEXTS, _ESTIMATED, _SCALE, _BIAS, _MULTI_BIAS, _EMBEDDINGS = 12, 13, 14, 15, 16, 18
_KNOWN_FIELDS = 19


def read_cbm(content: bytes) -> ModelContent:
    """Read the bytes of a `.cbm` file."""
    start, end = _core(content)
    core = root_table(content[start:end])
    if core.text(0) != _FORMAT:
        raise ModelFileError(f"its model format is {core.text(0)[:40]!r}, expected {_FORMAT!r}")
    trees = core.table(1)
    if trees is None:
        raise ModelFileError("it holds no trees")
    categories = _categories(trees)
    _refuse_foreign(core, trees)
    dimension = int(trees.number(_DIMENSION, "i", 0))
    bias = trees.vector(_MULTI_BIAS, "<f8")
    if not len(bias):
        if not 1 <= dimension <= len(content):
            raise ModelFileError(f"it has {dimension} outputs")
        bias = np.full(dimension, trees.number(_BIAS, "d", 0.0))
    steps = trees.vector(_STEPS, "<u2,<u2")
    sizes = trees.vector(_SIZES, "<i4").astype(np.int64)
    _check_starts(trees, sizes)
    return ModelContent(
        dimension=dimension,
        scale=float(trees.number(_SCALE, "d", 1.0)),
        bias=bias.astype(np.float64),
        floats=tuple(_float_feature(table) for table in trees.tables(_FLOATS)),
        categories=categories,
        tree_sizes=sizes,
        splits=trees.vector(_SPLITS, "<i4").astype(np.int64),
        steps=np.column_stack([steps["f0"], steps["f1"]]).astype(np.int64) if len(steps) else None,
        leaf_of=trees.vector(_LEAF_OF, "<u4").astype(np.int64),
        leaf_values=trees.vector(_LEAF_VALUES, "<f8").astype(np.float64),
        leaf_weights=trees.vector(_LEAF_WEIGHTS, "<f8").astype(np.float64),
        info=_info(core),
        ctrs=read_ctrs(trees.tables(_CTR), content, end),
        n_bytes=len(content),
    )


def _core(content: bytes) -> tuple[int, int]:
    """Start and end of the FlatBuffer; the tables of CTRs come after it."""
    if len(content) < 8:
        raise ModelFileError("it is truncated")
    start, (length,) = 8, struct.unpack_from("<I", content, 4)
    if length == _WIDE:
        if len(content) < 16:
            raise ModelFileError("it is truncated")
        start, (length,) = 16, struct.unpack_from("<Q", content, 8)
    if start + length > len(content):
        raise ModelFileError(f"it is truncated: {start + length:,} bytes expected, {len(content):,} found")
    return start, start + length


def _check_starts(trees: FlatTable, sizes: np.ndarray[Any, np.dtype[np.int64]]) -> None:
    """Check the starts of trees, which a file may contain; CatBoost always stores trees one after the other."""
    starts = trees.vector(_STARTS, "<i4").astype(np.int64)
    if len(starts) and not np.array_equal(starts, np.cumsum(sizes) - sizes):
        raise ModelFileError("its trees do not stand back to back")


def _float_feature(table: FlatTable) -> FloatFeature:
    has_missing = bool(table.number(0, "?", False))
    return FloatFeature(
        flat_index=int(table.number(2, "i", -1)),
        name=table.text(4),
        borders=table.vector(3, "<f4").astype(np.float32),
        # if training had no missing values, CatBoost compares a missing value as it is: above no border
        missing_right=has_missing and table.number(5, "b", 0) == _AS_TRUE,
        missing_routed=has_missing,
        index=int(table.number(1, "i", -1)),
    )


def _categories(trees: FlatTable) -> tuple[CategoryFeature, ...]:
    levels = {int(table.number(0, "i", -1)): table for table in trees.tables(_ONE_HOT)}
    found = []
    for table in trees.tables(_CATEGORIES):
        index = int(table.number(0, "i", -1))
        one_hot = levels.get(index)
        hashes = () if one_hot is None else tuple(one_hot.vector(1, "<u4").tolist())
        found.append(
            CategoryFeature(
                index=index,
                flat_index=int(table.number(1, "i", -1)),
                name=table.text(2),
                hashes=hashes,
                labels=() if one_hot is None else one_hot.texts(2),
                n_split_off=len(hashes),
            )
        )
    _check_one_hot_order(list(levels), found)
    return tuple(found)


def _check_one_hot_order(levels: list[int], found: list[CategoryFeature]) -> None:
    """Check the order of the one-hot features, by which conditions are numbered: it must be that of the categories."""
    if levels != [feature.index for feature in found if feature.index in levels]:
        raise ModelFileError("its one-hot features are not in the order of its categories")


def _refuse_foreign(core: FlatTable, trees: FlatTable) -> None:
    kinds = [kind for kind, field in (("text", _TEXTS), ("embedding", _EMBEDDINGS)) if trees.has(field)]
    if kinds or trees.has(_ESTIMATED):
        raise refuse_estimated(kinds or ["text or embedding"])
    if any(trees.field(k, 1) is not None for k in range(_KNOWN_FIELDS, trees.n_fields())):
        raise refuse_new("a field of a newer format")
    if trees.has(_CTR) and core.texts(3) != (PART_NAME,):
        raise refuse_new(f"CTRs in the form {', '.join(core.texts(3))[:80]!r}")


def _info(core: FlatTable) -> dict[str, Any]:
    info: dict[str, Any] = {}
    for pair in core.tables(2):
        key, value = pair.text(0), pair.text(1)
        if key.endswith("params") and value:
            try:
                info[key] = json.loads(value, object_pairs_hook=unique_keys)
            except (ValueError, RecursionError) as error:
                raise ModelFileError(f"its {key} are not JSON: {error}") from None
        else:
            info[key] = value
    return info
