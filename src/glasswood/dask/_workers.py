"""Workers: questions to them with a deadline, and results of tasks while workers come and go."""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from glasswood.dask._collections import need_dask
from glasswood.errors import TeamLostError

LOOK = 1.0  # seconds between two looks at tasks and workers
ANSWER = 10.0  # seconds in which a worker that is suspected to be lost must answer


def live_workers(client: Any) -> list[str]:
    """Addresses of the workers that the scheduler knows."""
    return sorted(client.nthreads())


def ask(client: Any, workers: Iterable[str], seconds: float, function: Callable[..., Any], *given: Any) -> Any:
    """What a function returns in the process of each worker; workers that do not answer in time are left out.

    The function runs beside the tasks of the worker, so busy workers answer too. What it raises is returned.
    """

    async def all_of_them() -> dict[str, Any]:
        asked = {worker: asyncio.ensure_future(_answer(client, worker, function, given)) for worker in workers}
        if asked:
            await asyncio.wait(asked.values(), timeout=seconds)
        answers = {worker: question.result() for worker, question in asked.items() if question.done()}
        for question in asked.values():
            question.cancel()
        return answers

    return client.sync(all_of_them)


class Polls:
    """A call repeated on each worker, one at a time.

    `pauses` are the seconds before a worker is asked again: workers write a line to their logs for every question.
    """

    def __init__(self, client: Any, function: Callable[..., Any], pauses: Mapping[str, float]) -> None:
        self._client, self._function, self._pauses = client, function, pauses
        self._asked: dict[str, tuple[asyncio.Future[Any], float]] = {}

    def latest(self, given: dict[str, tuple[Any, ...]]) -> dict[str, Any]:
        """The last answers of workers that have answered; they are asked again after a pause. Does not wait."""

        async def latest() -> dict[str, Any]:
            answers = {worker: question.result() for worker, (question, _) in self._asked.items() if question.done()}
            now = time.monotonic()
            for worker, arguments in given.items():
                known = self._asked.get(worker)
                if known is None or (known[0].done() and now - known[1] >= self._pauses[worker]):
                    question = asyncio.ensure_future(_answer(self._client, worker, self._function, arguments))
                    self._asked[worker] = question, now
            return answers

        answers: dict[str, Any] = self._client.sync(latest)
        return answers

    def silent(self, seconds: float) -> list[str]:
        """Workers that have not answered for so long."""
        now = time.monotonic()
        return [worker for worker, (q, begun) in self._asked.items() if not q.done() and now - begun > seconds]

    def close(self) -> None:
        """Wait for no more answers."""

        async def close() -> None:
            for question, _ in self._asked.values():
                question.cancel()

        self._client.sync(close)


async def _answer(client: Any, worker: str, function: Callable[..., Any], given: Sequence[Any]) -> Any:
    """What the function returns or raises on the worker, or the error of the way there."""
    try:
        return (await client.run(function, *given, workers=[worker], on_error="return"))[worker]
    except (OSError, KeyError, ValueError) as error:
        return error


def forget_lost(client: Any, workers: Sequence[str], answers: Mapping[str, Any], wanted: type) -> None:
    """Have the scheduler forget those of the workers whose answer is not as wanted.

    A stopped worker would keep its partitions, and all tasks that need them, for as long as the scheduler waits for it.
    One that did not answer at all is killed by its nanny, which starts another; one that cannot be reached is dead.
    """
    lost = [worker for worker in workers if not isinstance(answers.get(worker), wanted)]
    if lost:
        client.run_on_scheduler(_forget, lost, [worker for worker in lost if worker not in answers])


def remove_silent(client: Any, silence: float) -> None:
    """Have the scheduler forget the workers that do not answer."""
    workers = live_workers(client)
    forget_lost(client, workers, ask(client, workers, min(silence, ANSWER), _here), bool)


def _here() -> bool:
    return True


async def _forget(workers: list[str], stopped: list[str], dask_scheduler: Any = None) -> None:
    """Runs in the scheduler. Killing may take its time and is not waited for."""
    for worker in workers:
        state = dask_scheduler.workers.get(worker)
        nanny = None if state is None else state.nanny
        await dask_scheduler.remove_worker(worker, close=nanny is None, stimulus_id=f"glasswood-lost-{time.time()}")
        if nanny is not None and worker in stopped:
            _KILLING.append(asyncio.ensure_future(_kill(nanny, dask_scheduler.connection_args)))


_KILLING: list[Any] = []  # without a reference a task may be dropped


async def _kill(nanny: str, connection_args: Any) -> None:
    with suppress(OSError):
        async with need_dask("distributed.core").rpc(nanny, connection_args=connection_args) as connected:
            await connected.kill(reason="glasswood-lost")
    _KILLING[:] = [task for task in _KILLING if not task.done()]


def wait_for(client: Any, futures: Sequence[Any], silence: float, needed: Sequence[str] = ()) -> None:
    """Wait until tasks are done, and raise their errors.

    Workers that no longer answer are removed, so that others compute what they held.
    Tasks that only the `needed` workers may do would never start if that worker is gone: raises `TeamLostError` then.
    """
    distributed = need_dask("distributed")
    n_done, begun = -1, time.monotonic()
    while not all(future.done() for future in futures):
        # not the first of them: a look at all of them after each would take the square of their number
        with suppress(TimeoutError, distributed.TimeoutError, asyncio.CancelledError):
            distributed.wait([f for f in futures if not f.done()], timeout=LOOK)
        gone = set(needed) - set(live_workers(client)) if needed else set()
        if gone:
            raise TeamLostError(f"worker {', '.join(sorted(gone))} left the cluster")
        now_done = sum(future.done() for future in futures)
        if now_done > n_done:
            n_done, begun = now_done, time.monotonic()
        elif not client.nthreads():
            need_workers(client, silence)
        elif time.monotonic() - begun > silence:
            remove_silent(client, silence)
            begun = time.monotonic()
    for future in futures:
        if future.status == "error":
            raise future.exception()
        if future.status == "cancelled":
            raise TeamLostError("a task of the fit was cancelled: it needs data that are lost for good")


def bring(client: Any, futures: Sequence[Any], seconds: float) -> list[Any]:
    """Results of tasks that are done; raises `TimeoutError` if they do not come in time, or the error of a task."""

    async def gather() -> list[Any]:
        return list(await asyncio.wait_for(client.gather(list(futures), asynchronous=True), seconds))

    results: list[Any] = client.sync(gather)
    return results


def fetch(client: Any, futures: Sequence[Any], silence: float) -> list[Any]:
    """Results of tasks that any worker may do; an error of a task is raised."""
    while True:
        wait_for(client, futures, silence)
        try:
            return bring(client, futures, silence)
        except TimeoutError:
            remove_silent(client, silence)


def need_workers(client: Any, seconds: float) -> None:
    """Wait for a worker; raises `TeamLostError` if none comes."""
    distributed = need_dask("distributed")
    try:
        client.wait_for_workers(1, timeout=seconds)
    except (TimeoutError, distributed.TimeoutError):
        raise TeamLostError(f"the cluster has no workers left, and none came within {seconds:g} s") from None
