"""Memory: which models were read and proved, so that a verb given the same model again does neither."""

import weakref
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from glasswood.ensemble import Ensemble

_MOST_KINDS = 8  # kinds of table whose proofs are kept of one model


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """What is known of a model while its fingerprint stays the same."""

    fingerprint: bytes
    ensemble: Ensemble  # as it was read, without a certificate
    proofs: Mapping[Hashable, Ensemble] = field(default_factory=dict)  # kind of table → the same with its certificate
    named: Ensemble | None = None  # the last proof with the labels that its rows gave to hashes

    def proved(self, kind: Hashable, ensemble: Ensemble) -> "Known":
        """With a proof for a kind of table; the oldest goes where there are too many."""
        proofs = {key: proof for key, proof in self.proofs.items() if key != kind}
        kept = list(proofs.items())[-(_MOST_KINDS - 1) :]
        return replace(self, proofs={**dict(kept), kind: ensemble})


# By id, not by equality, which libraries define in their own way. The model is held weakly, and its entry goes with it.
# An entry is replaced as a whole and there is no lock: two threads that race do the same work twice, nothing more.
_known: dict[int, tuple["weakref.ref[Any]", Known]] = {}


def recall(model: Any, fingerprint: bytes) -> Known | None:
    """What is known of a model, None where nothing is or where it has changed since."""
    reference, known = _known.get(id(model), (None, None))
    if reference is None or known is None or reference() is not model:
        return None
    return known if known.fingerprint == fingerprint else None


def remember(model: Any, known: Known) -> Known:
    """Keep what is known of a model for as long as the model lives."""
    key = id(model)
    try:
        reference = weakref.ref(model, lambda _: _known.pop(key, None))
    except TypeError:  # it cannot be referenced weakly, and nothing is kept alive here
        return known
    _known[key] = reference, known
    return known


def forget() -> None:
    """Forget every model that was read and proved: the next call reads and proves it anew.

    A model that was fitted anew or changed in place is noticed without this, by its fingerprint. It is for tests and
    measurements, and for a library whose own settings changed how it reads a table.

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
