"""Conversions: how a model of a library that glasswood does not read becomes a file that it reads."""

SPARK = (
    "convert the model itself (pipeline_model.stages[-1]) with onnxmltools.convert_sparkml(model, name, "
    '[("features", FloatTensorType([None, n]))], spark_session=spark) and read the ONNX file'
)
H2O = (
    'download its MOJO, convert that of a GBM with onnxmltools.convert_h2o("mojo.zip") and read the ONNX file; H2O\'s '
    "other trees have no exact export"
)
R = (
    'save a booster in R with lgb.save, xgb.save("m.ubj") or catboost.save_model and read that file; ranger, '
    "randomForest and gbm have no exact export, so fit the forest with scikit-learn or glasswood on the same table"
)
_SYNAPSE = 'save its booster with model.saveNativeModel("folder") and read the text file of LightGBM in that folder'
# where a class is defined → what to do instead; the longest beginning that fits counts
_OF_MODULES = {
    "h2o": H2O,
    "mmlspark": _SYNAPSE,
    "onnxruntime": "pass the path of the ONNX file, or the ModelProto, that the session was made from",
    "pyspark": SPARK,
    "rpy2": R,
    "synapse": _SYNAPSE,
    "xgboost.spark": "pass its booster, model.get_booster()",
}


def conversion_of(module: str) -> str | None:
    """What to do with a model whose class is defined in a module; None if nothing is known about it."""
    parts = module.split(".")
    for n in range(len(parts), 0, -1):
        found = _OF_MODULES.get(".".join(parts[:n]))
        if found is not None:
            return found
    return None
