"""Benchmarks may use what is not public; a change of it must not break them unseen."""

import re
from pathlib import Path

import numpy as np
import pytest

import glasswood as gw
from glasswood import _native

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


def test_bindings_that_benchmarks_call_are_there() -> None:
    called = {name for path in BENCHMARKS.glob("*.py") for name in re.findall(r"_native\.(\w+)", path.read_text())}
    assert called
    assert {name for name in called if not hasattr(_native, name)} == set()


def test_tables_of_pairs_are_purified_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    from bench_effects import purify

    X = np.random.default_rng(0).normal(size=(200, 3))
    pairs = gw.interactions(gw.TreeRegressor(max_depth=4).fit(X, X[:, 0] * X[:, 1] + X[:, 2]), X)
    before = {pair: table.interaction for pair, table in pairs.items()}
    purify(pairs)
    for pair, table in pairs.items():
        assert table.interaction is not before[pair]
        np.testing.assert_array_equal(table.interaction, before[pair])
