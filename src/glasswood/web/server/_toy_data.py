"""Generated tables: two numbers and a class per row, from a seed."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64]]


def moons(n: int, classes: int, noise: float, seed: int) -> Rows:
    """Interleaving half circles; with two classes exactly those of scikit-learn's make_moons."""
    random = np.random.RandomState(seed)
    parts = []
    for k, size in enumerate(_sizes(n, classes)):
        turn = np.linspace(0, np.pi, size)
        # outer moons open downwards, inner ones upwards, each one step to the right
        parts.append(
            np.stack([k - np.cos(turn), 1 - np.sin(turn) - 0.5] if k % 2 else [k + np.cos(turn), np.sin(turn)])
        )
    return _shuffled(random, np.concatenate(parts, axis=1).T, _labels(n, classes), noise)


def circles(n: int, classes: int, noise: float, seed: int) -> Rows:
    """Concentric rings, the first class outside."""
    random = np.random.RandomState(seed)
    parts = []
    for k, size in enumerate(_sizes(n, classes)):
        turn = np.linspace(0, 2 * np.pi, size, endpoint=False)
        parts.append(np.stack([np.cos(turn), np.sin(turn)]) * (classes - k) / classes)
    return _shuffled(random, np.concatenate(parts, axis=1).T, _labels(n, classes), noise)


def blobs(n: int, classes: int, noise: float, seed: int) -> Rows:
    """Round clouds with centres on a circle; `noise` is their radius."""
    random = np.random.RandomState(seed)
    labels = _labels(n, classes)
    turn = 2 * np.pi * labels / classes
    return _shuffled(random, np.stack([np.cos(turn), np.sin(turn)], axis=1), labels, noise)


def xor(n: int, classes: int, noise: float, seed: int) -> Rows:
    """A chessboard: neighbouring fields differ in class, diagonal ones are equal (with two classes)."""
    random = np.random.RandomState(seed)
    X = random.uniform(0, classes, size=(n, 2))
    y = np.floor(X).astype(np.int64).sum(axis=1) % classes
    return X + random.normal(scale=noise, size=X.shape) if noise else X, y


GENERATORS: dict[str, Callable[[int, int, float, int], Rows]] = {
    "moons": moons,
    "circles": circles,
    "blobs": blobs,
    "xor": xor,
}


def _sizes(n: int, classes: int) -> list[int]:
    """Number of rows of each class; the last ones get the remainder."""
    return [n // classes + (k >= classes - n % classes) for k in range(classes)]


def _labels(n: int, classes: int) -> NDArray[np.int64]:
    return np.repeat(np.arange(classes), _sizes(n, classes))


def _shuffled(random: np.random.RandomState, X: NDArray[np.float64], y: NDArray[np.int64], noise: float) -> Rows:
    """Shuffle the rows, then add noise."""
    order = np.arange(len(y))
    random.shuffle(order)
    X, y = X[order], y[order]
    return X + random.normal(scale=noise, size=X.shape) if noise else X, y
