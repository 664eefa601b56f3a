"""scikit-learn's tree models, read from their public arrays where they have any."""

from glasswood.readers.sklearn._reader import ask, ask_as_read, predicted, read_model

__all__ = ["ask", "ask_as_read", "predicted", "read_model"]
