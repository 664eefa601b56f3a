"""Many Python threads use one model, or fit several, at the same time: all get the bits of a single thread."""

import copy
import threading
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood import _native
from tests.bits.corpus import Case, Data, digest, fits

N_THREADS = 8
DATA = Data(n_jobs=2)
X, ROWS, Y = DATA.table, DATA.new, DATA["y"]
FITS = list(fits())[::3]


@pytest.fixture(autouse=True)
def two_cpus() -> Iterator[None]:
    """Threads of the kernels run beside those of Python, even on a small machine."""
    before = _native.pretend_cpus(2)
    yield
    _native.pretend_cpus(before)


@pytest.fixture(scope="module")
def fitted() -> gw.Ensemble:
    """Deep enough for attributions of every kind, with missing values routed."""
    return gw.BoostingRegressor(n_estimators=12, max_depth=5, random_state=0).fit(X, Y).ensemble_


def fresh(ensemble: gw.Ensemble) -> gw.Ensemble:
    """The same model without derived values, so that threads race to compute them."""
    return copy.copy(ensemble)


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Results of the calls, each made in its own Python thread once all threads have started."""
    ready = threading.Barrier(len(calls))

    def start(call: Callable[[], Any]) -> Any:
        ready.wait()
        return call()

    with ThreadPoolExecutor(len(calls)) as threads:
        return [done.result() for done in [threads.submit(start, call) for call in calls]]


def predictions(model: gw.Ensemble) -> Any:
    return model.predict(X), model.predict_raw(ROWS, n_jobs=2), model.apply(X, n_jobs=2)


def effects_by(method: str) -> Callable[[gw.Ensemble], Any]:
    def ask(model: gw.Ensemble) -> Any:
        found = gw.effects(model, X, method=method, sample_weight=DATA["weight"], n_jobs=2)
        return [(e.value, e.effect, e.spread, e.weight, e.baseline) for e in found.features]

    return ask


def interactions(model: gw.Ensemble) -> Any:
    return [(t.value, t.effect, t.interaction, t.h2) for t in gw.interactions(model, X, n_jobs=2).tables]


def ledger(model: gw.Ensemble) -> Any:
    found = gw.ledger(model, X, n_jobs=2)
    return found.mean, found.variance, found.effects, found.effects_and_pairs


def rules(model: gw.Ensemble) -> Any:
    found = gw.rules(model, X, Y, n_jobs=2, random_state=0)
    return found.predict(ROWS), found.score, found.to_text()


def examples(model: gw.Ensemble) -> Any:
    found = gw.examples(model, X, n_jobs=2).nearest(ROWS, k=5)
    return found.row, found.similarity


def usage(model: gw.Ensemble) -> Any:
    return gw.usage(model, 2).to_frame("pandas").to_numpy()


def attributions_over(background: Any) -> Callable[[gw.Ensemble], Any]:
    def ask(model: gw.Ensemble) -> Any:
        found = gw.attributions(model, X, background=background, interactions=True, n_jobs=2)
        return found.values, found.baseline, found.interactions

    return ask


def attributor(model: gw.Ensemble) -> Any:
    return gw.attributor(model, background=X, n_jobs=2)(ROWS).values


VERBS: dict[str, Callable[[gw.Ensemble], Any]] = {
    "predictions": predictions,
    "effects, interventional": effects_by("interventional"),
    "effects, observed": effects_by("observed"),
    "effects, path": effects_by("path"),
    "interactions": interactions,
    "ledger": ledger,
    "rules": rules,
    "examples": examples,
    "usage": usage,
    "attributions, interventional": attributions_over(X),
    "attributions, path": attributions_over(None),
    "attributor": attributor,
}


@pytest.fixture(scope="module")
def wanted(fitted: gw.Ensemble) -> dict[str, str]:
    return {name: digest(ask(fresh(fitted))) for name, ask in VERBS.items()}


@pytest.mark.parametrize("name", VERBS)
def test_threads_that_ask_a_model_the_same_get_the_bits_of_one(
    name: str, fitted: gw.Ensemble, wanted: dict[str, str]
) -> None:
    model = fresh(fitted)
    found = at_once([lambda: digest(VERBS[name](model))] * N_THREADS)
    assert found == [wanted[name]] * N_THREADS


def test_threads_that_ask_a_model_different_things_get_the_bits_of_one(
    fitted: gw.Ensemble, wanted: dict[str, str]
) -> None:
    model, names = fresh(fitted), list(VERBS)

    def all_from(first: int) -> dict[str, str]:
        return {name: digest(VERBS[name](model)) for name in names[first:] + names[:first]}

    assert at_once([lambda first=k: all_from(first) for k in range(N_THREADS)]) == [wanted] * N_THREADS


def test_threads_share_an_attributor(fitted: gw.Ensemble) -> None:
    shared = gw.attributor(fresh(fitted), background=X)
    one = digest(shared(ROWS, interactions=True).interactions)
    assert (
        at_once([lambda: digest(shared(ROWS, interactions=True, n_jobs=2).interactions)] * N_THREADS)
        == [one] * N_THREADS
    )


def test_threads_share_an_index_of_examples(fitted: gw.Ensemble) -> None:
    shared = gw.examples(fresh(fitted), X, n_jobs=2)
    one = digest(shared.nearest(ROWS).similarity)
    assert at_once([lambda: digest(shared.nearest(ROWS).similarity)] * N_THREADS) == [one] * N_THREADS


def test_threads_share_rules(fitted: gw.Ensemble) -> None:
    shared = gw.rules(fresh(fitted), X, Y, random_state=0)
    one = digest(shared.predict(X))
    assert at_once([lambda: digest(shared.predict(X))] * N_THREADS) == [one] * N_THREADS


def test_threads_that_ask_a_pair_get_one_table(fitted: gw.Ensemble) -> None:
    """Its tables are computed when first asked for; all threads get the same ones."""
    pair = gw.interactions(fresh(fitted), X).tables[0]
    found = at_once([lambda: (pair.effect, pair.interaction)] * N_THREADS)
    assert all(effect is pair.effect and table is pair.interaction for effect, table in found)


def test_threads_explain_a_model_of_another_library() -> None:
    """It is checked against its library when a thread first explains it; the check is kept for all threads."""
    from sklearn.ensemble import RandomForestRegressor

    table = np.nan_to_num(X)
    forest = RandomForestRegressor(5, max_depth=4, random_state=0).fit(table, Y)
    again = RandomForestRegressor(5, max_depth=4, random_state=0).fit(table, Y)

    def ask(model: Any) -> str:
        return digest([e.value for e in gw.effects(model, table).features])

    assert at_once([lambda: ask(forest)] * N_THREADS) == [ask(again)] * N_THREADS


def fit(case: Case) -> str:
    return digest(case.run(DATA))


def test_fits_in_several_threads_give_the_bits_of_one() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gw.GlasswoodWarning)
        one = [fit(case) for case in FITS]
        with ThreadPoolExecutor(N_THREADS) as threads:
            assert list(threads.map(fit, FITS)) == one


def test_threads_that_fit_the_same_table_give_the_bits_of_one() -> None:
    case = FITS[0]
    assert at_once([lambda: fit(case)] * N_THREADS) == [fit(case)] * N_THREADS
