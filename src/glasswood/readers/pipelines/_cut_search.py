"""Carry: cuts of a transformed column, found in the caller's column as the last float64 to their left."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.readers._float_keys import LARGEST, from_keys, last_true, to_keys
from glasswood.readers.pipelines._tracks import Track, undone, values_of

_FURTHEST = 2**24  # floats by which an inverse is corrected


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """The cuts of one track within one stretch of its column."""

    low: float  # first and last float of the stretch
    high: float
    below_at_low: NDArray[np.bool_]  # (n_cuts,) whether the first float, transformed, is at or below the cut
    below_at_high: NDArray[np.bool_]
    last: NDArray[np.float64]  # (n_cuts,) last float with the same result as the first; `high` if all have it


def stretches(track: Track) -> list[tuple[float, float]]:
    """Parts of the float64 range, in order, within each of which the track is monotone."""
    bounds = [(-LARGEST, LARGEST)]
    for depth, link in enumerate(track.links):
        if not link.pivots:
            continue
        before = Track(track.source, None, 0, track.links[:depth])
        pivots = np.array(link.pivots)
        ends = [high for _, high in bounds]
        if before.links:
            found = carry([before] * len(bounds), [pivots] * len(bounds), bounds)
            ends += [float(end) for part in found for end in part.last]
        else:
            ends += [end for end in pivots.tolist() if -LARGEST <= end <= LARGEST]
        ordered = sorted(set(ends))
        lows = [-LARGEST, *(float(np.nextafter(end, np.inf)) for end in ordered[:-1])]
        bounds = list(zip(lows, ordered, strict=True))
    return bounds


def carry(
    tracks: Sequence[Track], cuts: Sequence[NDArray[np.float64]], bounds: Sequence[tuple[float, float]]
) -> list[Carried]:
    """Find the cuts of each track within its stretch, all at once."""
    ends = values_of([*tracks, *tracks], [*(np.array([low]) for low, _ in bounds), *(np.array([h]) for _, h in bounds)])
    n = len(tracks)
    at_low = [ends[k] <= cuts[k] for k in range(n)]
    at_high = [ends[n + k] <= cuts[k] for k in range(n)]
    last = [np.full(len(cuts[k]), bounds[k][1]) for k in range(n)]
    moving = [np.flatnonzero(at_low[k] != at_high[k]) for k in range(n)]
    active = [k for k in range(n) if len(moving[k])]
    if active:
        found = _cuts(
            [tracks[k] for k in active],
            [cuts[k][moving[k]] for k in active],
            [bounds[k] for k in active],
            [at_low[k][moving[k]] for k in active],
        )
        for k, array in zip(active, found, strict=True):
            last[k][moving[k]] = array
    return [Carried(bounds[k][0], bounds[k][1], at_low[k], at_high[k], last[k]) for k in range(n)]


def _cuts(
    tracks: Sequence[Track],
    cuts: Sequence[NDArray[np.float64]],
    bounds: Sequence[tuple[float, float]],
    at_low: Sequence[NDArray[np.bool_]],
) -> list[NDArray[np.float64]]:
    sizes = np.array([len(array) for array in cuts])
    owner = np.repeat(np.arange(len(tracks)), sizes)
    cut, first = np.concatenate(cuts), np.concatenate(at_low)

    def asked(which: NDArray[np.intp], at: NDArray[np.float64]) -> NDArray[np.bool_]:
        # `which` is ascending, so the floats of one track are contiguous
        split = np.searchsorted(owner[which], np.arange(1, len(tracks)))
        values = np.concatenate(values_of(tracks, np.split(at, split)))
        return np.asarray((values <= cut[which]) == first[which])

    low = np.repeat([low for low, _ in bounds], sizes)
    high = np.repeat([high for _, high in bounds], sizes)
    guess = np.concatenate([_end_of(array, at) for array, at in zip(cuts, undone(tracks, cuts), strict=True)])
    return np.split(last_true(asked, low, high, guess), np.cumsum(sizes)[:-1])


def _end_of(cuts: NDArray[np.float64], guess: NDArray[np.float64]) -> NDArray[np.float64]:
    """Where the results stop being rounded to the cut: half a step of the cut beyond its inverse."""
    if len(cuts) < 2 or not np.isfinite(guess).all():
        return guess
    keys = to_keys(guess)
    # the next cut and its inverse tell how many floats of the column there are per step of the result
    with np.errstate(all="ignore"):
        slope = np.diff(keys.astype(np.float64)) / np.diff(cuts)
        away = np.append(slope, slope[-1]) * np.spacing(np.abs(cuts)) / 2
    return from_keys(keys + np.clip(np.nan_to_num(np.rint(away)), -_FURTHEST, _FURTHEST).astype(np.int64))
