"""TargetRows: the targets of the rows, as classes or as numbers."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, LinkKind
from glasswood.errors import TableError
from glasswood.explain import holds_shares
from glasswood.tables import read_vector

_CLASS_LINKS = (LinkKind.LOGIT, LinkKind.SOFTMAX, LinkKind.OVA)


@dataclass(frozen=True, slots=True, eq=False)
class TargetRows:
    """Classes, or numbers where `classes` is None."""

    classes: tuple[str, ...] | None
    codes: NDArray[np.int64]  # (n_rows,) position of the class; empty for numbers
    numbers: NDArray[np.float64]  # (n_rows,) empty for classes

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.numbers) if self.classes is None else len(self.codes)


def target_rows(model: Any, ensemble: Ensemble, y: Any, n_rows: int) -> TargetRows:
    """Read targets as the model means them: classes in the order of its shares, or numbers."""
    values = read_vector(y, n_rows)
    if not holds_shares(ensemble) and ensemble.link.kind not in _CLASS_LINKS:
        if values.dtype.kind not in "biuf":
            raise TableError("y holds text, but the model predicts a number")
        return TargetRows(None, np.zeros(0, dtype=np.int64), values.astype(np.float64))
    found = np.unique(values).tolist()
    names = _class_names(getattr(model, "classes_", None), ensemble, found)
    position = {name: k for k, name in enumerate(names)}
    strange = [label for label in found if str(label) not in position]
    if strange:
        raise TableError(f"y holds the class {strange[0]!r}, which the model does not know")
    codes = np.array([position[str(label)] for label in values.tolist()], dtype=np.int64)
    return TargetRows(tuple(names), codes, np.zeros(0))


def _class_names(known: Any, ensemble: Ensemble, found: list[Any]) -> list[str]:
    texts = [str(label) for label in found]
    if known is not None:
        return [str(label) for label in np.asarray(known).tolist()]
    if ensemble.n_outputs > 1:
        if set(texts) <= set(ensemble.outputs):
            return list(ensemble.outputs)
        if len(texts) > ensemble.n_outputs:
            raise TableError(f"y has {len(texts)} classes, the model {ensemble.n_outputs}")
        # The model numbers its classes; the target names them in the same order.
        return texts + [f"class {k}" for k in range(len(texts), ensemble.n_outputs)]
    if len(texts) > 2:
        raise TableError(f"y has {len(texts)} classes, the model 2")
    second = ensemble.outputs[0]
    if texts == [second]:
        return [f"not {second}", second]
    if len(texts) == 2 and texts[0] == second:
        return texts[::-1]
    return texts if len(texts) == 2 else [*texts, f"not {texts[0]}"]
