"""Subject: a model and the rows it is looked at with; what every panel is built from."""

from dataclasses import dataclass
from typing import Any

from glasswood.tables import Table


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """A model, rows and, where they are known, their targets."""

    title: str
    model: Any  # what `read` takes
    X: Table
    y: Any = None  # (n_rows,)
