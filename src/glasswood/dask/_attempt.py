"""Attempt: one team on the workers, from its ports to its model or its loss."""

import asyncio
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from glasswood.dask._collections import need_dask
from glasswood.dask._member import Status, fit_member, forget, open_port, status, stop
from glasswood.dask._partitions import Share
from glasswood.dask._workers import ANSWER, LOOK, Polls, ask, bring, forget_lost, live_workers
from glasswood.errors import TeamLostError
from glasswood.train.boosting import RoundRecord, pack_rounds

_ALL = 2**62  # more rounds than there can be: a member that is asked for those after them has none to tell
_SIGNS = 6  # how often in the time of a silence each worker is asked whether it is there


@dataclass(eq=False)
class Attempt:
    """A team whose members are tasks on workers.

    `rounds` are those of the attempts before; they grow while the team works, and hold what the members of a lost team
    had finished.
    """

    client: Any
    silence: float
    ports: Any
    rounds: list[RoundRecord]
    on_rounds: Callable[[list[RoundRecord]], None]  # told of new rounds
    name: str = field(default_factory=lambda: secrets.token_hex(8))

    def run(self, estimator: Any, shares: Mapping[str, Share], eval_shares: Sequence[Mapping[str, Share]]) -> Any:
        """The fitted estimator; raises `TeamLostError` if a worker is lost, or the error of a member."""
        workers, futures = list(shares), []
        try:
            addresses = self._addresses(workers)
            token, earlier = secrets.token_bytes(32), pack_rounds(self.rounds)
            for rank, worker in enumerate(workers):
                of_eval = [table[worker] for table in eval_shares]
                known = b"" if rank else earlier  # the others get the rounds from the first member
                mine = (self.name, rank, addresses, token, estimator, shares[worker], of_eval, known)
                # a task that only this worker may do, and only once
                pinned: dict[str, Any] = {"workers": [worker], "pure": False, "retries": 0}
                futures.append(self.client.submit(fit_member, *mine, allow_other_workers=False, **pinned))
            return self._watch(workers, futures)
        except TeamLostError:
            self._take_leave(workers)
            raise
        finally:
            if futures:
                self.client.cancel(futures)
            ask(self.client, _still_there(self.client, workers), ANSWER, forget, self.name)

    def _addresses(self, workers: Sequence[str]) -> list[str]:
        answers = ask(self.client, workers, self.silence, open_port, self.name, self.ports, self.silence)
        for worker in workers:
            answer = answers.get(worker, TeamLostError(f"worker {worker} did not answer for {self.silence:g} s"))
            if isinstance(answer, OSError):
                raise TeamLostError(f"worker {worker} cannot be reached: {answer}")
            if isinstance(answer, BaseException):
                raise answer
        return [answers[worker] for worker in workers]

    def _watch(self, workers: Sequence[str], futures: Sequence[Any]) -> Any:
        """Wait for the members; raise if one of them is gone, so that the others do not wait for it."""
        distributed = need_dask("distributed")
        pauses = {worker: self.silence / _SIGNS if rank else 0.0 for rank, worker in enumerate(workers)}
        polls = Polls(self.client, status, pauses)
        try:
            while True:
                pending = [future for future in futures if not future.done()]
                with suppress(TimeoutError, distributed.TimeoutError, asyncio.CancelledError):
                    if pending:
                        distributed.wait(pending, timeout=LOOK, return_when="FIRST_COMPLETED")
                self._raise_errors(futures)
                if all(future.done() for future in futures):
                    self._add(_most(ask(self.client, workers[:1], ANSWER, status, self.name, len(self.rounds))))
                    return self._result(futures[0])
                live = live_workers(self.client)
                for worker, future in zip(workers, futures, strict=True):
                    if worker not in live and not future.done():
                        raise TeamLostError(f"worker {worker} left the cluster")
                asked = {worker: (self.name, len(self.rounds) if worker == workers[0] else _ALL) for worker in workers}
                for worker, answer in polls.latest(asked).items():
                    if worker == workers[0] and isinstance(answer, Status):
                        self._add(answer.new[len(self.rounds) - answer.n_known :])
                for worker in polls.silent(self.silence):
                    raise TeamLostError(f"worker {worker} has not answered for {self.silence:g} s")
        finally:
            polls.close()

    def _raise_errors(self, futures: Sequence[Any]) -> None:
        """Raise what the members raised: errors of its own before those that only report a lost member."""
        found = [future.exception() for future in futures if future.status == "error"]
        if any(future.status in ("cancelled", "lost") for future in futures):
            found.append(TeamLostError("a task of the fit was cancelled"))
        distributed = need_dask("distributed")
        for error in found:
            if not isinstance(error, (TeamLostError, distributed.KilledWorker)):
                raise error
        for error in found:
            raise error if isinstance(error, TeamLostError) else TeamLostError(str(error)) from error

    def _result(self, future: Any) -> Any:
        try:
            return bring(self.client, [future], self.silence)[0]
        except TimeoutError:
            raise TeamLostError("the worker with the model was lost") from None

    def _take_leave(self, workers: Sequence[str]) -> None:
        """Stop the members of a lost team, take the rounds they have, and have the scheduler forget who is silent."""
        there = _still_there(self.client, workers)
        answers = ask(self.client, there, min(self.silence, ANSWER), stop, self.name, len(self.rounds))
        self._add(_most(answers))
        forget_lost(self.client, there, answers, Status)

    def _add(self, new: list[RoundRecord]) -> None:
        if new:
            self.rounds.extend(new)
            self.on_rounds(new)


def _most(answers: Mapping[str, Any]) -> list[RoundRecord]:
    """New rounds of the member that has most of them."""
    return max((answer.new for answer in answers.values() if isinstance(answer, Status)), key=len, default=[])


def _still_there(client: Any, workers: Sequence[str]) -> list[str]:
    live = live_workers(client)
    return [worker for worker in workers if worker in live]
