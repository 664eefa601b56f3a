"""Words for raw: its unit, the prediction that a raw number corresponds to, and what attributions average over."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glasswood._words import counted
from glasswood.ensemble import Link, LinkKind
from glasswood.errors import KeyNotFoundError, OptionError
from glasswood.results._html import number
from glasswood.results._outputs import output_index

_UNIT = {
    LinkKind.IDENTITY: "raw",
    LinkKind.LOG: "raw (log of the prediction)",
    LinkKind.LOGIT: "raw (log-odds)",
    LinkKind.SOFTMAX: "raw (softmax score)",
    LinkKind.OVA: "raw (log-odds)",
    LinkKind.NONE: "raw",
}


class Explained(Protocol):
    """A result with a baseline and, for one row, raw."""

    @property
    def baseline(self) -> NDArray[np.float64]: ...
    @property
    def raw(self) -> NDArray[np.float64]: ...
    @property
    def prediction(self) -> NDArray[np.float64] | None: ...
    @property
    def baseline_prediction(self) -> NDArray[np.float64] | None: ...
    @property
    def link(self) -> Link: ...


class Averaged(Protocol):
    """A result that knows the rows it is averaged over, or the kind of the weights."""

    @property
    def n_background(self) -> int | None: ...
    @property
    def weight_kind(self) -> str | None: ...


def averaged_over(found: Averaged) -> str:
    """Method of attributions and what it averages over."""
    if found.n_background is None:
        return f"path, nodes weighed by {found.weight_kind}"
    return f"interventional over {counted(found.n_background, 'row')}"


def others(n: int) -> str:
    """Name of the sum of several features."""
    return counted(n, "other feature")


def raw_unit(link: Link, outputs: Sequence[str], output: int) -> str:
    """Label of an axis of raw."""
    return _UNIT[link.kind] + (f" of {outputs[output]}" if len(outputs) > 1 else "")


def chosen_output(output: str | int | None, outputs: Sequence[str]) -> int:
    """Position of the output that a picture shows; if there are several, the caller must choose one."""
    if output is None:
        if len(outputs) > 1:
            names = ", ".join(map(repr, outputs[:10]))
            raise OptionError(f"the model has {len(outputs)} outputs; say which to show with output=, one of {names}")
        return 0
    try:
        return output_index(output, outputs)[0]
    except KeyNotFoundError as error:
        raise OptionError(str(error)) from None


def with_prediction(text: str, raw: float, prediction: float | None, link: Link) -> str:
    """A raw number, and the prediction it corresponds to if that is a different number."""
    if prediction is None or link.kind is LinkKind.IDENTITY:
        return f"{text} {number(raw)}"
    what = f"probability {prediction:.3g}" if link.gives_shares else f"prediction {number(prediction)}"
    return f"{text} {number(raw)} ({what})"


def ends(row: Explained, output: int) -> tuple[str, str]:
    """The texts for baseline and raw of a row."""
    base = None if row.baseline_prediction is None else float(row.baseline_prediction[output])
    end = None if row.prediction is None else float(row.prediction[output])
    return (
        with_prediction("baseline", float(row.baseline[output]), base, row.link),
        with_prediction("raw", float(row.raw[output]), end, row.link),
    )
