"""Readers: model of another library → Ensemble; one module per library, each checked against its library."""

from glasswood.readers._draws import read_draws
from glasswood.readers._memory import forget
from glasswood.readers._read import as_ensemble, read
from glasswood.readers._registry import file_reader_of

__all__ = ["as_ensemble", "file_reader_of", "forget", "read", "read_draws"]
