"""Members: a team whose members are threads of this process."""

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from glasswood.errors import TeamLostError
from glasswood.team import Exchange


class ThreadMember:
    """A member that passes bytes to the others through a list they share."""

    def __init__(self, rank: int, board: list[Any], barrier: threading.Barrier) -> None:
        self.rank, self.size, self._board, self._barrier = rank, len(board), board, barrier
        self.n_swaps = 0

    def swap(self, parts: Sequence[Any]) -> list[Any]:
        assert len(parts) == self.size
        self.n_swaps += 1
        self._board[self.rank] = [bytes(part) for part in parts]
        self._wait()
        received = [given[self.rank] for given in self._board]
        self._wait()
        return received

    def recycle(self, parts: Sequence[Any]) -> None:
        """Do nothing."""

    def _wait(self) -> None:
        try:
            self._barrier.wait()
        except threading.BrokenBarrierError:
            raise TeamLostError("a member left") from None


def run_team(size: int, work: Callable[[Exchange], Any]) -> list[Any]:
    """What `work` returns for every member; raises what the first member raised that did not only lose another one."""
    board: list[Any] = [None] * size
    barrier = threading.Barrier(size)
    results: list[Any] = [None] * size
    errors: list[BaseException | None] = [None] * size

    def run(rank: int) -> None:
        try:
            results[rank] = work(ThreadMember(rank, board, barrier))
        except BaseException as error:
            errors[rank] = error
            barrier.abort()

    threads = [threading.Thread(target=run, args=(rank,)) for rank in range(size)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = [error for error in errors if error is not None]
    for error in sorted(found, key=lambda e: isinstance(e, TeamLostError)):
        raise error
    return results


def cut_rows(n_rows: int, size: int, rng: np.random.Generator) -> list[np.ndarray[Any, Any]]:
    """Rows of each member, in order within a member; some may have none."""
    owner = rng.integers(0, size, n_rows)
    if size > 2:
        owner[owner == 1] = 0  # one member without rows
    return [np.flatnonzero(owner == rank) for rank in range(size)]
