"""The bundled table: passengers of the Titanic, with real missing values and categories."""

from glasswood.data._titanic import load_titanic, titanic_columns

__all__ = ["load_titanic", "titanic_columns"]
