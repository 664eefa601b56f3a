"""scikit-learn's trees and forests, read from their public arrays."""

from glasswood.readers.sklearn._reader import ask, read_model

__all__ = ["ask", "read_model"]
