"""The readers room: foreign model → Ensemble, one module per library, each proved against its library."""

from glasswood.readers._draws import read_draws
from glasswood.readers._read import as_ensemble, read

__all__ = ["as_ensemble", "read", "read_draws"]
