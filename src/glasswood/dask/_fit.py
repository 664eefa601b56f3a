"""Fit: attempts to fit on the workers, until one succeeds; each goes on from the rounds of those before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from glasswood._checks import check_between, check_whole
from glasswood.dask._attempt import Attempt
from glasswood.dask._collections import need_dask
from glasswood.dask._partitions import Partitions
from glasswood.dask._placement import place
from glasswood.dask._places import with_places
from glasswood.dask._workers import live_workers, need_workers
from glasswood.errors import OptionError, TableError, TeamLostError
from glasswood.train.boosting import RoundRecord


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long a fit waits, and how often it restarts."""

    silence: float = 60.0  # seconds without any sign of life after which a worker counts as lost
    max_restarts: int = 3  # without a finished round in between

    def __post_init__(self) -> None:
        check_between("silence", self.silence, 0, float("inf"))
        check_whole("max_restarts", self.max_restarts, 0)


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
    if not client.nthreads():
        raise OptionError("the Dask cluster has no workers; start some, for example with cluster.scale(2)")
    return client


def fit_on_workers(
    client: Any,
    estimator: Any,
    train: Partitions,
    evaluate: Sequence[Partitions],
    timeouts: Timeouts,
    *,
    ports: Any = 0,
    earlier: Sequence[RoundRecord] = (),
    on_rounds: Callable[[list[RoundRecord]], None] = lambda new: None,
) -> Any:
    """Fit an estimator on the rows of all workers; returns it fitted.

    `earlier` are rounds to go on from; `on_rounds` is told of new ones while the fit runs.
    """
    if not sum(train.n_rows):
        raise TableError("no partition of X has a row")
    rounds, losses, restarts = list(earlier), [], 0
    while True:
        attempt = Attempt(client, timeouts.silence, ports, list(rounds), on_rounds)
        try:
            return _run(attempt, estimator, train, evaluate)
        except TeamLostError as error:
            losses.append(f"after {len(attempt.rounds)} rounds: {error}")
            restarts = restarts + 1 if len(attempt.rounds) == len(rounds) else 1
            rounds = attempt.rounds
            if restarts > timeouts.max_restarts:
                raise TeamLostError(_describe_losses(losses, timeouts.max_restarts), rank=error.rank) from error


def _run(attempt: Attempt, estimator: Any, train: Partitions, evaluate: Sequence[Partitions]) -> Any:
    client = attempt.client
    need_workers(client, attempt.silence)
    placed = place(train.holders(), train.n_rows, live_workers(client))
    dealt = [_dealt(table, list(placed), live_workers(client)) for table in evaluate]
    brought = train.bring(placed)
    watched = [table.bring(some) for table, some in zip(evaluate, dealt, strict=True)]
    shares = {worker: brought.share(some) for worker, some in placed.items()}
    eval_shares = [
        {worker: table.share(some) for worker, some in of_workers.items()}
        for table, of_workers in zip(watched, dealt, strict=True)
    ]
    try:
        return attempt.run(estimator, shares, eval_shares)
    except (TableError, OptionError) as error:
        n_rows = [train.n_rows, *(table.n_rows for table in evaluate)]
        set_aside = estimator.early_stopping and not evaluate
        raise with_places(error, placed, dealt, n_rows, set_aside=set_aside) from None


def _dealt(table: Partitions, workers: Sequence[str], live: Sequence[str]) -> dict[str, list[int]]:
    """Partitions of an evaluation table for each member; some may have none."""
    found: dict[str, list[int]] = {worker: [] for worker in workers}
    for worker, some in place(table.holders(), table.n_rows, live).items():
        found[worker if worker in found else min(found, key=lambda w: len(found[w]))].extend(some)
    return found


def _describe_losses(losses: Sequence[str], max_restarts: int) -> str:
    told = "; ".join(f"{k + 1}. {loss}" for k, loss in enumerate(losses))
    return f"the fit was restarted {max_restarts} times without finishing a round in between: {told}"
