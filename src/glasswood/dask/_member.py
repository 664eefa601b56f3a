"""Member: what a worker does in a fit: opens a port, joins the team, fits its partitions with the others."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from glasswood.dask._collections import need_dask
from glasswood.errors import TeamLostError
from glasswood.team import Listener, join, listen

# the open ports of the workers of this process, by fit and worker; a task that runs a second time finds none
_LISTENERS: dict[tuple[str, str], Listener] = {}


def open_port(fit: str) -> str:
    """Open a port on the worker's own address; returns it as host:port."""
    address = need_dask("distributed").get_worker().address
    listener = _LISTENERS[fit, address] = listen(urlsplit(address).hostname or "127.0.0.1")
    return listener.address


def close_port(fit: str) -> None:
    """Forget the port of a fit that did not begin."""
    for key in [key for key in _LISTENERS if key[0] == fit]:
        _LISTENERS.pop(key).close()


def fit_member(
    fit: str,
    rank: int,
    addresses: Sequence[str],
    token: bytes,
    estimator: Any,
    parts: dict[str, list[Any]],
    starts: Sequence[int],
    eval_parts: Sequence[dict[str, list[Any]]],
    silence: float,
) -> Any:
    """Fit with the other members; the first returns the fitted estimator."""
    distributed = need_dask("distributed")
    worker = distributed.get_worker()
    if estimator.n_jobs is None:
        estimator.set_params(n_jobs=worker.state.nthreads)
    distributed.secede()  # the fits of two clients must not wait for each other's threads
    listener = _LISTENERS.pop((fit, worker.address), None)
    if listener is None:
        raise TeamLostError(f"worker {worker.address} was started again during the fit", rank=rank)
    # first of all: an error of a member that has joined reaches the others at once
    with join(rank, addresses, token, listener=listener, silence=silence) as team:
        if "row_id" not in parts:
            numbers = [np.arange(start, start + len(X)) for start, X in zip(starts, parts["X"], strict=True)]
            parts = {**parts, "row_id": numbers}
        train = {name: joined(some) for name, some in parts.items()}
        evaluate = [_evaluation(table) for table in eval_parts]
        estimator.fit(train.pop("X"), train.pop("y"), **train, eval_set=evaluate or None, team=team)
    return estimator if rank == 0 else None


def joined(parts: Sequence[Any]) -> Any:
    """The rows of several partitions as one table, series or array."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return need_dask("pandas").concat(parts)


def _evaluation(table: dict[str, list[Any]]) -> tuple[Any, ...]:
    some = {name: joined(parts) for name, parts in table.items()}
    return (some["X"], some["y"], some.get("sample_weight"), some.get("offset"))
