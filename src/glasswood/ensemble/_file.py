"""Files: an Ensemble in one file with magic, format version, JSON header, arrays and checksum. No pickle.

Layout, little-endian: 8 bytes magic, uint32 format version, uint64 header length, header, zero padding to 64 bytes,
arrays (each padded to 64 bytes, at the offsets the header names), SHA-256 of everything before it.
"""

import hashlib
import json
import math
import struct
import types
import typing
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import unique_keys
from glasswood.ensemble._ensemble import ARRAY_DTYPES, Ensemble
from glasswood.ensemble._link import Link, LinkKind
from glasswood.ensemble._provenance import NOT_CHECKED, VALUES_READ, Parity, Provenance
from glasswood.ensemble._schema import FeatureSchema
from glasswood.ensemble._validate import validate
from glasswood.errors import GlasswoodError, ModelFileError

MAGIC = b"\x89glswd\r\n"
FORMAT_VERSION = 1
_ALIGNMENT = 64
_FIXED = struct.Struct("<8sIQ")
_Made = TypeVar("_Made")
_CHECKSUM_BYTES = hashlib.sha256().digest_size


def save(ensemble: Ensemble, path: str | Path) -> None:
    """Write `ensemble` to `path`."""
    chunks, entries, offset = [], {}, 0
    for name, array in ensemble._arrays().items():
        stored = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        entries[name] = {"dtype": stored.dtype.str, "shape": list(stored.shape), "offset": offset}
        chunks.append(_padded(stored.tobytes()))
        offset += len(chunks[-1])
    header = json.dumps({**_describe(ensemble), "arrays": entries}, allow_nan=False).encode()
    body = _padded(_FIXED.pack(MAGIC, FORMAT_VERSION, len(header)) + header) + b"".join(chunks)
    Path(path).write_bytes(body + hashlib.sha256(body).digest())


def load(path: str | Path) -> Ensemble:
    """Read an Ensemble that `Ensemble.save` wrote.

    Raises
    ------
    ModelFileError
        The file is truncated, garbled, of a newer format, or not a glasswood file.

    Examples
    --------
    >>> import tempfile, numpy as np, glasswood as gw
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> ens = gw.read(DecisionTreeRegressor().fit([[0.0], [1.0]], [1.0, 2.0]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     ens.save(f"{folder}/tree.gw")
    ...     gw.load(f"{folder}/tree.gw") == ens
    True
    """
    try:
        content = Path(path).read_bytes()
    except OSError as error:
        raise ModelFileError(f"{path}: {error.strerror}") from error
    return loads(content, str(path))


def loads(content: bytes, name: str) -> Ensemble:
    """Read an Ensemble from the bytes of a file; `name` is used in messages."""
    header, arrays_start = _read_header(content, name)
    try:
        entries = header["arrays"]
        if "shown" in entries:  # the name in files of 0.1
            entries["stated_threshold"] = entries.pop("shown")
        arrays: dict[str, Any] = {
            field: _read_array(content, arrays_start, entries[field], np.dtype(dtype))
            for field, dtype in ARRAY_DTYPES.items()
        }
        ensemble = Ensemble(**arrays, **_restore(header))
        validate(ensemble)
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, GlasswoodError) as error:
        raise ModelFileError(f"{name}: the file does not describe a valid ensemble: {error}") from error
    return ensemble


def is_glasswood(start: bytes) -> bool:
    """Whether a file with these first bytes was written by `save`."""
    return start.startswith(MAGIC)


def _read_header(content: bytes, name: str) -> tuple[dict[str, Any], int]:
    if not is_glasswood(content):
        raise ModelFileError(f"{name}: not a glasswood file")
    if len(content) < _FIXED.size + _CHECKSUM_BYTES:
        raise ModelFileError(f"{name}: the file is truncated")
    _, version, header_length = _FIXED.unpack_from(content)
    if version > FORMAT_VERSION:
        raise ModelFileError(
            f"{name}: format version {version} is newer than this glasswood reads ({FORMAT_VERSION}); update it"
        )
    if hashlib.sha256(content[:-_CHECKSUM_BYTES]).digest() != content[-_CHECKSUM_BYTES:]:
        raise ModelFileError(f"{name}: the checksum does not match: the file is truncated or damaged")
    header_end = _FIXED.size + header_length
    if header_end > len(content) - _CHECKSUM_BYTES:
        raise ModelFileError(f"{name}: the header is longer than the file")
    try:
        header = json.loads(content[_FIXED.size : header_end], object_pairs_hook=unique_keys)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(f"{name}: the header is not JSON: {error}") from error
    if not isinstance(header, dict):
        raise ModelFileError(f"{name}: the header is not a JSON object")
    return header, header_end + -header_end % _ALIGNMENT


def _read_array(content: bytes, arrays_start: int, entry: dict[str, Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    if entry["dtype"] != dtype.newbyteorder("<").str:
        raise ValueError(f"an array has the dtype {entry['dtype']}; expected {dtype}")
    shape, offset = entry["shape"], entry["offset"]
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in (*shape, offset)):
        raise ValueError(f"an array has the invalid shape {shape!r} or offset {offset!r}")
    start, count = arrays_start + offset, math.prod(shape)
    if start + count * dtype.itemsize > len(content) - _CHECKSUM_BYTES:
        raise ValueError("an array reaches beyond the end of the file")
    stored = np.frombuffer(content, dtype=dtype.newbyteorder("<"), count=count, offset=start)
    array = stored.astype(dtype).reshape(shape)
    array.flags.writeable = False
    return array


def _describe(e: Ensemble) -> dict[str, Any]:
    return {
        "link": {"kind": e.link.kind.value, "scale": e.link.scale},
        "features": e.features.to_dict(),
        "outputs": e.outputs,
        "source": asdict(e.source),
    }


def _restore(header: dict[str, Any]) -> dict[str, Any]:
    source, link, outputs = header["source"], header["link"], header["outputs"]
    parity = source["parity"]
    scale = link["scale"]
    if type(scale) not in (int, float) or not 0 < scale < math.inf:
        raise ValueError(f"the scale of the link is {scale!r}; expected a positive number")
    if not _fits(outputs, list[str]):
        raise ValueError("outputs must be a list of strings")
    return {
        "link": Link(LinkKind(link["kind"]), float(scale)),
        "features": FeatureSchema.from_dict(header["features"]),
        "outputs": tuple(outputs),
        "source": _restored(
            Provenance,
            {
                **source,
                "notes": _as_tuple(source["notes"]),
                "classes": _as_tuple(source.get("classes", [])),  # files of 0.1 do not hold them
                # files of 0.1 do not say what the library was asked with; it was always our reading of the table
                "parity": NOT_CHECKED
                if parity == NOT_CHECKED
                else _restored(Parity, {"asked_with": VALUES_READ, **parity}),
            },
        ),
    }


def _as_tuple(value: Any) -> Any:
    """A JSON list as a tuple; anything else unchanged, so that its type is refused later."""
    return tuple(value) if isinstance(value, list) else value


def _restored(cls: type[_Made], fields: dict[str, Any]) -> _Made:
    """A dataclass from JSON; every field must have its declared type."""
    hints = typing.get_type_hints(cls)
    for name, value in fields.items():
        if name not in hints or not _fits(value, hints[name]):
            raise ValueError(f"{cls.__name__.lower()}.{str(name)[:40]} has the invalid value {str(value)[:40]!r}")
    return cls(**fields)


def _fits(value: Any, hint: Any) -> bool:
    origin, inner = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, one) for one in inner)
    if origin is Literal:
        return type(value) is str and value in inner
    if origin in (tuple, list):
        return type(value) is origin and all(_fits(item, inner[0]) for item in value)
    return type(value) in ((int, float) if hint is float else (hint,))


def _padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % _ALIGNMENT)
