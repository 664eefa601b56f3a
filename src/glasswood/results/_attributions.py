"""Attributions: what each feature adds to the raw prediction of each row."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from glasswood._exact import exact_column_means
from glasswood._words import counted
from glasswood.ensemble import Link
from glasswood.errors import KeyNotFoundError, MissingDependencyError, OptionError
from glasswood.results._attributed_rows import AttributedRows
from glasswood.results._attribution_pictures import draw_kind, draw_scatter_of
from glasswood.results._feature_name import feature_name
from glasswood.results._html import Bar, html_table
from glasswood.results._importance import Importance
from glasswood.results._json_values import to_json
from glasswood.results._outputs import with_output
from glasswood.results._raw_words import averaged_over, others
from glasswood.results._row_attribution import RowAttribution
from glasswood.tables import FrameKind, make_frame, with_index

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class Attributions:
    """For every row: baseline + Σ values + rest = raw.

    Arrays of a model with one output have no axis for it. `rest` is the sum of the features that were not kept
    (``features=``); it is 0 if all features are kept. The arrays are read-only. ``at[3]`` is one row.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    >>> tree = gw.TreeRegressor(max_depth=2).fit(X, [0.0, 1.0, 2.0, 6.0])
    >>> at = gw.attributions(tree, X, background=X)
    >>> at.baseline, at.values[3]
    (array([2.25]), array([1.625, 2.125]))
    >>> at.importance().features
    ('x1', 'x0')
    >>> at.to_frame("pyarrow").column_names
    ['row', 'x0', 'x1', 'baseline', 'raw']
    """

    values: NDArray[np.float64]  # (n_rows, n_features[, n_outputs])
    rest: NDArray[np.float64]  # (n_rows[, n_outputs])
    n_rest: int  # features that were not kept
    baseline: NDArray[np.float64]  # (n_outputs,) mean of raw over the background or the training rows
    raw: NDArray[np.float64]  # (n_rows[, n_outputs]) before the link: what the values add up to
    prediction: NDArray[np.float64] | None  # (n_rows[, n_outputs]) inverse link of raw; None if the link is unknown
    baseline_prediction: NDArray[np.float64] | None  # (n_outputs,)
    interactions: NDArray[np.float64] | None  # (n_rows, n_features, n_features[, n_outputs]); None unless asked for
    names: tuple[str, ...]
    outputs: tuple[str, ...]
    method: str  # interventional or path
    link: Link
    n_background: int | None  # rows of the background; None for path
    weight_kind: str | None  # what the weights of the nodes count, for path
    rows: AttributedRows  # the table that was explained, not a copy
    kind: FrameKind | None = None

    def __post_init__(self) -> None:
        """Make the arrays read-only, because a changed value would no longer add up to raw."""
        given = (self.values, self.rest, self.baseline, self.raw, self.prediction, self.baseline_prediction)
        for array in (*given, self.interactions):
            if array is not None:
                array.flags.writeable = False

    def __len__(self) -> int:
        """Number of rows."""
        return len(self.values)

    def __getitem__(self, row: int) -> RowAttribution:
        return self.row(row)

    def __iter__(self) -> Iterator[RowAttribution]:
        """Iterate over the rows."""
        return (self.row(row) for row in range(len(self)))

    def row(self, row: int) -> RowAttribution:
        """One row, by its number; ``at[row]`` is the same."""
        if not isinstance(row, int | np.integer) or isinstance(row, bool):
            raise OptionError(f"a row is asked for by its number, got {row!r}")
        if not -len(self) <= row < len(self):
            raise OptionError(f"there is no row {row}; there are {len(self):,}")
        at = int(row) % len(self)
        return RowAttribution(
            row=at,
            values=self.values[at],
            rest=np.atleast_1d(self.rest[at]),
            n_rest=self.n_rest,
            baseline=self.baseline,
            raw=np.atleast_1d(self.raw[at]),
            prediction=None if self.prediction is None else np.atleast_1d(self.prediction[at]),
            baseline_prediction=self.baseline_prediction,
            interactions=None if self.interactions is None else self.interactions[at],
            names=self.names,
            inputs=tuple(self.rows.values(at)),
            is_group=tuple(place is None for place in self.rows.order),
            is_date=self.rows.dates(at),
            outputs=self.outputs,
            method=self.method,
            n_background=self.n_background,
            weight_kind=self.weight_kind,
            link=self.link,
            kind=self.kind,
        )

    def importance(self) -> Importance:
        """Mean |value| and standard deviation of the values of each feature, largest mean first."""
        n = len(self.outputs)
        values = self.values.reshape(len(self), len(self.names), n)
        flat = values.reshape(len(self), len(self.names) * n)
        size, sd = np.zeros(values.shape[1:]), np.zeros(values.shape[1:])
        if len(self):
            size = exact_column_means(np.abs(flat)).reshape(size.shape)
            sd = np.sqrt(exact_column_means((flat - exact_column_means(flat)) ** 2)).reshape(sd.shape)
        order = np.argsort(-size.sum(axis=1), kind="stable")
        return Importance(
            features=tuple(self.names[i] for i in order),
            sd=sd[order, 0] if n == 1 else sd[order],
            mean_abs=size[order, 0] if n == 1 else size[order],
            method=self.method,
            outputs=self.outputs,
            of="attribution",
            kind=self.kind,
        )

    def grouped(self, groups: Mapping[str, Sequence[str | int]]) -> "Attributions":
        """Sum features into groups, exactly: values and interactions of a group are the sums over its members.

        Parameters
        ----------
        groups : mapping of str to list of str or int
            Members of each group, by name or position; a group takes the place of its first member.
        """
        member_of = _members(groups, self.names, self.n_rest)
        to_place = [member_of.get(j, j) for j in range(len(self.names))]  # a group, or the feature itself
        places = list(dict.fromkeys(to_place))
        names = tuple(place if isinstance(place, str) else self.names[place] for place in places)
        if len(set(names)) != len(names):
            raise OptionError(f"a group has the name of a feature outside it: {', '.join(map(repr, groups))}")
        position = {place: k for k, place in enumerate(places)}
        to = [position[place] for place in to_place]
        order = tuple(None if isinstance(place, str) else self.rows.order[place] for place in places)
        return replace(
            self,
            values=_summed(self.values, to, 1),
            interactions=None if self.interactions is None else _summed_pairs(self.interactions, to),
            names=names,
            rows=replace(self.rows, order=order),
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per row [and output]: its number, a column per feature, the other features, baseline and raw.

        A pandas frame has the index of the pandas table that was explained.
        """
        n = len(self.outputs)
        values = self.values.reshape(len(self), len(self.names), n)
        columns: dict[str, Any] = {_free("row", self.names): np.tile(np.arange(len(self)), n)}
        columns |= {name: values[:, j, :].T.ravel() for j, name in enumerate(self.names)}
        if self.n_rest:
            columns[_free(others(self.n_rest), self.names)] = self.rest.reshape(len(self), n).T.ravel()
        columns[_free("baseline", self.names)] = np.repeat(self.baseline, len(self))
        columns[_free("raw", self.names)] = self.raw.reshape(len(self), n).T.ravel()
        frame = make_frame(with_output(columns, self.outputs, len(self)), backend or self.kind)
        return with_index(frame, self.rows.index())

    def to_numpy(self, *, bias: bool = False) -> NDArray[np.float64]:
        """Values as an array; `bias` adds the baseline as one more column, as in LightGBM and XGBoost.

        If features were not kept, their sum is a column before the baseline, so that the columns sum to raw.
        """
        if not bias:
            return self.values
        base = self.baseline[0] if len(self.outputs) == 1 else self.baseline
        last = np.broadcast_to(base, (len(self), 1, *self.values.shape[2:]))
        return np.concatenate([self._with_rest(), last], axis=1)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "method": self.method,
            "features": list(self.names),
            "outputs": list(self.outputs),
            "link": self.link.kind.value,
            "n_background": self.n_background,
            "weight_kind": self.weight_kind,
            "baseline": to_json(self.baseline),
            "raw": to_json(self.raw),
            "prediction": None if self.prediction is None else to_json(self.prediction),
            "values": to_json(self.values),
            "rest": to_json(self.rest),
            "n_rest": self.n_rest,
            "interactions": None if self.interactions is None else to_json(self.interactions),
        }

    def to_shap(self) -> Any:
        """Make a `shap.Explanation`, which works with all plots of shap.

        If features were not kept, their sum is its last feature.
        """
        try:
            import shap
        except ImportError:
            raise MissingDependencyError("to_shap needs shap: pip install shap") from None
        columns = [*self.rows.columns(), *([None] if self.n_rest else [])]
        blank = np.full(len(self), np.nan)
        data = np.column_stack([blank if c is None else c.values for c in columns])
        shown = np.column_stack([blank if c is None else c.shown() for c in columns])
        base = self.baseline[0] if len(self.outputs) == 1 else self.baseline
        return shap.Explanation(
            values=self._with_rest().copy(),  # a copy, because shap may write to its arrays
            base_values=np.broadcast_to(base, (len(self), *self.values.shape[2:])).copy(),
            data=data,
            display_data=shown,
            feature_names=[*self.names, *([others(self.n_rest)] if self.n_rest else [])],
            output_names=None if len(self.outputs) == 1 else list(self.outputs),
        )

    def plot(
        self,
        kind: str = "beeswarm",
        ax: "Axes | None" = None,
        *,
        feature: str | int | None = None,
        output: str | int | None = None,
        most: int | None = None,
    ) -> "Axes":
        """Draw all rows; returns the axes.

        Parameters
        ----------
        kind : str
            ``"beeswarm"`` (a dot per row and feature), ``"bar"`` (mean |value|), ``"scatter"`` (attributions of one
            feature against its values, see `scatter`), ``"heat"`` (rows across, features up), ``"lines"`` (a line per
            row from the baseline to raw) or ``"pairs"`` (mean |interaction|).
        ax : matplotlib axes, optional
            Where to draw; by default a new figure.
        feature : str or int, optional
            For ``"scatter"``; by default the most important feature.
        output : str or int, optional
            Which output; required if there are several.
        most : int, optional
            Number of features to draw, the most important first.
        """
        if kind == "scatter":
            if most is not None:
                raise OptionError("most= is a number of features, and kind='scatter' draws one; leave it out")
            chosen = self.importance().features[0] if feature is None else feature
            return self.scatter(chosen, ax, output=output)
        if feature is not None:
            raise OptionError(f"feature= belongs to kind='scatter', not to kind={kind!r}")
        return draw_kind(self, kind, ax, output, most)

    def scatter(
        self,
        feature: str | int,
        ax: "Axes | None" = None,
        *,
        colour: str | int | None = "auto",
        output: str | int | None = None,
    ) -> "Axes":
        """Draw the attributions of one feature against its values.

        `colour` names another feature. ``"auto"`` takes the feature with the largest mean |interaction| if interactions
        were asked for, otherwise none.
        """
        return draw_scatter_of(self, feature_name(feature, self.names), colour, ax, output)

    def waterfall(
        self, row: int, ax: "Axes | None" = None, *, output: str | int | None = None, most: int = 10
    ) -> "Axes":
        """Draw the steps of one row from the baseline to raw; the same as ``at[row].plot()``."""
        return self.row(row).plot(ax, output=output, most=most)

    def heat(self, ax: "Axes | None" = None, *, output: str | int | None = None) -> "Axes":
        """Draw rows across and features up, coloured by value."""
        return self.plot("heat", ax, output=output)

    def _repr_html_(self) -> str:
        found = self.importance()
        size = found.mean_abs.reshape(len(self.names), -1)
        reach = float(size.max(initial=0.0))
        several = len(self.outputs) > 1
        rows = [
            [name, *([output] if several else []), size[i, o], Bar(size[i, o], reach, signed=False)]
            for i, name in enumerate(found.features)
            for o, output in enumerate(self.outputs)
        ]
        header = ["feature", *(["output"] if several else []), "mean |attribution|", ""]
        kept = f", {self._features()}" if self.n_rest else ""
        return html_table(f"Attributions of {counted(len(self), 'row')}{kept} ({averaged_over(self)})", header, rows)

    def _features(self) -> str:
        rest = f" and {others(self.n_rest)} as one" if self.n_rest else ""
        return counted(len(self.names), "feature") + rest

    def _with_rest(self) -> NDArray[np.float64]:
        """Values, and one more column with the sum of the features that were not kept."""
        if not self.n_rest:
            return self.values
        return np.concatenate([self.values, self.rest[:, np.newaxis]], axis=1)

    def __repr__(self) -> str:
        pairs = "" if self.interactions is None else ", with interactions"
        return f"<Attributions of {counted(len(self), 'row')}, {self._features()} ({averaged_over(self)}){pairs}>"


def _members(groups: Mapping[str, Sequence[str | int]], names: tuple[str, ...], n_rest: int) -> dict[int, str]:
    if not isinstance(groups, Mapping):
        raise OptionError(f"groups must map the name of each group to its features, got {groups!r}")
    found: dict[int, str] = {}
    for group, members in groups.items():
        if not isinstance(group, str):
            raise OptionError(f"the name of a group must be text, got {group!r}")
        if isinstance(members, str) or not isinstance(members, Collection) or not len(members):
            raise OptionError(f"group {group!r} must list features by name or position, got {members!r}")
        for member in members:
            try:
                j = names.index(feature_name(member, names))
            except KeyNotFoundError as error:
                kept = "; features= kept only some of the model's features" if n_rest else ""
                raise OptionError(f"group {group!r}: {error}{kept}") from None
            if found.get(j) == group:
                raise OptionError(f"group {group!r} names feature {names[j]!r} twice")
            if j in found:
                raise OptionError(f"feature {names[j]!r} is in two groups, {found[j]!r} and {group!r}")
            found[j] = group
    return found


def _summed(values: NDArray[np.float64], to: list[int], axis: int) -> NDArray[np.float64]:
    """Sums along an axis; entry j is added to position to[j]."""
    moved = np.moveaxis(values, axis, 0)
    out = np.zeros((max(to) + 1, *moved.shape[1:]))
    for j, place in enumerate(to):
        out[place] += moved[j]
    return np.ascontiguousarray(np.moveaxis(out, 0, axis))


def _summed_pairs(pairs: NDArray[np.float64], to: list[int]) -> NDArray[np.float64]:
    out = _summed(_summed(pairs, to, 1), to, 2)
    upper, lower = np.triu_indices(out.shape[1], 1)
    out[:, upper, lower] = out[:, lower, upper]  # both halves of a pair must be the same number
    return out


def _free(name: str, taken: Sequence[str]) -> str:
    """A column name that is not the name of a feature."""
    while name in taken:
        name += "_"
    return name
