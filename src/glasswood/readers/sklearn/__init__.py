"""scikit-learn's tree models, read from their public arrays where they have any."""

from glasswood.readers.sklearn._reader import ask, read_model

__all__ = ["ask", "read_model"]
