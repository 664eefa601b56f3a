"""Scorecard: a baseline and tables of points that are added up, and how well they reproduce a model."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import did_you_mean
from glasswood._elementary import log
from glasswood._exact import exact_mean
from glasswood._words import counted
from glasswood.ensemble import ZERO, FeatureSchema, Link, LinkKind, align
from glasswood.errors import KeyNotFoundError, OptionError, TableError, UnsupportedModelError
from glasswood.explain.scorecards._card_files import save_card
from glasswood.explain.scorecards._card_table import CardTable
from glasswood.plots import draw_bars
from glasswood.results import Cells, html_table, output_index, to_json
from glasswood.tables import FrameKind, Table, make_frame

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Fidelity:
    """How well a scorecard reproduces raw of its model over rows; arrays are (n_outputs,).

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> card = gw.scorecard(tree, X, pairs=[])
    >>> card.fidelity.share.round(3), card.fidelity.largest.round(3)
    (array([0.892]), array([0.75]))
    """

    share: Floats  # of the variance of raw that is reproduced; negative if the card is worse than the mean
    typical: Floats  # root of the mean squared miss
    largest: Floats  # largest miss
    n_rows: int

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        parts = {name: to_json(getattr(self, name)) for name in ("share", "typical", "largest")}
        return {**parts, "n_rows": self.n_rows}


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Scorecard:
    """Points by feature: raw is the baseline plus one entry of every table, added in the order of `tables`.

    `fidelity` says how well that reproduces the model over the rows the card was made with.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 5.0])
    >>> card = gw.scorecard(tree, X)
    >>> card.baseline, card["x0"].points[:2, 0], card["x1"].points[:2, 0]
    (array([2.]), array([-1.,  1.]), array([-1.5,  1.5]))
    >>> card.predict([[1.0, 1.0]])
    array([5.])
    """

    baseline: Floats  # (n_outputs,)
    tables: tuple[CardTable, ...]  # of single features, then of pairs
    fidelity: Fidelity
    features: FeatureSchema
    cells: tuple[Cells, ...]  # of all features of the model
    outputs: tuple[str, ...]
    link: Link
    objective: str
    kind: FrameKind | None = None

    def predict_raw(self, X: Table) -> Floats:
        """Sum of the points of each row, (n_rows,) for one output, else (n_rows, n_outputs)."""
        raw = self._raw(X)
        return raw[:, 0] if len(self.outputs) == 1 else raw

    def predict(self, X: Table) -> Floats:
        """Prediction: the inverse link of raw, in the same shape."""
        found = self.link.inverse(self._raw(X), objective=self.objective)
        return found[:, 0] if len(self.outputs) == 1 else found

    def scaled(self, *, pdo: float = 20.0, base_points: float = 600.0, base_odds: float = 1.0) -> "Scorecard":
        """The same card in points of credit scoring, which `predict` then adds up.

        Odds of `base_odds` to 1 for the second class are `base_points`, and odds twice as high are `pdo` points more;
        a negative `pdo` makes them fewer. Only for models of two classes whose raw is their log odds.
        """
        _check_scale("pdo", pdo, "other than 0", lambda number: number != 0)
        _check_scale("base_points", base_points)
        _check_scale("base_odds", base_odds, "above 0", lambda number: number > 0)
        if self.link.kind is not LinkKind.LOGIT:
            raise UnsupportedModelError(f"points need raw that is the log odds of two classes; its link is {self.link}")
        unit = float(pdo) / float(log(2.0))  # points per unit of log odds
        factor = unit * self.link.scale
        tables = tuple(replace(table, points=table.points * factor) for table in self.tables)
        fidelity = self.fidelity
        misses = {name: getattr(fidelity, name) * abs(factor) for name in ("typical", "largest")}
        return replace(
            self,
            baseline=self.baseline * factor + (float(base_points) - unit * float(log(base_odds))),
            tables=tables,
            fidelity=replace(fidelity, **misses),
            link=Link(LinkKind.IDENTITY),
        )

    def __getitem__(self, features: str | tuple[str, str]) -> CardTable:
        """Table of a feature, or of a pair in any order."""
        wanted = features if isinstance(features, tuple) else (features,)
        for table in self.tables:
            if wanted in (table.features, table.features[::-1]):
                return table
        known = sorted({name for table in self.tables for name in table.features})
        hints = (did_you_mean(name, known) for name in wanted if isinstance(name, str) and name not in known)
        raise KeyNotFoundError(f"the scorecard has no table of {features!r}{next(hints, '')}")

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per entry and output: feature, band, lower, upper, feature_2, band_2, lower_2, upper_2, …, weight."""
        columns: dict[str, list[Any]] = {}
        for table in self.tables:
            for name, items in _columns(table, self.outputs).items():
                columns.setdefault(name, []).append(items)
        if len(self.outputs) == 1:
            columns.pop("output", None)
        stacked = {name: np.concatenate(parts) for name, parts in columns.items()}
        frame = {name: items.tolist() if items.dtype == object else items for name, items in stacked.items()}
        return make_frame(frame, backend or self.kind)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "outputs": list(self.outputs),
            "link": str(self.link),
            "baseline": to_json(self.baseline),
            "fidelity": self.fidelity.to_dict(),
            "tables": [table.to_dict() for table in self.tables],
        }

    def save(self, path: str | Path, *, dialect: str | None = None, table: str | Sequence[str] | None = None) -> None:
        """Write the card: ``.csv`` and ``.xlsx`` as tables, ``.sql`` as one SELECT, ``.json`` as a document.

        `dialect` and `table` of the SELECT are as in `export`.
        """
        save_card(self, Path(path), dialect, table)

    def plot(self, ax: "Axes | None" = None, *, output: str | int = 0) -> "Axes":
        """Draw how much each table moves raw: the standard deviation of its points over the rows."""
        (o,) = output_index(output, self.outputs)
        names = [" × ".join(table.features) for table in self.tables]
        squares = [exact_mean(table.points[..., o] ** 2, table.weight) for table in self.tables]  # their means are 0
        return draw_bars(names, np.sqrt(squares), xlabel="sd of the points", note=self._sentence(), ax=ax)

    def _raw(self, X: Table) -> Floats:
        cells = row_cells(self.features, self.cells, X)
        n = len(cells[0]) if cells else 0
        raw = np.repeat(self.baseline[None], n, axis=0)
        by_name = dict(zip(self.features.names, cells, strict=True))
        for table in self.tables:
            raw += table.at(by_name)
        return raw

    def _sentence(self) -> str:
        share = ", ".join(f"{part:.2%}" for part in self.fidelity.share)
        return f"reproduces {share} of the variance of raw over {counted(self.fidelity.n_rows, 'row')}"

    def _repr_html_(self) -> str:
        fidelity = self.fidelity
        misses = np.column_stack([fidelity.typical, fidelity.largest]).tolist()
        lines = [
            [output, float(self.baseline[o]), f"{fidelity.share[o]:.2%}", *misses[o]]
            for o, output in enumerate(self.outputs)
        ]
        header = ["output", "baseline", "variance reproduced", "typical miss", "largest miss"]
        parts = [html_table(f"Scorecard, {counted(fidelity.n_rows, 'row')}", header, lines)]
        for table in self.tables:
            rows = [[*labels, *map(float, points), weight] for labels, points, weight in table.named_rows()]
            names = ["points"] if len(self.outputs) == 1 else list(self.outputs)
            parts.append(html_table(" × ".join(table.features), [*table.features, *names, "weight"], rows))
        return "".join(parts)

    def __repr__(self) -> str:
        n_pairs = sum(len(table.bands) == 2 for table in self.tables)
        size = f"{counted(len(self.tables) - n_pairs, 'feature')} and {counted(n_pairs, 'pair')}"
        return f"<Scorecard of {size}: {self._sentence()}>"


def _check_scale(name: str, given: Any, which: str = "", fits: Callable[[float], bool] = math.isfinite) -> None:
    """Raise `OptionError` unless it is a finite number of this kind."""
    if not isinstance(given, Real) or not math.isfinite(float(given)) or not fits(float(given)):
        raise OptionError(f"{name} must be a finite number {which}".rstrip() + f"; got {given!r}")


def _columns(table: CardTable, outputs: Sequence[str]) -> dict[str, NDArray[Any]]:
    """Columns of the frame of one table, outputs fastest; a single feature has no second."""
    n_outputs, at = len(outputs), np.indices(table.weight.shape).reshape(len(table.bands), -1)
    n = at.shape[1] * n_outputs
    found: dict[str, NDArray[Any]] = {}
    for k, suffix in enumerate(("", "_2")):
        if k < len(table.bands):
            bands, band = table.bands[k], np.repeat(at[k], n_outputs)
            found[f"feature{suffix}"] = np.full(n, bands.feature, dtype=object)
            found[f"band{suffix}"] = np.array(bands.labels(), dtype=object)[band]
            lower, upper = np.array([bands.ends(b) for b in range(len(bands))])[band].T
        else:
            found |= {f"{name}{suffix}": np.full(n, None, dtype=object) for name in ("feature", "band")}
            lower = upper = np.full(n, np.nan)
        found |= {f"lower{suffix}": lower, f"upper{suffix}": upper}
    names = np.array([*outputs], dtype=object)
    weight = np.repeat(table.weight.ravel(), n_outputs)
    return found | {"output": np.tile(names, n // n_outputs), "points": table.points.ravel(), "weight": weight}


def row_cells(features: FeatureSchema, cells: tuple[Cells, ...], X: Table) -> list[NDArray[np.int64]]:
    """Cell of every row in each feature."""
    rows = align(X, features)
    found = []
    for j, own in enumerate(cells):
        column = rows.column(j)
        absent = column < 0 if own.is_category else np.isnan(column)
        if features.zero_is_missing[j]:
            absent = absent | (np.abs(column) <= ZERO)
        if len(own) == 1:
            found.append(np.zeros(len(column), dtype=np.int64))
            continue
        if own.is_category:
            n_known = sum(label is not None for label in own.category)
            at = np.minimum(column, n_known).astype(np.int64)
        else:
            thresholds = own.upper[~np.isnan(own.upper)][:-1]
            at = np.searchsorted(thresholds, column).astype(np.int64)
        if absent.any():
            if not own.missing.any():
                raise TableError(
                    f"feature {own.feature!r} is missing in a row, and the scorecard has no points for that"
                )
            at[absent] = int(np.argmax(own.missing))
        found.append(at)
    return found
