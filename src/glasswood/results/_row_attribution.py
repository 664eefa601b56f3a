"""RowAttribution: what each feature adds to the raw prediction of one row."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_whole
from glasswood._words import with_minus
from glasswood.ensemble import Link
from glasswood.plots import Waterfall, draw_waterfall, shortened
from glasswood.results._attributed_rows import exact_text, value_text
from glasswood.results._html import Bar, html_table
from glasswood.results._json_values import to_json
from glasswood.results._outputs import with_output
from glasswood.results._raw_words import averaged_over, chosen_output, ends, others, raw_unit
from glasswood.tables import FrameKind, Label, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True)
class Step:
    """One step from the baseline to raw."""

    feature: str
    text: str  # the value of the feature in the row, in a few digits; empty if it has none
    exact: str  # the same with all its digits
    number: float | None  # the same as a number; None if it is missing or not a number
    added: float
    is_date: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class RowAttribution:
    """Attributions of one row: baseline + Σ values + rest = raw, per output.

    `values` is (n_features,) for one output, else (n_features, n_outputs); `rest` is what the features that were not
    kept add together.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> row = gw.attributions(tree, X, background=X)[3]
    >>> row
    <RowAttribution Row 3: baseline 2.25 → raw 6>
    >>> row.to_frame("pyarrow").to_pydict()["cumulated"]
    [4.375, 6.0]
    """

    row: int  # its number in the table that was explained
    values: NDArray[np.float64]
    rest: NDArray[np.float64]  # (n_outputs,)
    n_rest: int  # features that were not kept
    baseline: NDArray[np.float64]  # (n_outputs,)
    raw: NDArray[np.float64]  # (n_outputs,)
    prediction: NDArray[np.float64] | None  # (n_outputs,) inverse link of raw; None if the link is unknown
    baseline_prediction: NDArray[np.float64] | None  # (n_outputs,)
    interactions: NDArray[np.float64] | None  # (n_features, n_features[, n_outputs])
    names: tuple[str, ...]
    inputs: tuple[Label | None, ...]  # the value of each feature in the row; None if missing, and for a group
    is_group: tuple[bool, ...]  # a group of features has no value of its own
    is_date: tuple[bool, ...]  # the value counts microseconds since 1970
    outputs: tuple[str, ...]
    method: str  # interventional or path
    n_background: int | None  # rows of the background; None for path
    weight_kind: str | None  # what the weights of the nodes count, for path
    link: Link
    kind: FrameKind | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The values of the row as readable text; empty for a group."""
        return tuple(
            "" if group else value_text(value, is_date)
            for value, group, is_date in zip(self.inputs, self.is_group, self.is_date, strict=True)
        )

    def steps(self, output: int = 0) -> list[Step]:
        """Steps from the baseline to raw of an output: the largest first, the features that were not kept last."""
        values = self.values.reshape(len(self.names), -1)[:, output]
        found = [self._step(j, float(values[j])) for j in np.argsort(-np.abs(values), kind="stable").tolist()]
        if self.n_rest:
            found.append(Step(others(self.n_rest), "", "", None, float(self.rest[output])))
        return found

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per feature, largest first: feature, value, number, attribution, cumulated [, output].

        `value` is the row's own value as text, `number` the same as a number, missing where it is none. Features that
        were not kept are the last row.
        """
        columns: dict[str, list[Any]] = {}
        for o in range(len(self.outputs)):
            steps = self.steps(o)
            sums = self.baseline[o] + np.cumsum([step.added for step in steps])
            parts: dict[str, list[Any]] = {
                "feature": [step.feature for step in steps],
                "value": [step.exact for step in steps],
                "number": [np.nan if step.number is None else step.number for step in steps],
                "attribution": [step.added for step in steps],
                "cumulated": sums.tolist(),
            }
            for name, values in parts.items():
                columns.setdefault(name, []).extend(values)
        n_steps = len(self.names) + bool(self.n_rest)
        return make_frame(with_output(columns, self.outputs, n_steps), backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "row": self.row,
            "method": self.method,
            "n_background": self.n_background,
            "weight_kind": self.weight_kind,
            "features": list(self.names),
            "texts": list(self.texts),
            "inputs": [None if value is None else to_json(value) for value in self.inputs],
            "values": to_json(self.values),
            "rest": to_json(self.rest),
            "n_rest": self.n_rest,
            "baseline": to_json(self.baseline),
            "raw": to_json(self.raw),
            "prediction": None if self.prediction is None else to_json(self.prediction),
            "interactions": None if self.interactions is None else to_json(self.interactions),
            "outputs": list(self.outputs),
            "link": self.link.kind.value,
        }

    def plot(self, ax: "Axes | None" = None, *, output: str | int | None = None, most: int = 10) -> "Axes":
        """Draw the steps from the baseline to raw, the largest first; a model with several outputs needs `output`.

        At most `most` bars are drawn; the last one is the sum of all other features.
        """
        check_whole("most", most, 1)
        o = chosen_output(output, self.outputs)
        steps = self.steps(o)
        kept = steps[: len(self.names)]
        low, high = map(with_minus, ends(self, o))
        picture = Waterfall(
            names=[_named(step) for step in kept],
            steps=np.array([step.added for step in kept]),
            rest=float(self.rest[o]),
            n_rest=self.n_rest,
            start=float(self.baseline[o]),
            start_label=low,
            end_label=high,
            most=most,
        )
        return draw_waterfall(picture, xlabel=raw_unit(self.link, self.outputs, o), ax=ax)

    def ends(self, output: int = 0) -> tuple[str, str]:
        """Baseline and raw of an output in words, with the predictions they correspond to."""
        return ends(self, output)

    def over(self) -> str:
        """Method, and what it averages over, in words."""
        return averaged_over(self)

    def _step(self, j: int, added: float) -> Step:
        value, name = self.inputs[j], self.names[j]
        if self.is_group[j]:
            return Step(name, "", "", None, added)
        number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
        is_date = self.is_date[j]
        return Step(name, value_text(value, is_date), exact_text(value, is_date), number, added, is_date)

    def _repr_html_(self) -> str:
        rows: list[list[Any]] = []
        for o, name in enumerate(self.outputs):
            steps = self.steps(o)
            reach = max((abs(step.added) for step in steps), default=0.0)
            several = [name] if len(self.outputs) > 1 else []
            rows += [[*several, step.feature, step.text, step.added, Bar(step.added, reach)] for step in steps]
        header = [*(["output"] if len(self.outputs) > 1 else []), "feature", "value", "attribution", ""]
        return html_table(f"{self._title()} ({self.over()})", header, rows)

    def _title(self) -> str:
        ways = [f"{low} → {high}" for low, high in (ends(self, o) for o in range(len(self.outputs)))]
        return f"Row {self.row:,}: " + "; ".join(ways)

    def __repr__(self) -> str:
        return f"<RowAttribution {self._title()}>"


def _named(step: Step) -> str:
    """Feature and value, each shortened so that both are visible."""
    text = step.text if step.number is None or step.is_date else with_minus(step.text)
    return f"{shortened(step.feature, 30)} = {shortened(text, 30)}" if text else step.feature
