"""Mutations of model files: truncated, damaged and malicious files."""

import re
from collections.abc import Iterator

import numpy as np

_NUMBER = re.compile(rb"-?\d+(\.\d+)?([eE][-+]?\d+)?")
_EVIL = [
    b"-1",
    b"0",
    b"4294967296",
    b"99999999999999999999",
    b"2147483647",
    b"-2147483649",
    b"nan",
    b"inf",
    b"1e999",
    b"",
]


def mutations(content: bytes, n: int, seed: int) -> Iterator[bytes]:
    """Truncated, bit-flipped and byte-swapped files; text files also with exchanged or absurd numbers."""
    rng = np.random.default_rng(seed)
    spans = [match.span() for match in _NUMBER.finditer(content)]
    for _ in range(n):
        kind = int(rng.integers(0, 6 if len(spans) > 1 else 4))
        if kind == 0:
            yield content[: int(rng.integers(0, len(content)))]
        elif kind == 1:
            yield _flip(content, rng, int(rng.integers(1, 4)))
        elif kind == 2:
            at, size = int(rng.integers(0, len(content))), int(rng.integers(1, 64))
            yield content[:at] + content[at + size :]
        elif kind == 3:
            at, size = int(rng.integers(0, len(content))), int(rng.integers(1, 9))
            yield content[:at] + rng.bytes(size) + content[at + size :]
        elif kind == 4:
            start, end = spans[int(rng.integers(0, len(spans)))]
            yield content[:start] + _EVIL[int(rng.integers(0, len(_EVIL)))] + content[end:]
        else:
            (a, b), (c, d) = sorted(spans[int(k)] for k in rng.choice(len(spans), 2, replace=False))
            yield content[:a] + content[c:d] + content[b:c] + content[a:b] + content[d:]


def _flip(content: bytes, rng: np.random.Generator, n_bits: int) -> bytes:
    changed = bytearray(content)
    for _ in range(n_bits):
        changed[int(rng.integers(0, len(changed)))] ^= 1 << int(rng.integers(0, 8))
    return bytes(changed)
