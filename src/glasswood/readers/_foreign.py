"""Foreign files: what an unreadable file is, and what to do about it."""

from pathlib import Path

from glasswood.readers._conversions import H2O, SPARK, R

_LOAD = "load it yourself, where you trust it, and pass the object"
_SAVED_BY_R = f"an object that R saved; {R}"
_MOJO = f"a zip archive with a MOJO of H2O in it; {H2O}"
# first bytes of files; a pickle is never opened, because unpickling runs code in it
_BEGINNINGS: tuple[tuple[bytes, str], ...] = (
    (b"\x80", f"a Python pickle or joblib file, which glasswood never unpickles; {_LOAD}"),
    (b"ccopy_reg\n", f"a Python pickle, which glasswood never unpickles; {_LOAD}"),
    (
        b"\x1f\x8b",
        f"packed with gzip; unpack it first, or if joblib wrote it, {_LOAD}; if it is an .rds or .RData file of R, {R}",
    ),
    (b"BZh", f"packed with bzip2; unpack it first, or if joblib wrote it, {_LOAD}"),
    (b"\xfd7zXZ\0", f"packed with xz; unpack it first, or if joblib wrote it, {_LOAD}"),
    (b"\x04\x22\x4d\x18", f"packed with lz4; unpack it first, or if joblib wrote it, {_LOAD}"),
    (b"\x78\x01", f"packed with zlib, as joblib does; {_LOAD}"),
    (b"\x78\x5e", f"packed with zlib, as joblib does; {_LOAD}"),
    (b"\x78\x9c", f"packed with zlib, as joblib does; {_LOAD}"),
    (b"\x78\xda", f"packed with zlib, as joblib does; {_LOAD}"),
    (b"PK\x03\x04", f"a zip archive (skops, H2O and others write models so); {_LOAD} if glasswood reads its library"),
    (b"<?xml", "XML, perhaps PMML, which glasswood does not read; give the model as the library itself saves it"),
    (b"<PMML", "PMML, which glasswood does not read; give the model as the library itself saves it"),
    (b"X\n\0\0\0", _SAVED_BY_R),
    (b"A\n2\n", _SAVED_BY_R),
    (b"A\n3\n", _SAVED_BY_R),
    (b"RDX", _SAVED_BY_R),
    (b"RDA", _SAVED_BY_R),
)
_XGBOOST = (
    "a model in XGBoost's old binary format, written as text; load it in XGBoost 3.0 or older and save it again: "
    "xgboost.Booster(model_file=old).save_model('model.ubj')"
)


def foreign_kind(content: bytes) -> str | None:
    """Say what a file is and what to do; None if it is not recognised."""
    if not content.strip(b"\0 \t\r\n"):
        return "empty"
    if content.startswith(b"bs64\t"):
        return _XGBOOST
    if content.startswith(b"PK\x03\x04") and b"model.ini" in content:
        return _MOJO
    for beginning, kind in _BEGINNINGS:
        if content.startswith(beginning):
            return kind
    return None


def foreign_folder(path: Path) -> str:
    """Say what a folder is and what to do; a model that is read is one file."""
    if (path / "metadata").is_dir():
        return f"a folder as Spark saves models; load it in Spark and {SPARK}"
    return "a folder, and glasswood reads a model from one file"
