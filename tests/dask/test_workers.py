"""Workers: every question and every wait ends, whether or not a worker answers."""

import asyncio
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from glasswood.dask._workers import (
    Polls,
    ask,
    bring,
    fetch,
    forget_lost,
    live_workers,
    need_workers,
    remove_silent,
    wait_for,
)
from glasswood.errors import TeamLostError
from tests.dask.clusters import DEADLINE, cluster_of

SHORT, LONG = 0.2, 600.0  # seconds


@pytest.fixture
def client() -> Iterator[Any]:
    with cluster_of(2) as client:
        yield client


async def never(dask_worker: Any = None) -> None:
    await asyncio.Event().wait()


async def never_if(address: str, dask_worker: Any = None) -> str:
    if dask_worker.address == address:
        await asyncio.Event().wait()
    return str(dask_worker.address)


def fail() -> None:
    raise ValueError("wrong")


def test_a_worker_that_does_not_answer_is_left_out(client: Any) -> None:
    one, other = live_workers(client)
    assert ask(client, [one, other], SHORT, never) == {}
    assert ask(client, [other], LONG, never_if, one) == {other: other}
    assert ask(client, [one, other], 2.0, never_if, one) == {other: other}
    assert ask(client, [], LONG, never) == {}
    assert isinstance(ask(client, [one], LONG, fail)[one], ValueError)


def test_a_question_is_put_again_only_after_its_answer(client: Any) -> None:
    one, other = live_workers(client)
    polls = Polls(client, never_if, dict.fromkeys([one, other], 0.0))
    assert polls.latest({one: (one,), other: (one,)}) == {}  # they have just been asked
    answers: dict[str, Any] = {}
    while not answers:
        answers = polls.latest({one: (one,), other: (one,)})
    assert answers == {other: other}
    assert one in polls.silent(0.0) and polls.silent(LONG) == []
    polls.close()


def test_workers_that_do_not_answer_are_forgotten(client: Any) -> None:
    one, other = live_workers(client)
    forget_lost(client, [one, other], {one: True, other: True}, bool)
    remove_silent(client, LONG)
    assert live_workers(client) == [one, other]
    forget_lost(client, [one, other], {one: OSError("gone"), other: True}, bool)
    assert live_workers(client) == [other]


def test_a_nanny_kills_a_stopped_worker_and_starts_another() -> None:
    with cluster_of(1, processes=True) as client:
        (stopped,) = live_workers(client)
        os.kill(client.run(os.getpid)[stopped], signal.SIGSTOP)
        forget_lost(client, [stopped], {}, bool)
        assert live_workers(client) == []
        need_workers(client, DEADLINE)
        assert live_workers(client) != [stopped] and list(client.run(os.getpid))


def test_tasks_of_a_worker_that_is_gone_are_not_waited_for(client: Any) -> None:
    one, other = live_workers(client)
    assert fetch(client, [client.submit(abs, -k) for k in (1, 2)], LONG) == [1, 2]
    with pytest.raises(ValueError, match="wrong"):
        fetch(client, [client.submit(fail)], LONG)
    forget_lost(client, [one], {one: OSError("gone")}, bool)
    pinned = client.submit(abs, -3, workers=[one], pure=False)
    with pytest.raises(TeamLostError, match=f"worker {one} left the cluster"):
        wait_for(client, [pinned], LONG, [one, other])
    with pytest.raises(TimeoutError):
        bring(client, [pinned], SHORT)
    forget_lost(client, [other], {other: OSError("gone")}, bool)
    with pytest.raises(TeamLostError, match=r"the cluster has no workers left, and none came within 0\.2 s"):
        need_workers(client, SHORT)
    with pytest.raises(TeamLostError, match="no workers left"):
        wait_for(client, [client.submit(abs, -4)], SHORT)
