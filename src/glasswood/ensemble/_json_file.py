"""JSON files: an Ensemble as one JSON document that other programs can read; the fields are those of the Ensemble.

``format`` is "glasswood ensemble" and stands first, ``version`` is 1. ``arrays`` holds every array by its name; NaN is
null, infinities are the texts "inf" and "-inf", and all other numbers have the digits that give the same double.
``link``, ``features``, ``outputs`` and ``source`` are those of glasswood's own file.
"""

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import unique_keys
from glasswood.ensemble._ensemble import ARRAY_DTYPES, Ensemble
from glasswood.ensemble._file import _describe, _restore
from glasswood.ensemble._validate import validate
from glasswood.errors import GlasswoodError, ModelFileError

FORMAT, VERSION = "glasswood ensemble", 1
_START = f'{{"format":"{FORMAT}",'
_INFINITIES = {"inf": np.inf, "-inf": -np.inf}


def json_text(ensemble: Ensemble) -> str:
    """The document."""
    arrays = {name: _plain(array) for name, array in ensemble._arrays().items()}
    document = {"format": FORMAT, "version": VERSION, **_describe(ensemble), "arrays": arrays}
    return json.dumps(document, allow_nan=False, separators=(",", ":")) + "\n"


def is_glasswood_json(start: bytes) -> bool:
    """Whether a file with these first bytes was written by `json_text`."""
    return start.startswith(_START.encode())


def loads_json(content: bytes, name: str) -> Ensemble:
    """Read the document; `name` is used in messages."""
    try:
        document = json.loads(content, object_pairs_hook=unique_keys)
        version = document["version"]
        if type(version) is int and version > VERSION:
            raise ModelFileError(f"{name}: version {version} is newer than this glasswood reads ({VERSION}); update it")
        if type(version) is not int or version < 1:
            raise ValueError(f"version is {version!r}")
        arrays: dict[str, Any] = {
            field: _array(document["arrays"][field], np.dtype(dtype)) for field, dtype in ARRAY_DTYPES.items()
        }
        # a model without nodes has no row to show how wide its values are
        arrays["value"] = arrays["value"].reshape(len(arrays["feature"]), -1 if len(arrays["feature"]) else 1)
        ensemble = Ensemble(**arrays, **_restore(document))
        validate(ensemble)
    except ModelFileError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, GlasswoodError) as error:
        raise ModelFileError(f"{name}: the document does not describe a valid ensemble: {error}") from error
    for array in arrays.values():
        array.flags.writeable = False
    return ensemble


def _plain(array: NDArray[Any]) -> Any:
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return array.tolist()
    plain = array.astype(object)
    plain[np.isnan(array)] = None
    for text, infinity in _INFINITIES.items():
        plain[array == infinity] = text
    return plain.tolist()


def _array(given: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """A list, or a list of lists, as an array; ValueError if an item does not fit."""
    if not isinstance(given, list):
        raise ValueError("an array is not a list")
    rows = [item if isinstance(item, list) else [item] for item in given]
    items = [_item(item, dtype) for row in rows for item in row]
    if len({len(row) for row in rows}) > 1:
        raise ValueError("an array has rows of different lengths")
    if dtype.kind in "iu" and items and not np.iinfo(dtype).min <= min(items) <= max(items) <= np.iinfo(dtype).max:
        raise ValueError(f"a number does not fit {dtype}")
    nested = bool(given) and isinstance(given[0], list)
    return np.array(items, dtype=dtype).reshape((len(rows), -1) if nested and items else -1)


def _item(item: Any, dtype: np.dtype[Any]) -> Any:
    if dtype.kind == "f":
        if item is None:
            return np.nan
        if isinstance(item, str) and item in _INFINITIES:
            return _INFINITIES[item]
    kinds = {"f": (int, float), "b": (bool,)}.get(dtype.kind, (int,))
    if type(item) not in kinds:
        raise ValueError(f"found {str(item)[:40]!r} in an array of {dtype}")
    return item
