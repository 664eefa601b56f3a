"""read finds the reader, and says what it cannot read."""

import warnings
from concurrent.futures import ThreadPoolExecutor
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
def test_an_object_that_is_not_a_model_is_refused_by_its_type(thing: object) -> None:
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


def test_an_explanation_checks_a_model_again_with_another_kind_of_table() -> None:
    import pandas as pd
    from sklearn.tree import DecisionTreeRegressor

    X = np.arange(16.0).reshape(-1, 2)
    tree = DecisionTreeRegressor().fit(X, np.arange(8))
    first = as_ensemble(tree, X)
    assert as_ensemble(tree, pd.DataFrame(X, columns=["a", "b"])) == first
    with pytest.raises(gw.ParityError, match="masked array"):
        as_ensemble(tree, np.ma.array(X, mask=X < 5))


def test_an_explanation_checks_at_most_a_thousand_rows() -> None:
    from sklearn.tree import DecisionTreeRegressor

    X = np.arange(3000.0).reshape(-1, 1)
    tree = DecisionTreeRegressor(max_depth=3).fit(X, np.arange(3000))
    assert as_ensemble(tree, X).source.parity.n_rows == 1000
    assert gw.read(tree, X).source.parity.n_rows == 3000


def test_a_check_without_rows_proves_nothing() -> None:
    from sklearn.tree import DecisionTreeRegressor

    X = np.arange(8.0).reshape(-1, 1)
    assert gw.read(DecisionTreeRegressor().fit(X, np.arange(8)), X[:0]).source.parity == "not checked"


def test_reading_in_threads_leaves_the_warnings_of_the_program_alone(tmp_path: Path) -> None:
    import lightgbm as lgb
    import pandas as pd
    from sklearn.tree import DecisionTreeRegressor

    frame = pd.DataFrame({"a": np.arange(60.0), "b": np.arange(60.0) % 7})
    booster = lgb.train({"verbose": -1, "num_threads": 1, "num_leaves": 4}, lgb.Dataset(frame, frame["a"]), 3)
    booster.save_model(str(tmp_path / "model.txt"))
    tree = DecisionTreeRegressor(max_depth=3).fit(frame, frame["a"])
    # a table without names for a model with names, for which scikit-learn would warn
    works = [lambda: gw.read(tmp_path / "model.txt"), lambda: gw.read(tree, frame.to_numpy())]
    before = list(warnings.filters), warnings.showwarning
    with ThreadPoolExecutor(8) as threads:
        for work in [threads.submit(works[k % 2]) for k in range(200)]:
            work.result()
    assert (list(warnings.filters), warnings.showwarning) == before


def test_a_one_shot_stream_is_read_for_both_sides() -> None:
    import pyarrow
    from sklearn.tree import DecisionTreeRegressor

    X = np.arange(8.0).reshape(-1, 1)
    tree = DecisionTreeRegressor().fit(X, np.arange(8))
    assert gw.read(tree, pyarrow.table({"x0": X[:, 0]}).to_reader()).source.parity.n_rows == 8


def test_errors_of_a_library_about_rows_become_table_errors_with_its_message() -> None:
    from sklearn.ensemble import GradientBoostingRegressor

    X = np.arange(8.0).reshape(-1, 1)
    model = GradientBoostingRegressor(n_estimators=2).fit(X, np.arange(8))
    with pytest.raises(gw.TableError, match=r"scikit-learn's own predict failed on these rows: .*NaN"):
        gw.read(model, np.array([[np.nan]]))


@pytest.mark.parametrize("n_columns", [0, 5, 13])
@pytest.mark.parametrize("sparse", [False, True])
def test_a_table_of_other_columns_is_refused_for_our_own_models(tmp_path: Path, n_columns: int, sparse: bool) -> None:
    import scipy.sparse as sp

    model = gw.TreeRegressor(max_depth=2).fit(np.arange(96.0).reshape(8, 12), np.arange(8))
    model.ensemble_.save(tmp_path / "model.gw")
    other = np.zeros((8, n_columns))
    for own in (model, model.ensemble_, tmp_path / "model.gw"):
        with pytest.raises(gw.TableError, match="the model has 12 features"):
            gw.read(own, sp.csr_array(other) if sparse else other)
        assert gw.read(own, np.zeros((3, 12))).features == model.ensemble_.features
