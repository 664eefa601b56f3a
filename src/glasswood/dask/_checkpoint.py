"""Checkpoint: a folder that holds the finished rounds of a fit, from which a fit of the same data goes on.

`fit.json` says what was fitted. `rounds.bin` is a list of pieces, each with its length and a checksum, that only grows:
whatever was not written whole when the client died is cut off.
"""

import json
import struct
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from glasswood._version import __version__
from glasswood.errors import ModelFileError, OptionError
from glasswood.train.boosting import RoundRecord, pack_rounds, unpack_rounds

_HEAD = struct.Struct("<8sQI")  # magic, length, checksum
_MAGIC = b"gwround\n"


class Checkpoint:
    """The rounds of one fit in a folder.

    Parameters
    ----------
    folder : path
        It is made if it does not exist.
    fitted : mapping
        What is fitted: JSON-ready values by name.

    Raises
    ------
    OptionError
        If the folder holds the rounds of another fit; the message names what differs.
    """

    def __init__(self, folder: Any, fitted: Mapping[str, Any]) -> None:
        self._folder = folder_of(folder)
        told = {"glasswood": __version__, **json.loads(json.dumps(fitted))}
        self._folder.mkdir(parents=True, exist_ok=True)
        about = self._folder / "fit.json"
        if about.exists():
            _check_same(_read_json(about), told, self._folder)
        else:
            spare = self._folder / "fit.json.part"
            spare.write_text(json.dumps(told, indent=1), encoding="utf-8")
            spare.replace(about)
        self._rounds = self._folder / "rounds.bin"
        self._rounds.touch()

    def read(self) -> list[RoundRecord]:
        """All rounds that were written whole; the rest is cut off."""
        data, found, at = self._rounds.read_bytes(), [], 0
        while at + _HEAD.size <= len(data):
            magic, length, checksum = _HEAD.unpack_from(data, at)
            piece = data[at + _HEAD.size : at + _HEAD.size + length]
            if magic != _MAGIC or len(piece) < length or zlib.crc32(piece) != checksum:
                break
            found.extend(unpack_rounds(piece))
            at += _HEAD.size + length
        if at < len(data):
            with self._rounds.open("r+b") as file:
                file.truncate(at)
        return found

    def write(self, new: list[RoundRecord]) -> None:
        """Add rounds."""
        piece = pack_rounds(new)
        with self._rounds.open("ab") as file:
            file.write(_HEAD.pack(_MAGIC, len(piece), zlib.crc32(piece)) + piece)


def folder_of(checkpoint: Any) -> Path:
    """The folder; raises `OptionError` if it is none of this machine."""
    if isinstance(checkpoint, str) and "://" in checkpoint:
        raise OptionError(f"checkpoint must be a folder of the client's machine; got the address {checkpoint!r}")
    try:
        return Path(checkpoint)
    except TypeError:
        raise OptionError(f"checkpoint must be a folder or None; got {checkpoint!r}") from None


def _read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        raise ModelFileError(f"{path} is damaged: {error}; delete the folder to start over") from None
    if not isinstance(found, dict):
        raise ModelFileError(f"{path} is damaged; delete the folder to start over")
    return found


def _check_same(before: Mapping[str, Any], now: Mapping[str, Any], folder: Path) -> None:
    for name in dict.fromkeys([*before, *now]):
        if before.get(name) != now.get(name):
            raise OptionError(
                f"checkpoint={str(folder)!r} holds another fit: {name} was {before.get(name)!r} and is "
                f"{now.get(name)!r}; give another folder, or the same data and parameters"
            )
