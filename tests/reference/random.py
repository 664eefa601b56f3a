"""The slow, obvious version of the random streams (SplitMix64) and of drawing rows and features from them."""

import bisect
import itertools

MASK = 2**64 - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Random:
    def __init__(self, seed: int, stream: int) -> None:
        self.state = mix((seed + GOLDEN * (2 * mix((stream + GOLDEN) & MASK) + 1)) & MASK)

    def next(self) -> int:
        self.state = (self.state + GOLDEN) & MASK
        return mix(self.state)

    def below(self, n: int) -> int:
        """Reject the few numbers that would make some results more likely."""
        while True:
            product = (self.next() >> 32) * n
            if product % 2**32 >= 2**32 % n:
                return product >> 32

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53


def row_key(seed: int, stream: int, row: int) -> int:
    """The random number of a row in a stream."""
    return mix((Random(seed, stream).state + GOLDEN * row) & MASK)


def choose_rows(rows: list[int], n: int, seed: int, stream: int) -> list[int]:
    """The n rows with the smallest keys, in their order."""
    drawn = set(sorted(rows, key=lambda row: row_key(seed, stream, row))[:n])
    return [row for row in rows if row in drawn]


def draw_rows(seed: int, tree: int, n_draws: int, weight: list[float]) -> list[int]:
    """How often each row is drawn for a tree."""
    random, counts = Random(seed, 2 * tree), [0] * len(weight)
    cumulative = list(itertools.accumulate(weight))
    for _ in range(n_draws):
        if min(weight) == max(weight):
            counts[random.below(len(weight))] += 1
        else:
            counts[bisect.bisect_right(cumulative, random.uniform() * cumulative[-1])] += 1
    return counts
