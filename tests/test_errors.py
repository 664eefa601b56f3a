"""Every error is a GlasswoodError and the built-in a user would catch."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import glasswood as gw
from glasswood import errors


@pytest.mark.parametrize(
    ("error", "built_in"),
    [
        (errors.TableError, ValueError),
        (errors.KeyNotFoundError, KeyError),
        (errors.InvalidEnsembleError, ValueError),
        (errors.UnsupportedModelError, TypeError),
        (errors.ParityError, AssertionError),
        (errors.ModelFileError, ValueError),
        (errors.MissingDependencyError, ImportError),
    ],
)
def test_errors_have_two_parents(error: type[Exception], built_in: type[Exception]) -> None:
    assert issubclass(error, errors.GlasswoodError)
    assert issubclass(error, built_in)


def test_warnings_can_be_filtered() -> None:
    assert issubclass(errors.ParityWarning, errors.GlasswoodWarning)
    assert issubclass(errors.GlasswoodWarning, UserWarning)


def test_an_estimator_without_scikit_learn_says_what_to_install() -> None:
    code = "import sys; sys.modules['sklearn'] = None; import glasswood as gw; gw.BoostingRegressor"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "gw.BoostingRegressor needs scikit-learn: pip install 'glasswood[sklearn]'" in done.stderr


X = np.arange(40.0).reshape(20, 2)
Y = X[:, 0].copy()
HEAVY_AND_LIGHT = np.where(np.arange(20) < 10, 1e20, 1e-20)


def a_tree() -> Any:
    return gw.TreeRegressor(max_depth=2).fit(X, Y)


def a_leaf() -> Any:
    return gw.TreeRegressor().fit(X, np.zeros(20))


WARNINGS: dict[str, Callable[[Path], Any]] = {
    "read": lambda path: gw.read(path, X),
    "effects reads": lambda path: gw.effects(path, X),
    "rules read": lambda path: gw.rules(path, X, Y, p0=0.0),
    "report reads": lambda path: gw.report(path, X),
    "effects": lambda path: gw.effects(a_tree(), X, sample_weight=HEAVY_AND_LIGHT),
    "rules": lambda path: gw.rules(a_leaf(), X, Y),
    "sirus": lambda path: gw.SirusRegressor(10, p0=0.999, max_depth=1, random_state=0).fit(X, Y),
    "out of bag": lambda path: gw.ForestRegressor(1, oob_score=True, random_state=0).fit(X, Y),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_a_warning_points_at_the_line_of_the_caller(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import lightgbm

    from glasswood.readers import _read
    from glasswood.readers._library import CannotAskError

    def refuse(*_: Any) -> Any:
        raise CannotAskError("it is away")

    monkeypatch.setattr(_read, "library_process", refuse)
    lightgbm.train({"verbose": -1, "min_data_in_leaf": 2}, lightgbm.Dataset(X, Y), 2).save_model(tmp_path / "model.txt")
    call = WARNINGS[name]
    with pytest.warns(errors.GlasswoodWarning) as caught:
        call(tmp_path / "model.txt")
    ours = [one for one in caught if issubclass(one.category, errors.GlasswoodWarning)]
    assert {(one.filename, one.lineno) for one in ours} == {(__file__, call.__code__.co_firstlineno)}


def test_a_note_about_rows_points_at_the_line_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    """The warning about perpetual's categories comes from the deepest place."""
    import pandas as pd
    from perpetual import PerpetualBooster

    from glasswood.readers import perpetual

    def refuse(*_: Any) -> Any:
        raise NotImplementedError("not this table")

    rows = pd.DataFrame({"x": X[:, 0], "c": pd.Categorical(np.where(X[:, 0] < 20, "a", "b"))})
    model = PerpetualBooster(objective="SquaredLoss", budget=0.1).fit(rows.copy(), Y)
    monkeypatch.setattr(perpetual, "ask", refuse)
    nameless = rows.assign(c=pd.Categorical([None] * 20, categories=["a", "b"]))
    with pytest.warns(errors.ParityWarning, match="missing or unseen categories") as caught:
        gw.effects(model, nameless)
    assert [one.filename for one in caught] == [__file__]


def test_a_warning_is_an_error_where_the_caller_wants_it() -> None:
    with pytest.raises(errors.GlasswoodWarning, match="no path"):
        gw.rules(a_leaf(), X, Y)  # warnings are errors in these tests
