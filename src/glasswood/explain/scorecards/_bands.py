"""Bands: neighbouring cells with one value, chosen by an exact dynamic programme."""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def band_starts(
    value: Floats, weight: Floats, *, max_bands: int | None = None, tolerance: float | None = None
) -> NDArray[np.int64]:
    """First item of every band, for items in order, with values (n_items, n_outputs) and weights (n_items,).

    The weighted sum of squares around the weighted means of the bands is least, among divisions into at most
    `max_bands` bands in which no item is further than `tolerance` from the mean of its band; without `max_bands`, among
    those with the fewest bands. Empty if there is no such division.
    """
    n = len(value)
    layers = 1 if max_bands is None else min(max_bands, n)
    # best[b][j]: least sum of squares of the first j items in b bands (in any number of them without max_bands)
    best = np.full((layers + 1, n + 1), np.inf)
    origin = np.zeros((layers + 1, n + 1), dtype=np.int64)
    count = np.zeros(n + 1, dtype=np.int64)
    best[0, 0] = 0.0
    if max_bands is None:
        best[1, 0] = 0.0
    for j in range(1, n + 1):
        squares = _squares(value[:j], weight[:j], tolerance)  # of the items i … j − 1 as one band, for every i
        if max_bands is None:
            found = best[1, :j] + squares
            fewest = np.where(np.isfinite(found), count[:j], n + 1)
            first = int(np.lexsort((found, fewest))[0])
            best[1, j], origin[1, j], count[j] = found[first], first, count[first] + 1
        else:
            found = best[:-1, :j] + squares
            origin[1:, j] = np.argmin(found, axis=1)
            best[1:, j] = found[np.arange(layers), origin[1:, j]]
    return _traced(best, origin, n, one_layer=max_bands is None)


def _traced(best: Floats, origin: NDArray[np.int64], n: int, *, one_layer: bool) -> NDArray[np.int64]:
    """Starts of the bands of the best division; of equally good ones that with fewer bands."""
    last = best[1:, n]
    if not np.isfinite(last.min()):
        return np.zeros(0, dtype=np.int64)
    layer = 1 + int(np.argmax(last <= last.min() * (1 + 1e-12)))
    starts, j = [], n
    while j > 0:
        j = int(origin[layer, j])
        starts.append(j)
        layer -= 0 if one_layer else 1
    return np.array(starts[::-1], dtype=np.int64)


def _squares(value: Floats, weight: Floats, tolerance: float | None) -> Floats:
    """Weighted sum of squares of the items from each place to the end; infinite if one is out of tolerance."""
    backwards, mass = value[::-1], np.cumsum(weight[::-1])
    centred = backwards - backwards[0]  # sums of squares of large numbers would lose the small differences
    total = np.cumsum(centred * weight[::-1, None], axis=0)
    mean = total / mass[:, None]
    squares = np.cumsum(centred**2 * weight[::-1, None], axis=0) - total * mean
    found: Floats = np.maximum(squares, 0.0).sum(axis=1)
    if tolerance is not None:
        high, low = np.maximum.accumulate(centred, axis=0), np.minimum.accumulate(centred, axis=0)
        far = ((high - mean > tolerance) | (mean - low > tolerance)).any(axis=1)
        found[far] = np.inf
    found[0] = 0.0  # an item alone is its own mean
    return found[::-1]
