"""Derivation: how features that no column of the caller's table holds are computed from the table."""

from typing import Protocol

from glasswood.tables import Columns, Table


class Derivation(Protocol):
    """The steps of a pipeline that make features of the columns of a table."""

    @property
    def key(self) -> bytes:
        """Digest of the steps; derivations with the same key compute the same."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features that are computed."""

    @property
    def columns(self) -> tuple[str, ...] | None:
        """Names of the columns of the caller's table; None if it has none."""

    def __call__(self, X: Table | Columns, /) -> Columns:
        """All features of the model, in its order and with its names."""
