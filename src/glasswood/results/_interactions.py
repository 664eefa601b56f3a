"""Interactions: the joint tables of pairs of features, and their ranking."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import check_choice
from glasswood.errors import KeyNotFoundError
from glasswood.results._feature_name import feature_name
from glasswood.results._interaction import Interaction
from glasswood.results._interaction_ranking import SCORES, Ranking
from glasswood.tables import FrameKind, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Interactions(Mapping[tuple[str, ...], Interaction]):
    """Joint tables by pairs (or longer tuples) of features, in the order they were asked for.

    ``ix["a", "b"]`` and ``ix["b", "a"]`` are the same table, the second one transposed; positions work like names.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> ix = gw.interactions(tree, X)
    >>> list(ix), ix["x1", "x0"].features
    ([('x0', 'x1')], ('x1', 'x0'))
    >>> ix.ranking().to_frame("pyarrow").column_names
    ['feature_0', 'feature_1', 'strength', 'h2']
    """

    tables: tuple[Interaction, ...]
    names: tuple[str, ...]  # of all features of the model
    degree: int
    method: str
    outputs: tuple[str, ...]
    kind: FrameKind | None = None
    resolution: int | None = None  # largest number of intervals of a feature; None: the model's own cells
    _index: dict[frozenset[str], Interaction] = field(default_factory=dict, repr=False)  # filled at the first access

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

    def ranking(self, *, by: str = "strength") -> Ranking:
        """Scores of the tables, strongest first.

        Parameters
        ----------
        by : {"strength", "h2", "term_sd"}
            What to rank by. ``"strength"`` is the weighted standard deviation of the purified interaction, by the
            method asked for. ``"h2"`` is Friedman's H², and ``"term_sd"`` the standard deviation of PD_jk − PD_j − PD_k
            + PD_∅ over the rows, in units of raw; both use the exact partial dependence and are NaN without a table.
            Use one of them if the model has many more cells than there are rows: strength is then unreliable, because
            functions of one feature reproduce nearly any table in the few cells with rows.

        Returns
        -------
        Ranking
        """
        check_choice("by", by, tuple(SCORES))
        scores = {name: self._of_tables(name) for name in SCORES}
        order = np.argsort(-scores[by], kind="stable")  # NaN last
        entries = [(table.features, output) for table in self.tables for output in self.outputs]
        return Ranking(
            features=tuple(entries[i][0] for i in order),
            output=tuple(entries[i][1] for i in order),
            strength=scores["strength"][order],
            h2=scores["h2"][order],
            term_sd=scores["term_sd"][order],
            kept=None if self.resolution is None else self._of_tables("kept")[order],
            by=by,
            degree=self.degree,
            method=self.method,
            outputs=self.outputs,
            kind=self.kind,
        )

    def _of_tables(self, name: str) -> NDArray[np.float64]:
        """A number of every table and output."""
        return np.array([np.atleast_1d(getattr(table, name)) for table in self.tables], dtype=np.float64).ravel()

    def plot(self, ax: "Axes | None" = None, *, output: str | int = 0, by: str = "strength") -> "Axes":
        """Draw the ranking by one of its scores as bars; ``ix["a", "b"].plot()`` draws one table."""
        return self.ranking(by=by).plot(ax, output=output)

    def _repr_html_(self) -> str:
        return self.ranking()._repr_html_()

    def to_frame(self, backend: str | None = None) -> Any:
        """All tables one under the other, with the columns feature_0, feature_1[, …] in front of those of one table.

        Categories are text here, because a column holds only one kind of label. `ranking` has one row per table.
        """
        columns: dict[str, list[Any]] = {}
        for table in self.tables:
            part = table.columns()
            n_rows = len(part["value"])
            part = {f"feature_{d}": [name] * n_rows for d, name in enumerate(table.features)} | part
            for name, values in part.items():
                if name.startswith("category_"):
                    texts = [None if label is None else str(label) for label in values]
                    columns.setdefault(name, []).append(np.array(texts, dtype=object))
                else:
                    columns.setdefault(name, []).append(np.asarray(values))
        return make_frame({name: np.concatenate(parts) for name, parts in columns.items()}, backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready, with all tables."""
        return {
            "degree": self.degree,
            "method": self.method,
            "resolution": self.resolution,
            "outputs": list(self.outputs),
            "tables": [table.to_dict() for table in self.tables],
        }

    def __repr__(self) -> str:
        return f"Interactions({len(self)} tables of degree {self.degree}, method={self.method!r})"
