"""Answers: predictions as text; shares of classes in percent."""

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, LinkKind, holds_shares, largest_share
from glasswood.web.page._text import number, percent


def says_shares(ensemble: Ensemble) -> bool:
    """Whether predictions are shares of classes: by the link, or because the leaves of a forest hold them."""
    return ensemble.link.gives_shares or holds_shares(ensemble)


def answer_texts(ensemble: Ensemble, raw: NDArray[np.float64]) -> list[str]:
    """The prediction for each line of raw, (n_rows, n_outputs), as text; of several shares, the largest.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> from glasswood.web.panels._answers import answer_texts
    >>> tree = gw.TreeClassifier().fit([[0.0], [1.0]], [0, 1]).ensemble_
    >>> answer_texts(tree, np.array([[0.25]]))
    ['25.0 %']
    """
    raw = raw.reshape(len(raw), -1)
    if ensemble.link.kind is LinkKind.NONE:
        return [", ".join(f"raw {number(x)}" for x in line) for line in raw.tolist()]
    said = ensemble.link.inverse(raw, objective=ensemble.source.objective, notes=ensemble.source.notes)
    text = percent if says_shares(ensemble) else number
    if said.shape[1] == 1:
        return [text(x) for x in said[:, 0].tolist()]
    best = largest_share(said) if says_shares(ensemble) else np.zeros(len(said), dtype=np.intp)
    return [f"{ensemble.outputs[k]}: {text(float(line[k]))}" for k, line in zip(best, said, strict=True)]
