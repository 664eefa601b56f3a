"""The bundled table: passengers of the Titanic, with real missing values and categories."""

from glasswood.data._titanic import load_titanic

__all__ = ["load_titanic"]
