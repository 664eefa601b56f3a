"""Estimators on a GPU: arrays that lie there, earlier rounds, Ctrl-C and too little memory. Needs a GPU."""

import os
import signal
import threading
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood.errors import DeviceError, OptionError, TableError
from glasswood.gpu import start_device_rounds
from tests.gpu.fits import bits_of, fit, numbers

pytestmark = pytest.mark.gpu

N = 30_000
OPTIONS: dict[str, Any] = {"n_estimators": 6, "max_depth": 5, "statistics": "quantised", "random_state": 3}


def table(dtype: Any = np.float32, n: int = N) -> tuple[Any, Any, Any]:
    """Rows, targets and weights."""
    rng = np.random.default_rng(0)
    X = numbers(rng, n)
    y = np.nan_to_num(X[:, 0]) + np.nan_to_num(X[:, 1] * X[:, 2]) + rng.normal(size=n)
    return X.astype(dtype), y, rng.random(n)


def same(found: Any, expected: Any) -> None:
    assert bits_of(found._boosted) == bits_of(expected._boosted)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("place", ["host", "device"])
def test_a_matrix_gives_the_model_of_the_cpu(dtype: Any, order: Any, place: str) -> None:
    import cupy

    X, y, weight = table(dtype)
    X = np.asarray(X, order=order)
    on_cpu = gw.BoostingRegressor(**OPTIONS).fit(X, y, weight, eval_set=(X[:99], y[:99]))
    given = (X, y, weight) if place == "host" else tuple(map(cupy.asarray, (X, y, weight)))
    on_gpu = gw.BoostingRegressor(**OPTIONS, device="cuda").fit(*given, eval_set=(given[0][:99], given[1][:99]))
    same(on_gpu, on_cpu)
    np.testing.assert_array_equal(on_gpu.predict(given[0]), on_cpu.predict(X))


def test_early_stopping_sets_rows_of_the_device_aside() -> None:
    import cupy

    X, y, _ = table()
    more = {"early_stopping": True, "n_iter_no_change": 2, "n_estimators": 60, "learning_rate": 1.0}
    labels = np.digitize(y, [-0.5, 0.5])
    on_cpu = gw.BoostingClassifier(**{**OPTIONS, **more}).fit(X, labels)
    on_gpu = gw.BoostingClassifier(**{**OPTIONS, **more}, device="cuda").fit(cupy.asarray(X), cupy.asarray(labels))
    same(on_gpu, on_cpu)
    assert on_cpu.history_.best_round < 60
    np.testing.assert_array_equal(on_gpu.predict_proba(cupy.asarray(X)), on_cpu.predict_proba(X))


@pytest.mark.parametrize("place", ["host", "device"])
def test_a_warm_start_continues_on_the_device(place: str) -> None:
    import cupy

    X, y, _ = table()
    given = X if place == "host" else cupy.asarray(X)
    models = [gw.BoostingRegressor(**OPTIONS, warm_start=True, device=device) for device in ("cpu", "cuda")]
    for n_estimators in (3, 8):
        for model, rows in zip(models, (X, given), strict=True):
            model.set_params(n_estimators=n_estimators).fit(rows, y, offset=y / 9)
    same(models[1], models[0])
    assert models[1].ensemble_.n_trees == 8


def test_rows_on_a_device_are_refused_where_they_cannot_stay() -> None:
    import cupy

    X, y, _ = table(n=50)
    with pytest.raises(OptionError, match="X lies on a GPU; got device='cpu'"):
        gw.BoostingRegressor(**OPTIONS).fit(cupy.asarray(X), y)
    with pytest.raises(OptionError, match="categorical_features needs X in the memory of the host"):
        gw.BoostingRegressor(**OPTIONS, device="cuda", categorical_features=[0]).fit(cupy.asarray(X), y)
    with pytest.raises(TableError, match="X must be float32 or float64; got int64"):
        gw.BoostingRegressor(**OPTIONS, device="cuda").fit(cupy.zeros((50, 2), dtype=cupy.int64), y)


@pytest.mark.serial
def test_ctrl_c_stops_within_a_few_rounds() -> None:
    """The signal comes while rounds are under way; a later fit is as good as any."""
    begun, counted = threading.Event(), []

    class Counted:
        def __init__(self, rounds: Any) -> None:
            self._rounds = rounds

        def __getattr__(self, name: str) -> Any:
            return getattr(self._rounds, name)

        def grow(self, number: int) -> Any:
            counted.append(number)
            if number == 5:
                begun.set()
            return self._rounds.grow(number)

    def press() -> None:
        begun.wait()
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    with pytest.raises(KeyboardInterrupt):
        fit("squared error", 100_000, lambda plan, done: Counted(start_device_rounds(plan, done)), n_estimators=20_000)
    presser.join()
    assert len(counted) < 500
    assert bits_of(fit("squared error", 3000, start_device_rounds)) == bits_of(fit("squared error", 3000))


def test_a_fit_that_needs_too_much_memory_says_so() -> None:
    import cupy

    pool = cupy.get_default_memory_pool()
    X, y, _ = table(n=200_000)
    pool.free_all_blocks()
    limit = pool.get_limit()
    pool.set_limit(size=pool.used_bytes() + 2_000_000)
    try:
        with pytest.raises(DeviceError, match=r"the GPU has .* GiB free and \d+\.\d\d more are needed"):
            gw.BoostingRegressor(**OPTIONS, device="cuda").fit(X, y)
    finally:
        pool.set_limit(size=limit)
    on_gpu = gw.BoostingRegressor(**OPTIONS, device="cuda").fit(X[:500], y[:500])
    same(on_gpu, gw.BoostingRegressor(**OPTIONS).fit(X[:500], y[:500]))
