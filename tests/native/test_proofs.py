"""The native searches of proofs find what looking at every point finds."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood import _native
from tests.reference.searches import RandomPieces, as_words, ordered_sum, points, random_pieces

SEED = st.integers(0, 2**32)
MOST = st.sampled_from([1, 3, 64])


def values_for(rng: np.random.Generator, pieces: RandomPieces, n: int = 1) -> np.ndarray:
    """What pieces add: of very different sizes, so that sums are rounded, and with ties."""
    n_pieces = int(pieces.tree_start[-1])
    return rng.choice([0.1, 0.2, 0.3, 1e16, -1e16, 1.0, -0.7, 1e-9], size=(n, n_pieces))


def domain_of(rng: np.random.Generator, pieces: RandomPieces) -> tuple[list[list[int]], np.ndarray]:
    """Some cells of every feature, as lists and as words."""
    chosen = []
    for n in pieces.n_cells:
        kept = [cell for cell in range(n) if rng.random() < 0.7]
        chosen.append(kept or [int(rng.integers(n))])
    words = [word for cells, n in zip(chosen, pieces.n_cells, strict=True) for word in as_words(frozenset(cells), n)]
    return chosen, np.array(words, dtype=np.uint64)


@given(SEED, MOST, st.booleans())
@settings(max_examples=300)
def test_the_largest_sum_is_that_of_every_point(seed: int, most_leaves: int, wide: bool) -> None:
    rng = np.random.default_rng(seed)
    pieces = random_pieces(rng, wide=wide)
    (value,) = values_for(rng, pieces)
    cells, words = domain_of(rng, pieces)
    best, point, bound, _ = _native.Pieces(*pieces.native()).largest(
        0.5, value, words, np.inf, 10**6, np.inf, most_leaves
    )
    sums = {point: ordered_sum(0.5, value, pieces.reached(point)) for point in points(cells)}
    assert best == bound == max(sums.values())
    assert sums[tuple(point.tolist())] == best


@given(SEED, MOST, st.integers(1, 3))
@settings(max_examples=200)
def test_a_search_that_gives_up_holds_a_true_bound(seed: int, most_leaves: int, max_nodes: int) -> None:
    rng = np.random.default_rng(seed)
    pieces = random_pieces(rng)
    (value,) = values_for(rng, pieces)
    cells, words = domain_of(rng, pieces)
    sums = {point: ordered_sum(0.0, value, pieces.reached(point)) for point in points(cells)}
    enough = float(rng.choice([np.inf, *sums.values()]))
    best, point, bound, n_nodes = _native.Pieces(*pieces.native()).largest(
        0.0, value, words, enough, max_nodes, np.inf, most_leaves
    )
    assert n_nodes <= max_nodes and bound >= best
    assert best == -np.inf or sums[tuple(point.tolist())] == best
    assert bound >= max(sums.values()) or best > enough or bound <= enough
    if bound <= enough < np.inf:
        assert max(sums.values()) <= enough


@given(SEED, MOST, st.integers(1, 2), st.integers(1, 3))
@settings(max_examples=300)
def test_the_nearest_points_are_those_of_every_point(seed: int, most_leaves: int, n_goals: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    pieces = random_pieces(rng)
    value = values_for(rng, pieces, n_goals)
    cells, words = domain_of(rng, pieces)
    cost = [rng.choice([0.0, 0.5, 1.0, 2.0], size=n) for n in pieces.n_cells]
    cheapest = [min(mine[c] for c in open_cells) for mine, open_cells in zip(cost, cells, strict=True)]
    cost = [mine - least for mine, least in zip(cost, cheapest, strict=True)]  # a row of the domain costs nothing
    reach = float(rng.choice([1.0, 2.5, np.inf]))
    sums = {p: [ordered_sum(0.0, v, pieces.reached(p)) for v in value] for p in points(cells)}
    least = np.array([float(rng.choice([s[g] for s in sums.values()])) for g in range(n_goals)])
    search = _native.Nearest(
        _native.Pieces(*pieces.native()), np.zeros(n_goals), value, least, np.zeros(n_goals), words,
        np.concatenate(cost), reach, most_leaves,
    )  # fmt: skip
    found = []
    while len(found) < k and search.run(10**6, np.inf) == "point":
        point = tuple(search.point.tolist())
        assert np.all(np.array(sums[point]) >= least)
        found.append((search.distance, frozenset(f for f, c in enumerate(point) if cost[f][c] > 0)))
        search.answer(True)
    expected = []
    for far, _, point in sorted(
        (sum(cost[f][c] for f, c in enumerate(p)), sum(cost[f][c] > 0 for f, c in enumerate(p)), p)
        for p, s in sums.items()
        if np.all(np.array(s) >= least)
    ):
        changed = frozenset(f for f, c in enumerate(point) if cost[f][c] > 0)
        if far <= reach and not any(earlier <= changed for _, earlier in expected):
            expected.append((far, changed))
    assert len(found) == min(k, len(expected)) or found  # which of equally near ones comes first may decide the rest
    assert [far for far, _ in found[:1]] == [far for far, _ in expected[:1]]
    assert [len(changed) for _, changed in found[:1]] == [len(changed) for _, changed in expected[:1]]
    for i, (_, changed) in enumerate(found):
        assert not any(earlier <= changed for _, earlier in found[:i])


def test_a_search_of_which_no_point_is_taken_comes_to_an_end() -> None:
    sides = np.array([0, 1], dtype=np.int32), np.array([0b011, 0b100], dtype=np.uint64)
    pieces = _native.Pieces(np.array([0, 2]), np.array([3]), np.array([0, 2]), *sides)
    search = _native.Nearest(
        pieces, np.zeros(1), np.array([[0.0, 1.0]]), np.zeros(1), np.zeros(1), np.array([7], dtype=np.uint64),
        np.array([0.0, 1.0, 2.0]), np.inf, 64,
    )  # fmt: skip
    seen = []
    while search.run(100, np.inf) == "point":
        seen.append(search.point.tolist())
        search.answer(False)
    # no piece tells the cells 0 and 1 apart, so the cheaper one stands for both; it is shown again in a smaller box
    assert seen == [[0], [0], [2]]
    assert search.distance == np.inf


def test_arrays_that_do_not_fit_are_refused() -> None:
    start = n_limits = np.array([0, 2])
    n_cells, bits = np.array([2]), np.array([1, 2], dtype=np.uint64)
    pieces = _native.Pieces(start, n_cells, n_limits, np.array([0, 1], dtype=np.int32), bits)
    open_cells = np.array([3], dtype=np.uint64)
    with pytest.raises(ValueError, match="value has 1 entries, expected 2"):
        pieces.largest(0.0, np.zeros(1), open_cells, np.inf, 10, np.inf, 64)
    with pytest.raises(ValueError, match="open has 2 entries, expected 1"):
        pieces.largest(0.0, np.zeros(2), np.zeros(2, dtype=np.uint64), np.inf, 10, np.inf, 64)
    with pytest.raises(ValueError, match="piece must hold numbers"):
        _native.Pieces(start, n_cells, n_limits, np.array([0, 2], dtype=np.int32), bits)
    for wrong, message in ((bits[:1], "bits has too few words"), (np.append(bits, bits), "bits has too many words")):
        with pytest.raises(ValueError, match=message):
            _native.Pieces(start, n_cells, n_limits, np.array([0, 1], dtype=np.int32), wrong)
    with pytest.raises(ValueError, match="cost has 3 entries, expected 2"):
        _native.Nearest(
            pieces, np.zeros(1), np.zeros((1, 2)), np.zeros(1), np.zeros(1), open_cells, np.zeros(3), np.inf, 64
        )
