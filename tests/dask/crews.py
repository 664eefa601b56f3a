"""Crews: worker processes that a test may kill or stop; for each that ends, another is started.

A nanny does the same, but how soon depends on the load of the machine: it imports everything for every process.
Here a process that has imported all modules is forked for each worker, and a worker that ends is replaced at once.
"""

import asyncio
import multiprocessing
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from typing import Any

from tests.dask.clusters import DEADLINE, cluster_of

_MODULES = ["distributed", "glasswood.dask", "tests.dask.crews"]


@contextmanager
def crew_of(n_workers: int, folder: str) -> Iterator[Any]:
    """A client of a cluster of processes with one thread each, which keep their files in a folder."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_MODULES)
    with cluster_of(0, protocol="tcp") as client:

        def start() -> BaseProcess:
            process = context.Process(target=_work, args=(client.scheduler.address, folder), daemon=True)
            process.start()
            return process

        crew = _Crew([start() for _ in range(n_workers)], start)
        try:
            client.wait_for_workers(n_workers, DEADLINE)
            yield client
        finally:
            crew.close()


class _Crew:
    """Processes, of which a thread replaces those that ended."""

    def __init__(self, processes: list[BaseProcess], start: Any) -> None:
        self._processes, self._start = processes, start
        self._told, self._tell = multiprocessing.Pipe(duplex=False)
        self._thread = threading.Thread(target=self._replace)
        self._thread.start()

    def _replace(self) -> None:
        while self._told not in (ready := wait([self._told, *(process.sentinel for process in self._processes)])):
            for k, process in enumerate(self._processes):
                if process.sentinel in ready:
                    process.join()
                    self._processes[k] = self._start()

    def close(self) -> None:
        """Replace no more of them, and kill all: one that is stopped would not end otherwise."""
        self._tell.send(None)
        self._thread.join()
        for process in self._processes:
            process.kill()
            process.join()
        self._told.close()
        self._tell.close()


def _work(scheduler: str, folder: str) -> None:
    """Runs in a process of its own."""
    import distributed

    async def work() -> None:
        async with distributed.Worker(scheduler, nthreads=1, local_directory=folder, memory_limit=0) as worker:
            await worker.finished()

    asyncio.run(work())
