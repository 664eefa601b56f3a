"""ONNX: files of skl2onnx, onnxmltools and CatBoost, compared with onnxruntime on rows that stand on the thresholds."""

from pathlib import Path
from typing import Any

import lightgbm
import numpy as np
import pandas as pd
import pytest
import xgboost
from catboost import CatBoostClassifier, CatBoostRegressor
from numpy.typing import NDArray
from onnxmltools import convert_lightgbm, convert_xgboost
from onnxmltools.convert.common.data_types import FloatTensorType
from skl2onnx import convert_sklearn, to_onnx
from skl2onnx.common.data_types import FloatTensorType as FloatTensor
from skl2onnx.common.data_types import Int64TensorType, StringTensorType
from sklearn.compose import make_column_transformer
from sklearn.ensemble import (
    BaggingClassifier,
    BaggingRegressor,
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    GradientBoostingClassifier,
    GradientBoostingRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
    VotingClassifier,
    VotingRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, OneHotEncoder, OrdinalEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from glasswood.ensemble import Ensemble
from glasswood.readers import onnx as reader
from glasswood.readers._parity import check_parity
from tests.agreement.record import record

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.normal(size=(300, 2)), RNG.normal(1.7e9, 1e5, 300), RNG.integers(0, 9, 300)])
Y = 2 * X[:, 0] + np.sin(3 * X[:, 1]) + X[:, 3] % 3
TWO, THREE = (Y > 1).astype(int), np.array(["a", "b", "c"])[np.digitize(Y, [0, 2])]
COUNTS = np.digitize(Y, [0, 2])


def agrees(content: bytes, source: str, what: str) -> Ensemble:
    """Read the bytes and compare leaves, sums and answers with onnxruntime."""
    ensemble = reader.read_file(content, what)
    opened = reader.open_file(content)
    checked = check_parity(ensemble, _rows(ensemble), lambda part: reader.ask_opened(opened, ensemble, part))
    assert checked.source.parity.leaves_equal
    record("onnxruntime", source, what)
    return checked


def _rows(ensemble: Ensemble) -> NDArray[np.float64]:
    """Rows of X with values on every threshold and one float beside it, and missing values."""
    cut = np.flatnonzero(np.isfinite(ensemble.threshold))
    on = X[RNG.integers(0, len(X), 3 * len(cut))]
    for k, step in enumerate((-np.inf, None, np.inf)):
        values = ensemble.threshold[cut] if step is None else np.nextafter(ensemble.threshold[cut], step)
        on[np.arange(k, len(on), 3), ensemble.feature[cut]] = values
    missing = X[:60].copy()
    missing[RNG.random(missing.shape) < 0.3] = np.nan
    return np.vstack([X, on, missing])


SKLEARN: dict[str, tuple[Any, Any]] = {
    "DecisionTreeRegressor": (DecisionTreeRegressor(max_depth=6, random_state=0), Y),
    "DecisionTreeClassifier": (DecisionTreeClassifier(max_depth=6, random_state=0), THREE),
    "RandomForestRegressor": (RandomForestRegressor(6, max_depth=6, random_state=0), Y),
    "RandomForestRegressor, two targets": (
        RandomForestRegressor(4, max_depth=5, random_state=0),
        np.column_stack([Y, -Y]),
    ),
    "RandomForestClassifier, two classes": (RandomForestClassifier(6, max_depth=6, random_state=0), TWO),
    "RandomForestClassifier, three classes": (RandomForestClassifier(6, max_depth=6, random_state=0), THREE),
    "ExtraTreesRegressor": (ExtraTreesRegressor(4, max_depth=6, random_state=0), Y),
    "GradientBoostingRegressor": (GradientBoostingRegressor(n_estimators=9, random_state=0), Y),
    "GradientBoostingClassifier, two classes": (GradientBoostingClassifier(n_estimators=6, random_state=0), TWO),
    "GradientBoostingClassifier, three classes": (GradientBoostingClassifier(n_estimators=4, random_state=0), THREE),
    "scalers before a forest": (
        make_pipeline(StandardScaler(), MinMaxScaler(), RandomForestRegressor(4, max_depth=6, random_state=0)),
        Y,
    ),
}


@pytest.mark.parametrize("what", SKLEARN)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_skl2onnx(what: str, dtype: Any) -> None:
    model, y = SKLEARN[what]
    content = to_onnx(model.fit(X, y), X[:1].astype(dtype), target_opset={"": 17, "ai.onnx.ml": 3})
    agrees(bytes(content.SerializeToString()), "skl2onnx", f"{what}{' in float64' * (dtype is np.float64)}")


def test_skl2onnx_with_an_imputer() -> None:
    model = make_pipeline(SimpleImputer(), StandardScaler(), RandomForestRegressor(4, max_depth=6, random_state=0))
    content = to_onnx(model.fit(X, Y), X[:1].astype(np.float32))
    agrees(bytes(content.SerializeToString()), "skl2onnx", "imputer and scaler before a forest")


JOINED: dict[str, tuple[Any, Any]] = {
    "VotingRegressor": (
        VotingRegressor(
            [("a", RandomForestRegressor(3, max_depth=4)), ("b", GradientBoostingRegressor(n_estimators=4))]
        ),
        Y,
    ),
    "VotingClassifier": (
        VotingClassifier(
            [("a", RandomForestClassifier(3, max_depth=4)), ("b", ExtraTreesClassifier(3, max_depth=4))],
            voting="soft",
            flatten_transform=False,
            weights=np.array([1.0, 3.0]),
        ),
        COUNTS,
    ),
    "BaggingRegressor": (BaggingRegressor(DecisionTreeRegressor(max_depth=4), 3, random_state=0), Y),
    "BaggingClassifier of some columns": (
        BaggingClassifier(DecisionTreeClassifier(max_depth=4), 3, max_features=0.5, random_state=0),
        TWO,
    ),
    "OneVsRestClassifier": (OneVsRestClassifier(GradientBoostingClassifier(n_estimators=3)), COUNTS),
}


@pytest.mark.parametrize("what", JOINED)
def test_several_ensembles_in_one_graph(what: str) -> None:
    model, y = JOINED[what]
    content = to_onnx(model.fit(X, y), X[:1].astype(np.float32))
    ensemble = agrees(bytes(content.SerializeToString()), "skl2onnx", what)
    if what == "OneVsRestClassifier":
        assert (str(ensemble.link), ensemble.outputs, ensemble.source.classes) == ("none", ("0", "1", "2"), (0, 1, 2))


@pytest.mark.parametrize("what", ["one-hot", "one-hot, first dropped", "ordinal"])
def test_texts_and_levels_of_a_column_transformer(what: str) -> None:
    frame = pd.DataFrame({"city": RNG.choice(["Oslo", "Rome", "Bern"], 300), "code": X[:, 3].astype(np.int64)})
    frame["age"] = X[:, 0].astype(np.float32)
    y = Y + 3 * (frame.city == "Rome")
    encoder = {
        "one-hot": OneHotEncoder(handle_unknown="ignore"),
        "one-hot, first dropped": OneHotEncoder(drop="first"),
        "ordinal": OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1),
    }[what]
    columns = make_column_transformer((encoder, ["city", "code"]), (StandardScaler(), ["age"]))
    model = make_pipeline(columns, RandomForestRegressor(5, max_depth=6, random_state=0)).fit(frame, y)
    types = [("city", StringTensorType([None, 1])), ("code", Int64TensorType([None, 1]))]
    content = bytes(convert_sklearn(model, initial_types=[*types, ("age", FloatTensor([None, 1]))]).SerializeToString())
    ensemble, opened = reader.read_file(content, what), reader.open_file(content)
    assert ensemble.feature_names == ("city", "code", "age")
    assert ensemble.features.categories[0] == ("Bern", "Oslo", "Rome")
    rows = frame.assign(age=RNG.choice(np.unique(ensemble.threshold[np.isfinite(ensemble.threshold)]), 300))
    if "dropped" not in what:  # onnxruntime refuses levels that this encoder has not seen
        rows.loc[:30, "city"] = "Nîmes"
        rows.loc[20:50, "code"] = 77
    checked = check_parity(ensemble, rows, lambda part: reader.ask_opened(opened, ensemble, part))
    assert checked.source.parity.leaves_equal
    assert np.allclose(model.predict(frame), ensemble.predict(frame), rtol=1e-5)
    record("onnxruntime", "skl2onnx", f"text and whole numbers, {what}")


LIGHTGBM: dict[str, tuple[dict[str, Any], Any, dict[str, Any]]] = {
    "regression": ({}, Y, {}),
    "two classes": ({"objective": "binary"}, TWO, {}),
    "three classes": ({"objective": "multiclass"}, COUNTS, {}),
    "poisson": ({"objective": "poisson"}, COUNTS, {}),
    "random forest": ({"boosting_type": "rf", "bagging_freq": 1, "bagging_fraction": 0.5}, Y, {}),
    "category sets": ({"min_data_per_group": 2, "cat_smooth": 1}, Y, {"categorical_feature": [3]}),
}


@pytest.mark.parametrize("what", LIGHTGBM)
def test_onnxmltools_of_lightgbm(what: str) -> None:
    options, y, fit = LIGHTGBM[what]
    cls = lightgbm.LGBMClassifier if "classes" in what else lightgbm.LGBMRegressor
    model = cls(n_estimators=5, num_leaves=12, min_child_samples=5, verbose=-1, n_jobs=1, **options).fit(X, y, **fit)
    made = convert_lightgbm(model, initial_types=[("input", FloatTensorType([None, 4]))])
    ensemble = agrees(bytes(made.SerializeToString()), "onnxmltools of LightGBM", what)
    assert (ensemble.features.categories[3] is not None) == (what == "category sets")


XGBOOST: dict[str, tuple[dict[str, Any], Any]] = {
    "regression": ({}, Y),
    "two classes": ({"objective": "binary:logistic"}, TWO),
    "three classes": ({"objective": "multi:softprob"}, COUNTS),
    "poisson": ({"objective": "count:poisson"}, COUNTS),
}


@pytest.mark.parametrize("what", XGBOOST)
def test_onnxmltools_of_xgboost(what: str) -> None:
    options, y = XGBOOST[what]
    cls = xgboost.XGBClassifier if "classes" in what else xgboost.XGBRegressor
    model = cls(n_estimators=5, max_depth=4, n_jobs=1, **options).fit(X, y)
    made = convert_xgboost(model, initial_types=[("input", FloatTensorType([None, 4]))])
    agrees(bytes(made.SerializeToString()), "onnxmltools of XGBoost", what)


@pytest.mark.parametrize(("what", "y"), [("regression", Y), ("two classes", TWO), ("three classes", THREE)])
def test_catboost_s_own_export(what: str, y: Any, tmp_path: Path) -> None:
    cls = CatBoostRegressor if what == "regression" else CatBoostClassifier
    model = cls(iterations=5, depth=4, verbose=False, allow_writing_files=False, thread_count=1).fit(X, y)
    model.save_model(str(tmp_path / "m.onnx"), format="onnx")
    ensemble = agrees((tmp_path / "m.onnx").read_bytes(), "CatBoost", what)
    assert ensemble.n_outputs == (3 if what == "three classes" else 1)
