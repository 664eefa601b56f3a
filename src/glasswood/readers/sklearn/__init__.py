"""scikit-learn's tree models, read from their public arrays if there are any."""

from glasswood.readers.sklearn._reader import ask, ask_as_read, fingerprint, predicted, read_model, written

__all__ = ["ask", "ask_as_read", "fingerprint", "predicted", "read_model", "written"]
