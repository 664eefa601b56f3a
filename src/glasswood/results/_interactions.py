"""Interactions: the joint tables of the pairs asked for, and their ranking."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from glasswood.plots import draw_bars
from glasswood.results._html import Bar, html_table
from glasswood.results._interaction import Interaction
from glasswood.results._outputs import output_index
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
            raise KeyError(f"{key!r}: name {self.degree} features, as in ix['a', 'b']")
        wanted = tuple(self._name(part) for part in key)
        if not self._index:
            self._index.update({frozenset(table.features): table for table in self.tables})
        table = self._index.get(frozenset(wanted))
        if table is None or len(set(wanted)) != self.degree:
            raise KeyError(f"{wanted} was not asked for")
        return table if table.features == wanted else table.transpose(wanted)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return (table.features for table in self.tables)

    def __len__(self) -> int:
        return len(self.tables)

    def ranking(self, backend: str | None = None) -> Any:
        """Frame feature_0, feature_1[, …], strength, h2 [, output], strongest first.

        `strength` is the weighted standard deviation of the purified interaction, by the method asked for; `h2` is
        Friedman's H², always of the exact partial dependence, NaN where no table was given.
        """
        rows: list[tuple[float, tuple[Any, ...]]] = []
        for table in self.tables:
            strength, h2 = np.atleast_1d(table.strength), np.atleast_1d(table.h2)
            for o, output in enumerate(self.outputs):
                rows.append((-strength[o], (*table.features, float(strength[o]), float(h2[o]), output)))
        rows.sort(key=lambda row: row[0])
        names = [*(f"feature_{d}" for d in range(self.degree)), "strength", "h2"]
        if len(self.outputs) > 1:
            names.append("output")
        columns = {name: [row[i] for _, row in rows] for i, name in enumerate(names)}
        return make_frame(columns, backend or self.kind)

    def plot(self, ax: "Axes | None" = None, *, output: str | int = 0) -> "Axes":
        """Draw the ranking: strength as bars; ``ix["a", "b"].plot()`` draws one table."""
        (o,) = output_index(output, self.outputs)
        names = [" × ".join(table.features) for table in self.tables]
        strength = np.array([np.atleast_1d(table.strength)[o] for table in self.tables])
        of = self.method if len(self.outputs) == 1 else f"{self.method}, output {self.outputs[o]}"
        return draw_bars(names, strength, xlabel=f"strength: sd of the interaction ({of})", ax=ax)

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

    def _name(self, part: str | int) -> str:
        if isinstance(part, int | np.integer):
            if not -len(self.names) <= part < len(self.names):
                raise KeyError(f"there is no feature {part}; the model has {len(self.names)}")
            return self.names[int(part)]
        return part

    def __repr__(self) -> str:
        return f"Interactions({len(self)} tables of degree {self.degree}, method={self.method!r})"
