"""RuleTarget: the target that rules predict, numbers or classes, and the score of a prediction."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood.explain._scores import class_auc, r2
from glasswood.explain._target import check_squares


@dataclass(frozen=True, slots=True, eq=False)
class RuleTarget:
    """The target of rules: numbers, or classes of rows."""

    y: NDArray[np.float64]  # (n_rows, n_outputs) the number, or 1 in the column of the row's class
    outputs: tuple[str, ...]  # for two classes only the second
    labels: NDArray[np.integer] | None  # (n_rows,) class of each row; None for numbers

    @classmethod
    def of_numbers(
        cls, y: NDArray[np.float64], weight: NDArray[np.float64], outputs: tuple[str, ...] = ("y",)
    ) -> "RuleTarget":
        """Target of numbers; `TableError` if their squares, which weight the rules, overflow."""
        check_squares(y, weight)
        return cls(y=y[:, None], outputs=outputs, labels=None)

    @classmethod
    def of_classes(cls, labels: NDArray[np.integer], classes: Sequence[str]) -> "RuleTarget":
        """Target of classes; two classes are represented by the share of the second."""
        shown = range(1, 2) if len(classes) == 2 else range(len(classes))
        y = np.column_stack([labels == k for k in shown]).astype(np.float64)
        return cls(y=y, outputs=tuple(classes[k] for k in shown), labels=labels)

    @property
    def place(self) -> NDArray[np.float64]:
        """The number that orders the levels of a category: the target, or whether a row has the most frequent class."""
        if self.labels is None or self.y.shape[1] == 1:
            return self.y[:, 0]
        return self.y[:, int(np.bincount(self.labels).argmax())]

    def score(self, prediction: NDArray[np.float64], weight: NDArray[np.float64]) -> float:
        """R², or the area under the ROC curve."""
        if self.labels is None:
            return r2(prediction[:, 0], self.y[:, 0], weight)
        return class_auc(prediction, self.labels, weight)
