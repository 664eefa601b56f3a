"""Interactions: the joint tables of the pairs asked for, and their ranking."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from glasswood._checks import check_choice
from glasswood.errors import KeyNotFoundError
from glasswood.plots import draw_bars
from glasswood.results._feature_name import feature_name
from glasswood.results._html import Bar, html_table
from glasswood.results._interaction import Interaction
from glasswood.results._outputs import output_index
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_SCORES = {
    "strength": "strength: sd of the interaction ({})",
    "h2": "Friedman's H²",
    "term_sd": "sd of the pair's term over the rows",
}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Interactions(Mapping[tuple[str, ...], Interaction]):
    """Joint tables by pairs (or longer tuples) of features, in the order they were asked for.

    ``ix["a", "b"]`` and ``ix["b", "a"]`` are the same table, the second one transposed; positions work as names do.
    """

    tables: tuple[Interaction, ...]
    names: tuple[str, ...]  # of all features of the model
    degree: int
    method: str
    outputs: tuple[str, ...]
    kind: FrameKind | None = None
    _index: dict[frozenset[str], Interaction] = field(default_factory=dict, repr=False)  # filled when first asked

    def __getitem__(self, key: tuple[str | int, ...]) -> Interaction:
        if not isinstance(key, tuple) or len(key) != self.degree:
            example = ", ".join(map(repr, self.tables[0].features)) if self.tables else "'a', 'b'"
            raise KeyNotFoundError(f"{key!r}: a table belongs to {self.degree} features, as in ix[{example}]")
        wanted = tuple(feature_name(part, self.names) for part in key)
        if len(set(wanted)) != self.degree:
            raise KeyNotFoundError(f"{key!r} names a feature twice")
        if not self._index:
            self._index.update({frozenset(table.features): table for table in self.tables})
        table = self._index.get(frozenset(wanted))
        if table is None:
            raise KeyNotFoundError(f"there is no table of {' and '.join(map(repr, wanted))}: it was not asked for")
        return table if table.features == wanted else table.transpose(wanted)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (table.features for table in self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def ranking(self, backend: str | None = None, *, by: str = "strength") -> Any:
        """Frame feature_0, feature_1[, …], strength, h2 [, output], strongest first.

        Parameters
        ----------
        backend : str, optional
            Library of the frame; by default the caller's.
        by : {"strength", "h2", "term_sd"}
            What to rank by. ``"strength"`` is the weighted standard deviation of the purified interaction, by the
            method asked for. ``"h2"`` is Friedman's H², and ``"term_sd"`` the standard deviation of
            PD_jk − PD_j − PD_k + PD_∅ over the rows, in units of raw; both are always of the exact partial
            dependence, NaN where no table was given, and hold where the model has many more cells than there are
            rows, which strength does not: functions of one feature then reproduce nearly any table at the few cells
            that hold rows. ``"term_sd"`` is then a column of its own.

        Returns
        -------
        frame
        """
        check_choice("by", by, tuple(_SCORES))
        shown = list(dict.fromkeys(("strength", "h2", by)))
        rows: list[tuple[float, tuple[Any, ...]]] = []
        for table in self.tables:
            scores = {name: np.atleast_1d(getattr(table, name)) for name in shown}
            for o, output in enumerate(self.outputs):
                values = [float(scores[name][o]) for name in shown]
                rows.append((-float(scores[by][o]), (*table.features, *values, output)))
        rows.sort(key=lambda row: (np.isnan(row[0]), row[0]))
        names = [*(f"feature_{d}" for d in range(self.degree)), *shown]
        if len(self.outputs) > 1:
            names.append("output")
        columns = {name: [row[i] for _, row in rows] for i, name in enumerate(names)}
        return make_frame(columns, backend or self.kind)

    def plot(self, ax: "Axes | None" = None, *, output: str | int = 0, by: str = "strength") -> "Axes":
        """Draw the ranking by one of its scores as bars; ``ix["a", "b"].plot()`` draws one table."""
        check_choice("by", by, tuple(_SCORES))
        (o,) = output_index(output, self.outputs)
        names = [" × ".join(table.features) for table in self.tables]
        score = np.array([np.atleast_1d(getattr(table, by))[o] for table in self.tables])
        of = self.method if len(self.outputs) == 1 else f"{self.method}, output {self.outputs[o]}"
        return draw_bars(names, score, xlabel=_SCORES[by].format(of), ax=ax)

    def _repr_html_(self) -> str:
        several = len(self.outputs) > 1
        rows = [
            [*table.features, *([output] if several else []), strength, h2]
            for table in self.tables
            for output, strength, h2 in zip(
                self.outputs, np.atleast_1d(table.strength), np.atleast_1d(table.h2), strict=True
            )
        ]
        rows.sort(key=lambda row: -row[-2])
        reach = max((row[-2] for row in rows), default=0.0)
        rows = [[*row[:-1], Bar(row[-2], reach, signed=False), row[-1]] for row in rows]
        names = [f"feature {d + 1}" for d in range(self.degree)]
        header = [*names, *(["output"] if several else []), "strength", "", "H²"]
        return html_table(f"Interactions ({self.method})", header, rows)

    def to_frame(self, backend: str | None = None) -> Any:
        """The ranking: tables of different features do not fit one frame."""
        return self.ranking(backend)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready, with all tables."""
        return {
            "degree": self.degree,
            "method": self.method,
            "outputs": list(self.outputs),
            "tables": [table.to_dict() for table in self.tables],
        }

    def __repr__(self) -> str:
        return f"Interactions({len(self)} tables of degree {self.degree}, method={self.method!r})"
