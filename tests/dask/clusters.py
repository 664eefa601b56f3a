"""Clusters: a Dask cluster on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import distributed

DEADLINE = 300  # seconds after which a wait for processes is an error; no test takes so long


@contextmanager
def cluster_of(n_workers: int, **options: Any) -> Iterator[Any]:
    """A client of a cluster whose workers have one thread each; `processes=True` gives each a process of its own."""
    given: dict[str, Any] = {"n_workers": n_workers, "threads_per_worker": 1, "processes": False}
    with (
        distributed.LocalCluster(**{**given, "dashboard_address": "127.0.0.1:0", **options}) as cluster,
        distributed.Client(cluster, security=cluster.security) as client,
    ):
        yield client
