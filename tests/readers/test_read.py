"""read finds the reader, and says what it cannot read."""

from pathlib import Path

import numpy as np
import pytest

import glasswood as gw
from glasswood.readers import as_ensemble
from tests.ensemble.examples import stump


def test_an_ensemble_is_taken_as_it_is() -> None:
    ensemble = stump()
    assert gw.read(ensemble) is ensemble
    assert as_ensemble(ensemble, np.zeros((1, 1))) is ensemble


@pytest.mark.parametrize("thing", [None, 3, [1, 2], object(), {"a": 1}])
def test_what_is_no_model_is_refused_by_its_type(thing: object) -> None:
    with pytest.raises(gw.UnsupportedModelError, match=type(thing).__name__):
        gw.read(thing)


def test_a_foreign_file_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("dear diary")
    with pytest.raises(gw.ModelFileError, match=r"notes\.txt"):
        gw.read(tmp_path / "notes.txt")
    with pytest.raises(gw.ModelFileError, match=r"absent\.txt"):
        gw.read(str(tmp_path / "absent.txt"))


def test_an_explanation_checks_a_model_once_and_again_when_it_is_fitted_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    from sklearn.tree import DecisionTreeRegressor

    X, asked = np.arange(8.0).reshape(-1, 1), []
    tree = DecisionTreeRegressor().fit(X, np.arange(8))
    predict = DecisionTreeRegressor.predict
    monkeypatch.setattr(
        DecisionTreeRegressor, "predict", lambda self, rows: asked.append(len(rows)) or predict(self, rows)
    )
    first = as_ensemble(tree, X)
    assert as_ensemble(tree, X[:2]) is first
    assert asked == [8]
    tree.fit(X, -np.arange(8))
    assert as_ensemble(tree, X) != first
    assert asked == [8, 8]


def test_an_explanation_checks_at_most_a_thousand_rows() -> None:
    from sklearn.tree import DecisionTreeRegressor

    X = np.arange(3000.0).reshape(-1, 1)
    tree = DecisionTreeRegressor(max_depth=3).fit(X, np.arange(3000))
    assert as_ensemble(tree, X).source.parity.n_rows == 1000
    assert gw.read(tree, X).source.parity.n_rows == 3000


def test_no_rows_are_no_proof() -> None:
    from sklearn.tree import DecisionTreeRegressor

    X = np.arange(8.0).reshape(-1, 1)
    assert gw.read(DecisionTreeRegressor().fit(X, np.arange(8)), X[:0]).source.parity == "not checked"


def test_a_one_shot_stream_is_read_for_both_sides() -> None:
    import pyarrow
    from sklearn.tree import DecisionTreeRegressor

    X = np.arange(8.0).reshape(-1, 1)
    tree = DecisionTreeRegressor().fit(X, np.arange(8))
    assert gw.read(tree, pyarrow.table({"x0": X[:, 0]}).to_reader()).source.parity.n_rows == 8


def test_what_a_library_throws_at_rows_becomes_a_table_error_with_its_words() -> None:
    from sklearn.ensemble import GradientBoostingRegressor

    X = np.arange(8.0).reshape(-1, 1)
    model = GradientBoostingRegressor(n_estimators=2).fit(X, np.arange(8))
    with pytest.raises(gw.TableError, match=r"scikit-learn itself refuses these rows: .*NaN"):
        gw.read(model, np.array([[np.nan]]))
