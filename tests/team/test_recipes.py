"""The recipes of the page about clusters run as they stand there, with threads in place of MPI, Spark and Ray."""

import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

from glasswood import BoostingRegressor

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "cluster.md"
MOST_LINES = 15
N_PARTS = 3


def recipe(launcher: str) -> str:
    """The block under a launcher, with fewer trees."""
    text = PAGE.read_text(encoding="utf-8").partition(f"Under **{launcher}**")[2]
    return text.partition("```py\n")[2].partition("```")[0].replace("n_estimators=500", "n_estimators=3")


def problem() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(90, 3)), columns=["a", "b", "cost"])
    return frame.assign(town=rng.choice(["Ayr", "Bath"], 90))


def run(launcher: str, **names: Any) -> Any:
    """The model that a recipe ends with."""
    block = recipe(launcher)
    assert len([line for line in block.splitlines() if line.strip()]) <= MOST_LINES
    exec(compile(block, str(PAGE), "exec"), names)
    return names["model"]


class FakeWorld:
    """The communicator of all processes, which are threads here."""

    def __init__(self) -> None:
        self.here, self.board, self.barrier = threading.local(), [None] * N_PARTS, threading.Barrier(N_PARTS)

    def Get_rank(self) -> int:  # noqa: N802
        return int(self.here.rank)

    def allgather(self, own: Any) -> list[Any]:
        self.board[self.here.rank] = own
        self.barrier.wait()
        found = list(self.board)
        self.barrier.wait()
        return found

    def bcast(self, own: Any, root: int) -> Any:
        return self.allgather(own)[root]


def test_the_recipe_for_mpi_gives_the_model_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    world, frame = FakeWorld(), problem()
    mpi4py = ModuleType("mpi4py")
    vars(mpi4py)["MPI"] = SimpleNamespace(COMM_WORLD=world, Get_processor_name=lambda: "127.0.0.1")
    monkeypatch.setitem(sys.modules, "mpi4py", mpi4py)
    parts = [frame.iloc[:40], frame.iloc[40:50], frame.iloc[50:]]

    def process(rank: int) -> Any:
        world.here.rank = rank
        return run("MPI", X_part=parts[rank].drop(columns="cost"), y_part=parts[rank]["cost"])

    with ThreadPoolExecutor(N_PARTS) as pool:
        models = list(pool.map(process, range(N_PARTS)))
    one = BoostingRegressor(n_estimators=3).fit(frame.drop(columns="cost"), frame["cost"])
    assert all(model.ensemble_ == one.ensemble_ for model in models)


class FakeTable:
    """A table of Spark, in partitions of which one has no rows."""

    def __init__(self, rows: pd.DataFrame) -> None:
        self._rows = rows

    def limit(self, n: int) -> "FakeTable":
        return FakeTable(self._rows.iloc[:n])

    def toPandas(self) -> pd.DataFrame:  # noqa: N802
        return self._rows

    def repartition(self, n: int) -> "FakeTable":
        return self

    def mapInPandas(self, work: Callable[[Any], Iterator[Any]], schema: str, *, barrier: bool) -> "FakeTable":  # noqa: N802
        assert schema == "model binary" and barrier
        FakeContext.board, FakeContext.barrier = [""] * N_PARTS, threading.Barrier(N_PARTS)
        starts = [0, 40, 40]
        parts = [self._rows.iloc[a:b] for a, b in zip(starts, [40, 40, 90], strict=True)]
        parts[0], parts[2] = parts[2], parts[0]  # in no fixed order

        def task(rank: int) -> list[Any]:
            FakeContext.here.rank = rank
            batches = [parts[rank].iloc[:9], parts[rank].iloc[9:]] if len(parts[rank]) else []
            return list(work(iter(batches)))

        with ThreadPoolExecutor(N_PARTS) as pool:
            found = list(pool.map(task, range(N_PARTS)))
        return FakeTable(pd.concat([frame for frames in found for frame in frames]))

    def first(self) -> Any:
        return self._rows.iloc[0]


class FakeContext:
    """What a task of a barrier stage knows."""

    here, board, barrier = threading.local(), [""], threading.Barrier(1)

    @classmethod
    def get(cls) -> "FakeContext":
        return cls()

    def partitionId(self) -> int:  # noqa: N802
        return int(self.here.rank)

    def getTaskInfos(self) -> list[Any]:  # noqa: N802
        return [SimpleNamespace(address="127.0.0.1:40000")] * N_PARTS

    def allGather(self, message: str) -> list[str]:  # noqa: N802
        self.board[self.partitionId()] = message
        self.barrier.wait()
        return list(self.board)


def test_the_recipe_for_spark_gives_the_model_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    pyspark = ModuleType("pyspark")
    vars(pyspark)["BarrierTaskContext"] = FakeContext
    monkeypatch.setitem(sys.modules, "pyspark", pyspark)
    frame = problem().assign(id=np.arange(90))
    one = BoostingRegressor(n_estimators=3).fit(frame.drop(columns=["cost", "id"]), frame["cost"])
    assert run("Spark", table=FakeTable(frame)).ensemble_ == one.ensemble_


def fake_ray(pool: ThreadPoolExecutor) -> Any:
    """Actors whose methods run in threads."""

    def remote(**needed: Any) -> Any:
        def actor(kind: type) -> Any:
            def make() -> Any:
                made = kind()

                def method(name: str) -> Any:
                    return SimpleNamespace(remote=lambda *given: pool.submit(getattr(made, name), *given))

                return SimpleNamespace(open=method("open"), fit=method("fit"))

            return SimpleNamespace(remote=make)

        return actor

    def get(futures: list[Future[Any]]) -> list[Any]:
        return [future.result() for future in futures]

    return SimpleNamespace(remote=remote, get=get, util=SimpleNamespace(get_node_ip_address=lambda: "127.0.0.1"))


def test_the_recipe_for_ray_gives_the_model_of_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = problem()
    with ThreadPoolExecutor(N_PARTS) as pool:
        monkeypatch.setitem(sys.modules, "ray", fake_ray(pool))
        model = run("Ray", parts=[frame.iloc[:40], frame.iloc[40:50], frame.iloc[50:]])
    one = BoostingRegressor(n_estimators=3).fit(frame.drop(columns="cost"), frame["cost"])
    assert model.ensemble_ == one.ensemble_
