"""CTR tables of a `.cbm` file: they follow the core, each a FlatBuffer after its length.

Field numbers are those of ctr_data.fbs in CatBoost's repository.
"""

import struct
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError
from glasswood.readers.catboost._ctr_values import KINDS, MEANS, width_of
from glasswood.readers.catboost._flatbuffer import FlatTable, root_table
from glasswood.readers.catboost._model_content import Combination, Ctr, CtrTable

PART_NAME = "static_provider_v1"
_WIDE = 0xFFFFFFFF  # instead of a length: the length follows in 64 bits
NO_KEY = np.uint64(2**64 - 1)  # an empty slot of the hash table

Base: TypeAlias = tuple[Combination, str, int]  # what is counted, how, and by which classes of the target


def read_size(content: bytes, at: int) -> tuple[int, int]:
    """A length, and the position after it."""
    size = _number("<I", content, at)
    return (size, at + 4) if size != _WIDE else (_number("<Q", content, at + 4), at + 12)


def read_ctrs(features: list[FlatTable], content: bytes, at: int) -> tuple[Ctr, ...]:
    """CTRs of the core; their tables are in `content` from `at` on."""
    if not features:
        return ()
    tables = _tables(content, at)
    return tuple(_ctr(feature, tables) for feature in features)


def _tables(content: bytes, at: int) -> dict[Base, CtrTable]:
    count, at = read_size(content, at)
    tables = {}
    for _ in range(min(count, len(content))):
        size, at = read_size(content, at)
        if size > len(content) - at:
            raise ModelFileError("it is truncated within the tables of its CTRs")
        table = root_table(content[at : at + size])
        at += size
        base = _base(table.table(0))
        tables[base] = _table(table, base[1])
    return tables


def _table(table: FlatTable, kind: str) -> CtrTable:
    width = width_of(kind, int(table.number(4, "i", 0)))
    raw = table.vector(1, "u1")
    buckets = np.frombuffer(raw[: len(raw) // 12 * 12].tobytes(), dtype=[("key", "<u8"), ("place", "<u4")])
    buckets = buckets[buckets["key"] != NO_KEY]
    blob = table.vector(2, "u1").tobytes()
    blob = blob[: len(blob) // (4 * width) * 4 * width]
    numbers = np.frombuffer(blob, dtype="<i4").reshape(-1, width).astype(np.float64)
    if kind in MEANS:
        with np.errstate(invalid="ignore"):
            numbers[:, 0] = np.frombuffer(blob, dtype="<f4")[::2]
    if len(buckets) and buckets["place"].max() >= len(numbers):
        raise ModelFileError("a key of a CTR has no counts")
    return ctr_table(buckets["key"].astype(np.uint64), numbers[buckets["place"]], int(table.number(3, "i", 0)))


def ctr_table(keys: NDArray[np.uint64], counts: NDArray[np.float64], denominator: int) -> CtrTable:
    """A table sorted by its keys."""
    order = np.argsort(keys)
    keys = keys[order]
    if np.any(keys[1:] == keys[:-1]):
        raise ModelFileError("duplicate key in the table of a CTR")
    if np.any(np.isnan(counts)):
        raise ModelFileError("a count of a CTR is not a number")
    return CtrTable(keys=keys, counts=counts[order], denominator=denominator)


def _ctr(feature: FlatTable, tables: dict[Base, CtrTable]) -> Ctr:
    ctr = feature.table(0)
    if ctr is None:
        raise ModelFileError("a CTR is empty")
    base = _base(ctr.table(0))
    if base not in tables:
        raise ModelFileError("a CTR has no table")
    return Ctr(
        combination=base[0],
        kind=base[1],
        table=tables[base],
        target_class=int(ctr.number(1, "i", 0)),
        prior=(float(ctr.number(2, "f", 0.0)), float(ctr.number(3, "f", 1.0))),
        shift=float(ctr.number(4, "f", 0.0)),
        scale=float(ctr.number(5, "f", 1.0)),
        borders=feature.vector(1, "<f4").astype(np.float32),
    )


def _base(base: FlatTable | None) -> Base:
    combination = None if base is None else base.table(0)
    if base is None or combination is None:
        raise ModelFileError("a CTR does not say what it is taken over")
    kind = int(base.number(1, "b", 0))
    if not 0 <= kind < len(KINDS):
        raise ModelFileError(f"a CTR is of kind {kind}, there are {len(KINDS)}")
    borders, levels = combination.vector(1, "<i4,<f4"), combination.vector(2, "<i4,<i4")
    found = Combination(
        categories=tuple(combination.vector(0, "<i4").tolist()),
        borders=tuple(zip(borders["f0"].tolist(), borders["f1"].tolist(), strict=True)),
        levels=tuple(zip(levels["f0"].tolist(), (levels["f1"].astype(np.int64) & 0xFFFFFFFF).tolist(), strict=True)),
    )
    return found, KINDS[kind], int(base.number(2, "i", 0))


def _number(code: str, content: bytes, at: int) -> int:
    if at + struct.calcsize(code) > len(content):
        raise ModelFileError("it is truncated within the tables of its CTRs")
    return int(struct.unpack_from(code, content, at)[0])
