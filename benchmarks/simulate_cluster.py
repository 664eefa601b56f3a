"""How long a tree takes on a large cluster: a model, not a measurement.

    python benchmarks/simulate_cluster.py [--rows 1e9] [--features 100] [--depth 6] [--workers 10 100 1000] ...

A tree is computing (rows and features, shared by workers and their cores), bytes (histograms that workers add up) and
waiting (messages per level). The rates of computing are what one core of the prototype reached, rounded up; those of
the network are options. Compare with a measurement of your own: ``bench_scale.py`` gives computing on two workers.
"""

import argparse
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Cluster:
    """A table, a model, and the machines that fit it."""

    rows: float = 1e9
    features: int = 100
    depth: int = 6
    bins: int = 255
    lanes: int = 4  # numbers per bin
    workers: int = 100
    cores: int = 16  # of each worker
    gigabits: float = 25.0  # per second, of each worker's network
    ns_per_value: float = 1.0
    ns_per_row: float = 25.0
    ns_per_level: float = 2.0  # per row: it goes left or right
    threads_gain: float = 0.65  # what a core brings beside others
    network_share: float = 0.7  # of its speed that is reached
    gigabytes_added: float = 8.0  # per second
    message_ms: float = 0.1
    jitter_ms: float = 1.0  # per level: the slowest worker

    @property
    def compute_ms(self) -> float:
        """Filling histograms and moving rows; a level below the first fills the smaller child of each split."""
        per_row = self.features * (1 + (self.depth - 1) / 2) * self.ns_per_value
        per_row += self.ns_per_row + self.ns_per_level * self.depth
        return self.rows / self.workers * per_row / (self.cores * self.threads_gain) * 1e-6

    @property
    def bytes(self) -> float:
        """Histograms that a worker sends for a tree."""
        cells = 2 ** (self.depth - 1) * self.features * self.bins * self.lanes
        return cells * 8 * (self.workers - 1) / self.workers

    @property
    def bytes_ms(self) -> float:
        """Sending them and adding them up."""
        seconds = self.bytes / (self.network_share * self.gigabits / 8 * 1e9) + self.bytes / (
            self.gigabytes_added * 1e9
        )
        return seconds * 1e3

    @property
    def waiting_ms(self) -> float:
        """Messages of all levels."""
        if self.workers == 1:
            return 0.0
        return self.depth * (2 * math.log2(self.workers) * self.message_ms + self.jitter_ms)

    @property
    def tree_ms(self) -> float:
        """One tree."""
        return self.compute_ms + self.bytes_ms + self.waiting_ms

    @property
    def efficiency(self) -> float:
        """Share of the time in which cores compute."""
        return self.compute_ms / self.tree_ms


def table(cluster: Cluster, workers: Sequence[int]) -> str:
    """One line per number of workers."""
    lines = [
        "| workers | rows each | compute ms | bytes ms | waiting ms | ms per tree | efficiency |",
        "|---|---|---|---|---|---|---|",
    ]
    for n in workers:
        one = replace(cluster, workers=n)
        times = f"{one.compute_ms:,.0f} | {one.bytes_ms:.0f} | {one.waiting_ms:.0f} | {one.tree_ms:,.0f}"
        lines.append(f"| {n:,} | {one.rows / n:,.0f} | {times} | {one.efficiency:.0%} |")
    return "\n".join(lines)


def main() -> None:
    """Print the table for the given cluster."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 10, 30, 100, 300, 1000, 3000])
    start = Cluster()
    names = [name for name in Cluster.__dataclass_fields__ if name != "workers"]
    for name in names:
        value = getattr(start, name)
        parser.add_argument(f"--{name.replace('_', '-')}", type=type(value), default=value)
    given = vars(parser.parse_args())
    workers = given.pop("workers")
    print(table(Cluster(**given), workers))


if __name__ == "__main__":
    main()
