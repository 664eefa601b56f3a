"""A library uses a file only in another process, and its failures are reported."""

import importlib
import json
import pickle
import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import lightgbm as lgb
import numpy as np
import pytest
import xgboost as xgb

import glasswood as gw
from glasswood.readers._library import CannotAskError, Limits, library_process
from tests.ensemble.examples import stump

# a library and its reader in one module; the file says what it does
FAKE = """
import os, signal, sys, time
import numpy as np
from glasswood.errors import TableError
from glasswood.readers._oracle import Oracle

def open_file(content):
    if content == b"crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if content == b"loop":
        time.sleep(1000)
    if content == b"memory":
        taken = []
        while True:
            taken.append(b"x" * (1 << 25))
            time.sleep(0.01)
    if content == b"leave":
        print("out of memory, says the library", file=sys.stderr)
        os._exit(3)
    if content == b"refuse":
        raise RuntimeError("unknown objective\\nand a stack trace")
    if content == b"babble":
        os.write(answers(), b"\\xff" * 1000)
    return content

def answers():
    return max(int(name) for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}"))

def ask_opened(opened, ensemble, X):
    if opened == b"rows":
        raise RuntimeError("no such rows")
    if opened == b"table":
        raise TableError("column 'a' is missing")
    print("a library prints what it likes")
    os.write(1, b"also past Python")
    raw = ensemble.predict_raw(X).reshape(-1, 1)
    return Oracle(raw=raw, leaves=ensemble.apply(X), unit=0.5, notes=("mind the step",))
"""
ROWS = np.array([[0.0], [9.0]])


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "fake_library.py").write_text(FAKE)
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    return "fake_library"


def test_an_answer_comes_back_as_it_was_given_whatever_is_printed(fake: str) -> None:
    with library_process(fake, b"fine", stump()) as ask:
        for rows in (ROWS, ROWS[:1], ROWS[:0]):
            oracle = ask(rows)
            assert oracle.raw.tolist() == stump().predict_raw(rows).reshape(-1, 1).tolist()
            assert oracle.leaves is not None and oracle.leaves.tolist() == stump().apply(rows).tolist()
            assert (oracle.unit, oracle.notes) == (0.5, ("mind the step",))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"crash", r"hand crashes with the file \(SIGSEGV\)"),
        (b"leave", "hand fails with the file: out of memory, says the library"),
        (b"refuse", "hand does not load the file: unknown objective$"),
        (b"babble", "hand"),
    ],
)
def test_failures_of_a_library_are_reported(fake: str, content: bytes, message: str) -> None:
    with library_process(fake, content, stump()) as ask, pytest.raises(CannotAskError, match=message):
        ask(ROWS)


def test_a_library_that_takes_too_long_is_ended(fake: str) -> None:
    limits = Limits(seconds=3.0)
    with library_process(fake, b"loop", stump(), limits) as ask, pytest.raises(CannotAskError, match="than 3 seconds"):
        ask(ROWS)


def test_a_library_that_takes_too_much_memory_is_ended(fake: str) -> None:
    limits = Limits(n_bytes=1 << 29)
    with (
        library_process(fake, b"memory", stump(), limits) as ask,
        pytest.raises(CannotAskError, match="512 MB of memory"),
    ):
        ask(ROWS)


def test_a_library_that_refuses_rows_is_quoted(fake: str) -> None:
    with (
        library_process(fake, b"rows", stump()) as ask,
        pytest.raises(gw.TableError, match="hand's own predict failed on these"),
    ):
        ask(ROWS)
    with library_process(fake, b"table", stump()) as ask, pytest.raises(gw.TableError, match=r"^column 'a' is missing"):
        ask(ROWS)


def test_rows_that_cannot_be_sent_are_reported(fake: str) -> None:
    with (
        library_process(fake, b"fine", stump()) as ask,
        pytest.raises(CannotAskError, match="handed to another process"),
    ):
        ask(threading.Lock())


def test_rows_of_a_class_that_exists_only_in_this_program_are_reported(fake: str) -> None:
    with (
        library_process(fake, b"fine", stump()) as ask,
        pytest.raises(CannotAskError, match="handed to another process"),
    ):
        ask(Only())


class Only:
    """Unpickled by a function that exists only in this process."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return pickle.loads, (b"cno_such_module\nThing\n.",)


def test_a_library_that_is_not_installed_is_reported() -> None:
    with library_process("no_such_library", b"", stump()) as ask, pytest.raises(CannotAskError, match="not installed"):
        ask(ROWS)


def test_a_missing_interpreter_is_reported(fake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "")
    with library_process(fake, b"fine", stump()) as ask, pytest.raises(CannotAskError, match="no Python interpreter"):
        ask(ROWS)
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with library_process(fake, b"fine", stump()) as ask, pytest.raises(CannotAskError, match="no process"):
        ask(ROWS)


def xgboost_json(change: Callable[[list[dict[str, Any]]], None]) -> bytes:
    X = np.random.default_rng(0).normal(size=(100, 2))
    model = xgb.train({"max_depth": 2, "nthread": 1}, xgb.DMatrix(X, X[:, 0]), 3)
    document = json.loads(model.save_raw("json"))
    change(document["learner"]["gradient_booster"]["model"]["trees"])
    return json.dumps(document).encode()


def same_id(trees: list[dict[str, Any]]) -> None:
    trees[1]["id"] = 0


def no_parent(trees: list[dict[str, Any]]) -> None:
    trees[0]["parents"][3] = -1


@pytest.mark.parametrize(("change", "culprit"), [(same_id, "tree 1 has the id 0"), (no_parent, "names the parent -1")])
def test_an_xgboost_file_that_kills_xgboost_is_refused(
    change: Callable[[list[dict[str, Any]]], None], culprit: str, tmp_path: Path
) -> None:
    content = xgboost_json(change)
    (tmp_path / "model.json").write_bytes(content)
    with pytest.raises(gw.ModelFileError, match=culprit):
        gw.read(tmp_path / "model.json", np.zeros((2, 2)))
    whole = gw.read(_written(tmp_path / "whole.json", xgboost_json(lambda _: None)))
    # if it were read, XGBoost would crash alone
    with (
        library_process("glasswood.readers.xgboost", content, whole) as ask,
        pytest.raises(CannotAskError, match="XGBoost"),
    ):
        ask(np.zeros((2, 2)))


def test_a_lightgbm_file_that_kills_lightgbm_is_refused(tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(100, 2))
    model = lgb.train({"verbose": -1, "num_threads": 1, "num_leaves": 4}, lgb.Dataset(X, X[:, 0]), 2)
    whole = model.model_to_string().encode()
    stray = whole.replace(b"[boosting: gbdt]\n", b"[boosting: gbdt]\nTree=2\n")
    with pytest.raises(gw.ModelFileError, match="'Tree=2' stands among the parameters"):
        gw.read(_written(tmp_path / "model.txt", stray), np.zeros((2, 2)))
    ensemble = gw.read(_written(tmp_path / "whole.txt", whole))
    with library_process("glasswood.readers.lightgbm", stray, ensemble) as ask, pytest.raises(CannotAskError):
        ask(np.zeros((2, 2)))


def test_a_file_its_library_does_not_load_is_read_and_not_checked(tmp_path: Path) -> None:
    content = xgboost_json(lambda _: None).replace(b"reg:squarederror", b"reg:brand_new")
    path = _written(tmp_path / "model.json", content)
    X = np.zeros((2, 2))
    with pytest.warns(gw.ParityWarning, match=r"model\.json was read but not checked: XGBoost .*reg:brand_new"):
        ensemble = gw.read(path, X)
    assert ensemble.source.parity == "not checked"
    assert re.match("not checked: XGBoost does not load the file: .*brand_new", ensemble.source.certificate)
    assert ensemble.source.certificate in str(ensemble)
    with pytest.warns(gw.ParityWarning, match="not checked"):
        gw.effects(path, X)
    ensemble.save(tmp_path / "model.gw")
    assert gw.load(tmp_path / "model.gw").source == ensemble.source


def _written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path
