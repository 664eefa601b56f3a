"""Placement: which worker holds which partitions during a fit."""

from collections.abc import Iterable, Mapping, Sequence

_EVEN = 1.25  # times the mean rows of a worker: what is below counts as even


def place(holders: Sequence[Iterable[str]], n_rows: Sequence[int], live: Iterable[str]) -> dict[str, list[int]]:
    """Partitions of each worker, one after the other; a worker without rows takes no part.

    A partition goes to a live worker that holds it, the one with the fewest rows so far, or to any live worker if no
    such worker is left. If one worker then has more than a quarter above the mean, partitions move to those with the
    fewest rows, as long as this helps. Workers are in the order of their first partition.

    Examples
    --------
    >>> from glasswood.dask._placement import place
    >>> place([["a"], ["a", "b"], ["b"]], [10, 10, 5], ["a", "b"])
    {'a': [0], 'b': [1, 2]}
    """
    alive = sorted(live)
    load: dict[str, int] = dict.fromkeys(alive, 0)
    owner: dict[int, str] = {}
    for k in sorted(range(len(n_rows)), key=lambda k: -n_rows[k]):
        near = [worker for worker in holders[k] if worker in load]
        owner[k] = min(near or alive, key=lambda worker: (load[worker], worker))
        load[owner[k]] += n_rows[k]
    _balance(owner, load, n_rows)
    found: dict[str, list[int]] = {}
    for k in range(len(n_rows)):
        if n_rows[k]:
            found.setdefault(owner[k], []).append(k)
    return found


def _balance(owner: dict[int, str], load: dict[str, int], n_rows: Sequence[int]) -> None:
    """Move partitions from the worker with the most rows to the one with the fewest."""
    while True:
        most, least = (pick(load, key=lambda worker: (load[worker], worker)) for pick in (max, min))
        gap = load[most] - load[least]
        movable = [k for k, worker in owner.items() if worker == most and 0 < n_rows[k] < gap]
        if not movable or load[most] * len(load) <= _EVEN * sum(load.values()):
            return
        k = min(movable, key=lambda k: (abs(2 * n_rows[k] - gap), k))  # leaves both as even as possible
        owner[k] = least
        load[most] -= n_rows[k]
        load[least] += n_rows[k]


def first_rows(n_rows: Sequence[int]) -> list[int]:
    """Number of the first row of each partition."""
    starts, at = [], 0
    for n in n_rows:
        starts.append(at)
        at += n
    return starts


def holders_of(keys: Sequence[str], who_has: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """Workers that hold each key."""
    return [sorted(who_has.get(key, ())) for key in keys]
