"""scikit-learn's pipelines and meta-estimators around a model: searches, thresholds, votes."""

from glasswood.readers.pipelines._reader import ask, ask_as_read, fingerprint, predicted, read_model, written

__all__ = ["ask", "ask_as_read", "fingerprint", "predicted", "read_model", "written"]
