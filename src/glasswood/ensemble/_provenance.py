"""Provenance: where a model came from, and how it was checked."""

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
    """Certificate of a comparison between the ensemble and the library's own prediction."""

    n_rows: int
    leaves_equal: bool | None  # None if the library gives no leaf numbers
    largest_difference: float  # in raw, over all rows and outputs
    bound: float  # the difference that was allowed in the row where it is largest
    asked_with: str = OWN_TABLE  # what the library was given to predict

    def __str__(self) -> str:
        leaves = {True: "leaves equal", None: "no leaf numbers to compare", False: "leaves differ"}[self.leaves_equal]
        found = f"checked on {self.n_rows:,} rows: {leaves}, largest difference in raw {self.largest_difference:.3g}"
        return found if self.asked_with == OWN_TABLE else f"{found}; the library predicted {self.asked_with}"


def fit_outputs(classes: Sequence[Label], n_outputs: int) -> bool:
    """Whether the classes fit the outputs: as many of each, or two classes for one output."""
    return len(classes) == n_outputs or (len(classes) == 2 and n_outputs == 1)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Library, version and objective of a model, what its weights count, and the parity certificate."""

    library: str
    version: str
    model: str  # class or file kind, e.g. "RandomForestClassifier"
    objective: str
    weight_kind: WeightKind
    notes: tuple[str, ...] = ()  # what to know about how the model was read, e.g. what was left out or assumed
    parity: Parity | Literal["not checked"] = NOT_CHECKED
    unchecked: str = ""  # why the library could not be asked, although rows were given
    classes: tuple[Label, ...] = ()  # of a classifier with one target, in the order of its outputs; empty if not known
    n_targets: int = 1  # targets predicted at once; their outputs follow each other

    @property
    def certificate(self) -> str:
        """Says how it was checked that the ensemble equals the model."""
        if self.parity == NOT_CHECKED and self.library == "glasswood":
            return "this is the model itself"
        return f"{NOT_CHECKED}: {self.unchecked}" if self.unchecked else str(self.parity)
