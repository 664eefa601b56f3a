"""A model of a library that is not read is refused with the way to a file that is."""

import pytest

import glasswood as gw
from glasswood.readers._conversions import conversion_of

CLASSES = {
    "pyspark.ml.classification.GBTClassificationModel": r"onnxmltools\.convert_sparkml",
    "pyspark.ml.pipeline.PipelineModel": r"stages\[-1\]",
    "h2o.estimators.gbm.H2OGradientBoostingEstimator": r"onnxmltools\.convert_h2o",
    "rpy2.robjects.vectors.ListVector": r"lgb\.save, xgb\.save.*ranger.*no exact export",
    "synapse.ml.lightgbm.LightGBMClassifier.LightGBMClassificationModel": r"model\.saveNativeModel",
    "mmlspark.lightgbm.LightGBMClassificationModel": r"model\.saveNativeModel",
    "onnxruntime.capi.onnxruntime_inference_collection.InferenceSession": "path of the ONNX file",
    "xgboost.spark.estimator.SparkXGBRegressorModel": r"model\.get_booster\(\)",
}


def made_up(path: str, *parents: type) -> type:
    module, _, name = path.rpartition(".")
    return type(name, parents, {"__module__": module})


@pytest.mark.parametrize("path", CLASSES)
def test_a_model_is_refused_with_the_way_to_convert_it(path: str) -> None:
    with pytest.raises(gw.UnsupportedModelError, match=f"cannot read a {path}; .*{CLASSES[path]}"):
        gw.read(made_up(path)())


def test_a_class_of_two_libraries_is_refused_by_the_nearer_one() -> None:
    sklearn = made_up("sklearn.base.BaseEstimator")
    with pytest.raises(gw.UnsupportedModelError, match="convert_h2o"):
        gw.read(made_up("h2o.sklearn.H2OGradientBoostingRegressor", sklearn)())


def test_only_whole_names_of_modules_count() -> None:
    assert conversion_of("h2o") is not None
    assert conversion_of("h2oh.model") is None
    assert conversion_of("xgboost.sklearn") is None
