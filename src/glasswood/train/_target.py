"""Targets: what a model learns, in the form the kernels need."""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class NumberTarget:
    """A number per row."""

    y: NDArray[np.float64]  # (n_rows,) finite

    @property
    def outputs(self) -> tuple[str, ...]:
        """Name of the one output."""
        return ("y",)


@dataclass(frozen=True, slots=True, eq=False)
class ClassTarget:
    """A class per row."""

    labels: NDArray[np.int32]  # (n_rows,) position of the row's class
    classes: tuple[str, ...]  # names of the classes

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of the outputs: with two classes only the second, otherwise all."""
        return self.classes[1:] if len(self.classes) == 2 else self.classes


Target: TypeAlias = NumberTarget | ClassTarget
