"""Memory: models that were read and checked, so that calls with the same model need not repeat it."""

import weakref
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from glasswood.ensemble import Ensemble

_MAX_KINDS = 8  # kinds of table whose checks are kept per model


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known about a model as long as its fingerprint stays the same."""

    fingerprint: bytes
    ensemble: Ensemble  # without a certificate
    # kind of table → the ensemble with its certificate
    proofs: Mapping[Hashable, Ensemble] = field(default_factory=dict)
    named: Ensemble | None = None  # the last checked ensemble with labels instead of hashes

    def proved(self, kind: Hashable, ensemble: Ensemble) -> "Known":
        """Add a check for a kind of table; the oldest is dropped if there are too many."""
        proofs = {key: proof for key, proof in self.proofs.items() if key != kind}
        kept = list(proofs.items())[-(_MAX_KINDS - 1) :]
        return replace(self, proofs={**dict(kept), kind: ensemble})


# By id, because libraries define equality in their own ways. The model is referenced weakly, and its entry is removed
# with it. An entry is replaced as a whole without a lock: threads that race only repeat some work.
_known: dict[int, tuple["weakref.ref[Any]", Known]] = {}


def recall(model: Any, fingerprint: bytes) -> Known | None:
    """What is known about a model; None if nothing is known or the model has changed."""
    reference, known = _known.get(id(model), (None, None))
    if reference is None or known is None or reference() is not model:
        return None
    return known if known.fingerprint == fingerprint else None


def remember(model: Any, known: Known) -> Known:
    """Keep what is known about a model as long as the model exists."""
    key = id(model)
    try:
        reference = weakref.ref(model, lambda _: _known.pop(key, None))
    except TypeError:  # the model cannot be referenced weakly, and must not be kept alive
        return known
    _known[key] = reference, known
    return known


def forget() -> None:
    """Forget all models that were read and checked; the next call reads and checks them again.

    A model that was refitted or changed in place is detected without this, by its fingerprint. Use it in tests and
    measurements, and if settings of a library changed how it reads a table.

    Examples
    --------
    >>> import glasswood as gw
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> tree = DecisionTreeRegressor().fit([[0.0], [1.0]], [1.0, 2.0])
    >>> first = gw.read(tree)
    >>> gw.read(tree) is first
    True
    >>> gw.forget()
    >>> gw.read(tree) is first
    False
    """
    _known.clear()
