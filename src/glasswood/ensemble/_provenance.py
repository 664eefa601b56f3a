"""Provenance: where a model came from, and what is known about how well it was read."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from glasswood.tables import Label

WeightKind: TypeAlias = Literal["weights", "rows", "hessian", "none"]
NOT_CHECKED: Literal["not checked"] = "not checked"
OWN_TABLE = "the table itself"
VALUES_READ = "the values glasswood read from the table"


@dataclass(frozen=True, slots=True)
class Parity:
    """Certificate: the ensemble was compared with the library's own prediction."""

    n_rows: int
    leaves_equal: bool | None  # None: the library gives no leaf numbers
    largest_difference: float  # in raw, over all rows and outputs
    bound: float  # the largest difference that was allowed at the row where the difference is largest
    asked_with: str = OWN_TABLE  # what the library was given to predict

    def __str__(self) -> str:
        leaves = {True: "leaves equal", None: "no leaf numbers to compare", False: "leaves differ"}[self.leaves_equal]
        found = f"checked on {self.n_rows:,} rows: {leaves}, largest difference in raw {self.largest_difference:.3g}"
        return found if self.asked_with == OWN_TABLE else f"{found}; the library predicted {self.asked_with}"


def fit_outputs(classes: Sequence[Label], n_outputs: int) -> bool:
    """Whether so many classes can be those of so many outputs: as many, or two with the output of the second."""
    return len(classes) == n_outputs or (len(classes) == 2 and n_outputs == 1)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Library, version and objective of a model, what its weights count, and the parity certificate."""

    library: str
    version: str
    model: str  # class or file kind, e.g. "RandomForestClassifier"
    objective: str
    weight_kind: WeightKind
    notes: tuple[str, ...] = ()  # what reading could not keep
    parity: Parity | Literal["not checked"] = NOT_CHECKED
    unchecked: str = ""  # why the library could not be asked, where rows were given to ask it with
    classes: tuple[Label, ...] = ()  # of a classifier of one target, as its outputs order them; empty: not known
    n_targets: int = 1  # targets predicted at once, whose outputs stand one after the other

    @property
    def certificate(self) -> str:
        """How it is known that the ensemble is the model, in words."""
        if self.parity == NOT_CHECKED and self.library == "glasswood":
            return "this is the model itself"
        return f"{NOT_CHECKED}: {self.unchecked}" if self.unchecked else str(self.parity)
