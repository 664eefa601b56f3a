"""Fit: brings the partitions of collections to the members of a team on the workers, and watches over them."""

import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from glasswood.dask._collections import check_same_partitions, need_dask, persisted
from glasswood.dask._member import close_port, fit_member, open_port
from glasswood.dask._placement import first_rows, holders_of, place
from glasswood.errors import OptionError, TableError, TeamLostError

_LOOK = 1.0  # seconds between two looks at the list of workers
SILENCE = 60.0  # seconds without any sign of life after which a worker counts as lost


def get_client(client: Any) -> Any:
    """The client to use; raises `OptionError` if it cannot be used or has no workers."""
    distributed = need_dask("distributed")
    if client is None:
        try:
            client = distributed.get_client()
        except ValueError:
            raise OptionError(
                "there is no Dask client; make one with client = distributed.Client(…) and pass client=client"
            ) from None
    if not isinstance(client, distributed.Client) or client.asynchronous:
        raise OptionError("client must be a distributed.Client that is not asynchronous")
    workers = client.nthreads()
    if any(address.startswith("tls://") for address in workers):
        raise OptionError(
            "the cluster uses TLS, which is not taken yet: the connections of workers during a fit are not encrypted"
        )
    if not workers:
        raise OptionError("the Dask cluster has no workers; start some, for example with cluster.scale(2)")
    return client


class Partitions:
    """Collections with the same rows, as futures of their partitions."""

    def __init__(self, client: Any, collections: Mapping[str, Any], where: str = "") -> None:
        check_same_partitions(collections)
        self.futures = persisted(client, collections)
        counts = {
            name: client.gather([client.submit(len, future) for future in futures])
            for name, futures in self.futures.items()
        }
        self.n_rows: list[int] = counts["X"]
        self.nothing = {name: client.submit(_no_rows, futures[0]) for name, futures in self.futures.items()}
        for name, lengths in counts.items():
            for k, (own, other) in enumerate(zip(self.n_rows, lengths, strict=True)):
                if own != other:
                    raise TableError(f"{where}partition {k} of X has {own} rows, that of {name} has {other}")

    def of(self, some: Sequence[int]) -> dict[str, list[Any]]:
        """Futures of some partitions; of a partition without rows if there are none."""
        return {name: [futures[k] for k in some] or [self.nothing[name]] for name, futures in self.futures.items()}


def fit_on_workers(
    client: Any, estimator: Any, train: Partitions, evaluate: Sequence[Partitions], silence: float
) -> Any:
    """Fit an estimator on the rows of all workers; returns it fitted."""
    if not sum(train.n_rows):
        raise TableError("no partition of X has a row")
    placed = _placed(client, train)
    dealt = [_dealt(client, table, list(placed)) for table in evaluate]
    fit, token = secrets.token_hex(8), secrets.token_bytes(32)
    workers = list(placed)
    pinned: dict[str, Any] = {"pure": False, "retries": 0, "allow_other_workers": False}
    addresses = client.gather([client.submit(open_port, fit, workers=[worker], **pinned) for worker in workers])
    starts = first_rows(train.n_rows)
    members = [
        client.submit(
            fit_member,
            fit,
            rank,
            addresses,
            token,
            estimator,
            train.of(placed[worker]),
            [starts[k] for k in placed[worker]],
            [table.of(some[worker]) for table, some in zip(evaluate, dealt, strict=True)],
            silence,
            workers=[worker],
            **pinned,
        )
        for rank, worker in enumerate(workers)
    ]
    try:
        return _first_result(_outcomes(client, members, workers))
    finally:
        client.cancel(members)
        client.run(close_port, fit, workers=[worker for worker in workers if worker in client.nthreads()])


def _no_rows(part: Any) -> Any:
    return part[:0]


def _placed(client: Any, table: Partitions) -> dict[str, list[int]]:
    futures = table.futures["X"]
    need_dask("distributed").wait(futures)
    return place(holders_of([f.key for f in futures], client.who_has(futures)), table.n_rows, client.nthreads())


def _dealt(client: Any, table: Partitions, workers: Sequence[str]) -> dict[str, list[int]]:
    """Partitions of an evaluation table for each member; some may have none."""
    placed = _placed(client, table)
    found: dict[str, list[int]] = {worker: [] for worker in workers}
    for worker, some in placed.items():
        found[worker if worker in found else min(found, key=lambda w: len(found[w]))].extend(some)
    return found


def _outcomes(client: Any, members: Sequence[Any], workers: Sequence[str]) -> list[Any]:
    """What each member returned or raised; the result of a worker that is gone is a `TeamLostError`."""
    distributed = need_dask("distributed")
    outcomes: dict[int, Any] = {}
    while len(outcomes) < len(members):
        pending = [future for rank, future in enumerate(members) if rank not in outcomes]
        with suppress(TimeoutError, distributed.TimeoutError):
            distributed.wait(pending, timeout=_LOOK, return_when="FIRST_COMPLETED")
        live = client.nthreads()
        for rank, future in enumerate(members):
            if rank in outcomes:
                continue
            if future.done():
                outcomes[rank] = future.result() if future.status == "finished" else future.exception()
            elif workers[rank] not in live:
                outcomes[rank] = TeamLostError(f"worker {workers[rank]} left the cluster", rank=rank)
    return [outcomes[rank] for rank in range(len(members))]


def _first_result(outcomes: Sequence[Any]) -> Any:
    """The fitted estimator, or the error that says most."""
    errors = [outcome for outcome in outcomes if isinstance(outcome, BaseException)]
    for error in sorted(errors, key=lambda error: isinstance(error, TeamLostError)):
        raise error
    return outcomes[0]
