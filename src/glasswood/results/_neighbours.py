"""Neighbours: the training rows most similar to each query."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood.errors import OptionError
from glasswood.plots import draw_bars
from glasswood.results._html import Bar, Marked, html_table, number
from glasswood.results._json_values import to_json
from glasswood.results._row_source import RowSource
from glasswood.tables import FrameKind, Label, Table, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SHOWN_QUERIES = 3  # in a notebook


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Neighbours:
    """Training rows by similarity, for each query; most similar first, equal ones by row number.

    If a query shares leaves with fewer than k rows, the remaining entries have row −1, similarity 0 and a masked
    target.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> found = gw.examples(tree, X, [0.0, 1.0, 2.0, 6.0]).nearest([[0.9, 0.8]], k=1)
    >>> found.row.tolist(), found.similarity.tolist(), found.target.tolist()
    ([[3]], [[1.0]], [[6.0]])
    """

    row: NDArray[np.int64]  # (n_queries, k) number of the training row
    similarity: NDArray[np.float64]  # (n_queries, k)
    target: "np.ma.MaskedArray[Any, Any] | None"  # (n_queries, k) None if no y_train was given
    method: str  # leaf_weight, breiman, inbag or boosted
    features: tuple[str, ...]
    train: RowSource
    queries: RowSource
    kind: FrameKind | None = None

    def __len__(self) -> int:
        """Number of queries."""
        return len(self.row)

    def rows(self, query: int | None = None) -> Table:
        """Fetch the training rows, as a table of the same kind as X_train with all its columns.

        Parameters
        ----------
        query : int, optional
            Position of one query; None for the neighbours of all queries, in the order of `to_frame`.
        """
        chosen = self.row if query is None else self.row[self._position(query)]
        return self.train.pick(chosen[chosen >= 0])

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per query and neighbour: query, rank (from 1), row, similarity and, if it is known, target."""
        query, rank = np.nonzero(self.row >= 0)
        columns: dict[str, Any] = {
            "query": query,
            "rank": rank + 1,
            "row": self.row[query, rank],
            "similarity": self.similarity[query, rank],
        }
        if self.target is not None:
            columns["target"] = np.asarray(self.target)[query, rank]
        return make_frame(columns, backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: for each query its values and its neighbours, with their values and which of them differ."""
        return {
            "method": self.method,
            "features": list(self.features),
            "queries": [self._query_to_dict(query) for query in range(len(self))],
        }

    def plot(self, ax: "Axes | None" = None, *, query: int = 0) -> "Axes":
        """Draw the similarities of one query's neighbours; returns the axes."""
        query = self._position(query)
        found = self.row[query] >= 0
        names = [self._name(query, place) for place in np.flatnonzero(found).tolist()]
        return draw_bars(names, self.similarity[query][found], xlabel=f"similarity ({self.method})", ax=ax)

    def _repr_html_(self) -> str:
        shown = [self._query_html(query) for query in range(min(len(self), _SHOWN_QUERIES))]
        rest = len(self) - len(shown)
        return "".join(shown) + (f'<div style="opacity:.7">{rest:,} more queries</div>' if rest else "")

    def __repr__(self) -> str:
        of = "1 query" if len(self) == 1 else f"each of {len(self):,} queries"
        return f"<Neighbours: {self.row.shape[1]} of {of}, method={self.method!r}>"

    def _position(self, query: int) -> int:
        if not isinstance(query, int | np.integer) or isinstance(query, bool):
            raise OptionError(f"a query is asked for by its number, got {query!r}")
        if not -len(self) <= query < len(self):
            raise OptionError(f"query {query} does not exist; there are {len(self)}")
        return int(query) % len(self)

    def _name(self, query: int, place: int) -> str:
        target = "" if self.target is None else f": {self.target[query, place]}"
        return f"row {self.row[query, place]:,}{target}"

    def _values(self, query: int) -> tuple[list[Label | None], list[list[Label | None]]]:
        """Values of a query, and of its neighbours."""
        asked = self.queries.values(np.array([query]))[0]
        row = self.row[query]
        return asked, self.train.values(row[row >= 0])

    def _query_to_dict(self, query: int) -> dict[str, Any]:
        asked, found = self._values(query)
        neighbours = [
            {
                "row": int(self.row[query, place]),
                "similarity": float(self.similarity[query, place]),
                "target": None if self.target is None else to_json(self.target.data[query, place]),
                "values": [_json_value(value) for value in values],
                "differs": [_differs(value, own) for value, own in zip(values, asked, strict=True)],
            }
            for place, values in enumerate(found)
        ]
        return {"values": [_json_value(value) for value in asked], "neighbours": neighbours}

    def _query_html(self, query: int) -> str:
        asked, found = self._values(query)
        has_target = self.target is not None
        reach = float(self.similarity[query].max(initial=0.0))
        first = ["query", "", "", *([""] if has_target else []), *(_text(value) for value in asked)]
        lines = [
            [
                f"row {self.row[query, place]:,}",
                float(self.similarity[query, place]),
                Bar(float(self.similarity[query, place]), reach, signed=False),
                *([_text(_plain(self.target.data[query, place]))] if self.target is not None else []),
                *(_compared(value, own) for value, own in zip(values, asked, strict=True)),
            ]
            for place, values in enumerate(found)
        ]
        header = ["", "similarity", "", *(["target"] if has_target else []), *self.features]
        title = f"Most similar training rows of query {query}: what differs is bold"
        return html_table(title, header, [first, *lines])


def _differs(value: Label | None, own: Label | None) -> bool:
    return value != own


def _json_value(value: Label | None) -> Label | None:
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


def _text(value: Label | None) -> str:
    if value is None:
        return "missing"
    return number(value) if isinstance(value, float) else str(value)


def _compared(value: Label | None, own: Label | None) -> Marked:
    """A value next to that of the query; for numbers, the text says how far apart they are."""
    differs = _differs(value, own)
    if differs and isinstance(value, float) and isinstance(own, float) and math.isfinite(value - own):
        return Marked(f"{_text(value)} ({value - own:+.4g})", differs)
    return Marked(_text(value), differs)
