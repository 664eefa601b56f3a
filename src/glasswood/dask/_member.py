"""Member: what a worker does in a fit: opens a port, joins the team, fits its partitions with the others.

What the client must reach while a fit runs (its port, its connections, its rounds) lies in a register of the process,
because a task cannot be asked for anything before it ends.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from glasswood.dask._collections import need_dask
from glasswood.dask._partitions import Share
from glasswood.errors import TeamLostError
from glasswood.estimators import PartedTable
from glasswood.team import Alone, Listener, SocketTeam, TeamTls, join, listen
from glasswood.train.boosting import RoundLog, RoundRecord, recorded, unpack_rounds

_PATIENCE = 5  # times the silence: how long members wait for each other at the start, and for a client that is silent


@dataclass(eq=False)
class _Membership:
    """A member of a fit on one worker."""

    listener: Listener
    silence: float
    log: RoundLog = field(default_factory=RoundLog)
    team: SocketTeam | Alone | None = None
    begun: bool = False
    stopped: str = ""
    asked: float = field(default_factory=time.monotonic)  # when the client asked last

    def check(self) -> None:
        """Raise `TeamLostError` if the fit must end."""
        if not self.stopped and time.monotonic() - self.asked > _PATIENCE * self.silence:
            self.stopped = f"the client has not asked for {_PATIENCE * self.silence:g} s"
        if self.stopped:
            raise TeamLostError(self.stopped)


@dataclass(frozen=True, slots=True)
class Status:
    """How far a member is."""

    n_known: int  # rounds that the client knows
    new: list[RoundRecord]  # those after them


# by fit and worker, because workers may be threads of one process
_MEMBERS: dict[tuple[str, str], _Membership] = {}


def open_port(fit: str, ports: Any, silence: float, dask_worker: Any = None) -> str:
    """Open a port on the worker's own address; returns it as host:port."""
    listener = listen(urlsplit(dask_worker.address).hostname or "127.0.0.1", ports)
    _MEMBERS[fit, dask_worker.address] = _Membership(listener, silence)
    return listener.address


def status(fit: str, n_known: int, dask_worker: Any = None) -> Status:
    """Rounds that are finished, after the first `n_known`."""
    member = _MEMBERS.get((fit, dask_worker.address))
    if member is None:
        return Status(n_known, [])
    member.asked = time.monotonic()
    return Status(n_known, member.log.rounds[n_known:])


def stop(fit: str, n_known: int, dask_worker: Any = None) -> Status:
    """End the fit of this worker, so that nothing waits for it. Returns its rounds as `status` does."""
    member = _MEMBERS.get((fit, dask_worker.address))
    if member is not None:
        member.stopped = member.stopped or "the client ended the fit"
        member.listener.close()
        if member.team is not None:
            member.team.abort(member.stopped)
    return status(fit, n_known, dask_worker)


def forget(fit: str, dask_worker: Any = None) -> None:
    """End the fit of this worker and keep nothing of it."""
    stop(fit, 0, dask_worker)
    _MEMBERS.pop((fit, dask_worker.address), None)


def fit_member(
    fit: str,
    rank: int,
    addresses: Sequence[str],
    token: bytes,
    estimator: Any,
    share: Share,
    eval_shares: Sequence[Share],
    earlier: bytes,
) -> Any:
    """Fit with the other members; the first returns the fitted estimator.

    `earlier` are the rounds of the attempts before; the first member has them, and gives them to the others.
    """
    distributed = need_dask("distributed")
    worker = distributed.get_worker()
    if estimator.n_jobs is None:
        estimator.set_params(n_jobs=worker.state.nthreads)
    distributed.secede()  # the fits of two clients must not wait for each other's threads
    member = _MEMBERS.get((fit, worker.address))
    if member is None or member.begun:
        raise TeamLostError(f"worker {worker.address} was started again during the fit", rank=rank)
    member.begun = True
    given: dict[str, Any] = {"wait": _PATIENCE * member.silence, "silence": member.silence, "tls": tls_of(worker)}
    # first of all: an error of a member that has joined reaches the others at once
    with join(rank, addresses, token, listener=member.listener, **given) as team:
        member.team = team
        member.check()  # it may have been stopped before it had a team
        rounds = unpack_rounds(team.swap([earlier] * team.size)[0])
        member.log = RoundLog(rounds, on_round=member.check)
        train, evaluate = _table(worker, share), [_table(worker, table) for table in eval_shares]
        if "row_id" not in train:
            train["row_id"] = np.concatenate(
                [np.arange(a, a + n) for a, n in zip(share.starts, share.n_rows, strict=True)]
            )
        watched = [tuple(table.get(name) for name in ("X", "y", "sample_weight", "offset")) for table in evaluate]
        with recorded(member.log):
            estimator.fit(train.pop("X"), train.pop("y"), **train, eval_set=watched or None, team=team)
    return estimator if rank == 0 else None


def tls_of(worker: Any) -> TeamTls | None:
    """The certificates of the worker, if its cluster encrypts what workers send."""
    if not worker.address.startswith(("tls://", "wss://")):
        return None
    opens = worker.security.get_connection_args("worker")["ssl_context"]
    return TeamTls(opens, worker.security.get_listen_args("worker")["ssl_context"])


def joined(parts: Sequence[Any]) -> Any:
    """The rows of several partitions as one table, series or array."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], np.ndarray):
        return np.concatenate(parts)
    return need_dask("pandas").concat(parts)


def _table(worker: Any, share: Share) -> dict[str, Any]:
    """The rows of a member: those of X stay in their partitions, of which one at a time is looked at."""
    held = _held(worker)
    found: dict[str, Any] = {
        name: joined([held(key) for key in keys] or [share.empty.get(name)])
        for name, keys in share.keys.items()
        if name != "X"
    }
    keys = share.keys["X"]
    return {"X": PartedTable(lambda k: held(keys[k]), share.n_rows, share.empty["X"]), **found}


def _held(worker: Any) -> Callable[[str], Any]:
    """What the worker holds under a key; a partition that is on its disk is read."""

    def held(key: str) -> Any:
        try:
            return worker.data[key]
        except KeyError:
            raise TeamLostError(f"a partition left worker {worker.address} during the fit") from None

    return held
