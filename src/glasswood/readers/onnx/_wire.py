"""Wire: the bytes of protocol buffers, as ONNX files hold them: messages taken apart within bounds.

A field is a key (its number and the kind of what follows) and a number or a length with as many bytes. A repeated
number stands with its key before every element, or packed into one run of bytes; both are read. Runs of numbers become
arrays, so a file never takes more than a small multiple of its size.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import ModelFileError
from glasswood.writers import BYTES, FIXED32, FIXED64, VARINT, field_key, put_bytes, varint

_MAX_BYTES = 10  # of a number of 64 bits, 7 in each
_SHORT_RUN = 16  # elements looked at one by one before a run is decoded as an array
_FIXED = {FIXED32: 4, FIXED64: 8}


class Message:
    """One message: its fields by number, with nothing inside them looked at yet."""

    __slots__ = ("_buffer", "_fixed", "_numbers", "_spans")

    def __init__(self, buffer: bytes, start: int = 0, end: int | None = None) -> None:
        self._buffer = buffer
        self._spans: dict[int, array[int]] = defaultdict(lambda: array("q"))  # start, end, start, end, …
        self._numbers: dict[int, list[NDArray[np.uint64]]] = defaultdict(list)
        self._fixed: dict[int, list[NDArray[np.uint8]]] = defaultdict(list)
        at, stop = start, len(buffer) if end is None else end
        while at < stop:
            at = self._field(at, stop)

    def numbers_of_fields(self) -> set[int]:
        """Numbers of the fields that are there."""
        return {*self._spans, *self._numbers, *self._fixed}

    def text(self, field: int, default: str = "") -> str:
        """Content of a text that stands at most once."""
        found = self.texts(field)
        _once(field, len(found))
        return found[0] if found else default

    def texts(self, field: int) -> list[str]:
        """Contents of a repeated text; equal ones are one object."""
        spans, known = self._spans.get(field, ()), dict[bytes, str]()
        found = []
        for k in range(0, len(spans), 2):
            content = self._buffer[spans[k] : spans[k + 1]]
            if content not in known:
                try:
                    known[content] = content.decode()
                except UnicodeDecodeError as error:
                    raise ModelFileError(f"a text in it is not UTF-8: {error}") from None
            found.append(known[content])
        return found

    def content(self, field: int) -> bytes:
        """Bytes of a field that stands at most once."""
        found = self.contents(field)
        _once(field, len(found))
        return found[0] if found else b""

    def contents(self, field: int) -> list[bytes]:
        """Bytes of every place in which a field stands."""
        spans = self._spans.get(field, ())
        return [self._buffer[spans[k] : spans[k + 1]] for k in range(0, len(spans), 2)]

    def message(self, field: int) -> "Message | None":
        """The message of a field that stands at most once, None where it is not there."""
        found = self.messages(field, most=1)
        return found[0] if found else None

    def messages(self, field: int, *, most: int) -> "list[Message]":
        """The messages of a repeated field, of which there may be no more than `most`."""
        spans = self._spans.get(field, ())
        if len(spans) > 2 * most:
            raise ModelFileError(f"field {field} stands {len(spans) // 2:,} times where at most {most:,} are read")
        return [Message(self._buffer, spans[k], spans[k + 1]) for k in range(0, len(spans), 2)]

    def integer(self, field: int, default: int = 0) -> int:
        """A whole number that stands at most once."""
        found = self.integers(field)
        _once(field, len(found))
        return int(found[0]) if len(found) else default

    def integers(self, field: int) -> NDArray[np.int64]:
        """Numbers of a repeated field, packed or not."""
        parts = list(self._numbers.get(field, ()))
        spans = self._spans.get(field, ())
        _one_form(bool(parts), bool(spans))
        for k in range(0, len(spans), 2):
            values, ends = _varints(self._buffer, spans[k], spans[k + 1])
            if spans[k + 1] > spans[k] and (not len(ends) or ends[-1] != spans[k + 1]):
                raise ModelFileError("a number in it is cut off")
            parts.append(values)
        return np.concatenate(parts).view(np.int64) if parts else np.zeros(0, dtype=np.int64)

    def floats(self, field: int, dtype: str) -> NDArray[np.float64]:
        """Numbers of a repeated field of float32 ("<f4") or float64 ("<f8"), packed or not, as float64."""
        size, parts = np.dtype(dtype).itemsize, list(self._fixed.get(field, ()))
        spans = self._spans.get(field, ())
        _one_form(bool(parts), bool(spans))
        parts += [np.frombuffer(self._buffer[spans[k] : spans[k + 1]], np.uint8) for k in range(0, len(spans), 2)]
        if any(len(part) % size for part in parts):
            raise ModelFileError("a list of numbers in it is cut off")
        if not parts:
            return np.zeros(0)
        with np.errstate(all="ignore"):  # a NaN of the kind that signals
            return np.concatenate(parts).view(dtype).astype(np.float64)

    def without(self, fields: Iterable[int]) -> bytes:
        """The bytes of the message without some fields."""
        gone = set(fields)
        parts = []
        for field in sorted(self.numbers_of_fields() - gone):
            parts += [put_bytes(field, content) for content in self.contents(field)]
            parts += [
                field_key(field, VARINT) + varint(int(number)) for run in self._numbers.get(field, ()) for number in run
            ]
            for run in self._fixed.get(field, ()):
                parts.append(field_key(field, BYTES) + varint(len(run)) + run.tobytes())  # packed, which is the same
        return b"".join(parts)

    def _field(self, at: int, stop: int) -> int:
        """Take the field at `at`, with those of the same kind that follow it; give where the next starts."""
        key, after = _one_varint(self._buffer, at, stop)
        field, kind = key >> 3, key & 7
        if not 0 < field < 2**29:
            raise ModelFileError(f"its bytes do not form messages: a field has the number {field}")
        if kind == BYTES:
            length, after = _one_varint(self._buffer, after, stop)
            if length > stop - after:
                raise ModelFileError("a part in it is longer than what holds it")
            self._spans[field].extend((after, after + length))
            return self._short_texts(field, self._buffer[at], after + length, stop) if key < 128 else after + length
        if kind == VARINT:
            return self._number_run(field, at, after, stop)
        if kind in _FIXED:
            return self._fixed_run(field, _FIXED[kind], at, after, stop)
        raise ModelFileError(f"its bytes do not form messages: a field is of kind {kind}")

    def _short_texts(self, field: int, key: int, at: int, stop: int) -> int:
        """Take the fields of the same key and fewer than 128 bytes that follow: a tree names the mode of every node."""
        buffer, add = self._buffer, self._spans[field].append
        while at + 1 < stop and buffer[at] == key and buffer[at + 1] < 128:
            end = at + 2 + buffer[at + 1]
            if end > stop:
                raise ModelFileError("a part in it is longer than what holds it")
            add(at + 2)
            add(end)
            at = end
        return at

    def _number_run(self, field: int, at: int, after: int, stop: int) -> int:
        key = self._buffer[at:after]
        found: list[int] = []
        while len(found) < _SHORT_RUN and self._buffer.startswith(key, at, stop):
            number, at = _one_varint(self._buffer, at + len(key), stop)
            found.append(number)
        self._numbers[field].append(np.array(found, dtype=np.uint64))
        window = 1024
        while len(found) == _SHORT_RUN and len(key) == 1 and self._buffer.startswith(key, at, stop):
            # keys of one byte and numbers take turns; what follows the run is decoded in vain, so the window grows
            values, ends = _varints(self._buffer, at, min(stop, at + window), strict=False)
            pairs = len(values) // 2
            wrong = np.flatnonzero(values[: 2 * pairs : 2] != key[0])
            pairs = int(wrong[0]) if len(wrong) else pairs
            if pairs == 0:
                break
            self._numbers[field].append(values[1 : 2 * pairs : 2])
            at, window = int(ends[2 * pairs - 1]), window * 2
            if len(wrong):
                break
        return at

    def _fixed_run(self, field: int, size: int, at: int, after: int, stop: int) -> int:
        key, record = self._buffer[at:after], after - at + size
        window = 64
        while self._buffer.startswith(key, at, stop):
            n = min(window, (stop - at) // record)
            if n == 0:
                raise ModelFileError("a number in it is cut off")
            table = np.frombuffer(self._buffer, np.uint8, n * record, at).reshape(n, record)
            other = np.flatnonzero((table[:, : len(key)] != np.frombuffer(key, np.uint8)).any(axis=1))
            n = int(other[0]) if len(other) else n
            self._fixed[field].append(table[:n, len(key) :].ravel())
            at, window = at + n * record, window * 2
        return at


def _once(field: int, n: int) -> None:
    if n > 1:
        raise ModelFileError(f"field {field} stands {n} times where one is expected")


def _one_form(single: bool, packed: bool) -> None:
    if single and packed:
        raise ModelFileError("a list of numbers in it is partly packed, so their order is not known")


def _one_varint(buffer: bytes, at: int, stop: int) -> tuple[int, int]:
    number = 0
    for k in range(_MAX_BYTES):
        if at + k >= stop:
            raise ModelFileError("it ends in the middle of a number")
        byte = buffer[at + k]
        number |= (byte & 127) << (7 * k)
        if byte < 128:
            return number & (2**64 - 1), at + k + 1
    raise ModelFileError("a number in it has more than 64 bits")


def _varints(
    buffer: bytes, start: int, end: int, *, strict: bool = True
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """All whole numbers that end before `end`, and where each ends; up to one that is too long where not `strict`."""
    content = np.frombuffer(buffer, np.uint8, max(0, end - start), start)
    ends = np.flatnonzero(content < 128) + 1
    if not len(ends):
        return np.zeros(0, dtype=np.uint64), ends
    starts = np.concatenate([[0], ends[:-1]])
    length = ends - starts
    too_long = np.flatnonzero(length > _MAX_BYTES)
    if len(too_long) and strict:
        raise ModelFileError("a number in it has more than 64 bits")
    if len(too_long):
        starts, ends, length = starts[: too_long[0]], ends[: too_long[0]], length[: too_long[0]]
    values = np.zeros(len(ends), dtype=np.uint64)
    for k in range(int(length.max(initial=0))):
        here = np.flatnonzero(length > k)
        values[here] |= (content[starts[here] + k] & np.uint8(127)).astype(np.uint64) << np.uint64(7 * k)
    return values, ends + start
