"""Derived features: columns that the steps of a pipeline compute of several others, kept under the names they give."""

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glasswood.ensemble import Derivation, FeatureSchema, join_names
from glasswood.errors import TableError
from glasswood.readers._fingerprint import digest
from glasswood.readers.pipelines._compose import is_passed
from glasswood.readers.pipelines._steps import as_fitted, transformed
from glasswood.readers.pipelines._table_as_read import decoded_table
from glasswood.readers.pipelines._tracks import Mixing, Track
from glasswood.tables import (
    CategoryColumn,
    Columns,
    Table,
    column_names,
    frame_kind,
    is_scipy_sparse,
    place_columns,
    read_table,
)


@dataclass(frozen=True, slots=True, eq=False)
class Derived:
    """The features of a model: columns of the caller's table, then those that are computed."""

    names: tuple[str, ...]
    named: bool
    tracks: tuple[Track, ...]  # one per column of the model, with features as sources
    origin: tuple[int, ...]  # for each feature its column in the caller's table; −1 where it is computed
    derivation: Derivation | None
    note: str | None


@dataclass(frozen=True, slots=True, eq=False)
class StepsBefore:
    """The steps before the model, which compute features of the caller's table."""

    steps: tuple[Any, ...]
    columns: tuple[str, ...] | None  # of the training table; None if it had no names
    kept: tuple[int, ...]  # columns of the table that are features
    outs: tuple[int, ...]  # columns that the steps give and that are features
    features: tuple[str, ...]  # names of all features: those that are kept, then those that are computed

    @property
    def key(self) -> bytes:
        """Digest of the steps."""
        return digest(*self.steps)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the features that are computed."""
        return self.features[len(self.kept) :]

    def __call__(self, X: Table | Columns) -> Columns:
        """Features of the rows of a table, the computed ones as the steps give them."""
        given = decoded_table(X, self.columns) if isinstance(X, Columns) else X
        rows, _ = as_fitted(self.steps, self.columns, given)
        try:
            made = read_table(_as_table(transformed(self.steps, rows)))
        except TableError:
            raise
        except Exception as error:
            said = str(error).strip().partition("\n")[0] or type(error).__name__
            raise TableError(
                f"the steps of the pipeline, which compute {join_names(map(repr, self.names))}, fail on this table: "
                f"{said}"
            ) from error
        kind = X.kind if isinstance(X, Columns) else frame_kind(X)
        if not self.kept and self.outs == tuple(range(made.n_columns)):
            return replace(made, names=self.features, kind=kind)
        own = _own_columns(X, self._places(X))
        n = len(self.kept)
        columns = [*(own.stored(j) for j in range(n)), *(made.stored(j) for j in self.outs)]

        def exact(j: int) -> CategoryColumn | None:
            return own.exact(j) if j < n else made.exact(self.outs[j - n])

        return Columns(made.n_rows, self.features, None, tuple(columns), kind, exact)

    def _places(self, X: Table | Columns) -> list[int]:
        """Position in the table of each column that is a feature itself."""
        given = X.names if isinstance(X, Columns) else column_names(X) if frame_kind(X) is not None else None
        if self.columns is None or given is None:
            return list(self.kept)
        position = {name: j for j, name in enumerate(given)}
        missing = [self.columns[j] for j in self.kept if self.columns[j] not in position]
        if missing:
            raise TableError(f"the table lacks {join_names(map(repr, missing))}")
        return [position[self.columns[j]] for j in self.kept]


def _as_table(made: Any) -> Any:
    return made if hasattr(made, "ndim") or frame_kind(made) is not None else np.asarray(made)


def _own_columns(X: Table | Columns, places: Sequence[int]) -> Columns:
    if isinstance(X, Columns) or not places:
        table = read_table(X) if places else Columns(0, None, None, (), None)
        columns = tuple(table.stored(j) for j in places)
        return Columns(table.n_rows, None, None, columns, table.kind, lambda j: table.exact(places[j]))
    if frame_kind(X) is not None:
        return read_table(place_columns(X, places))
    picked = X.tocsc()[:, places] if is_scipy_sparse(X) else np.asarray(X)[:, places]
    return read_table(picked)


def derive(
    steps: Sequence[Any], names: Sequence[str], named: bool, tracks: Sequence[Track], inner: FeatureSchema
) -> Derived:
    """Make a feature of every column of the model that is mixed; drop columns of the table that none else uses."""
    mixed = [k for k, track in enumerate(tracks) if track.mixed is not None]
    if not mixed:
        return Derived(tuple(names), named, tuple(tracks), tuple(range(len(names))), None, None)
    kept = sorted({track.source for track in tracks if track.mixed is None})
    place = {source: j for j, source in enumerate(kept)}
    made = _unique(_names_out(steps, names if named else None, inner), tracks, names)
    features = (*(names[j] for j in kept), *(made[k] for k in mixed))
    new = {k: len(kept) + j for j, k in enumerate(mixed)}
    settled = [
        Track(new[k]) if track.mixed is not None else replace(track, source=place[track.source])
        for k, track in enumerate(tracks)
    ]
    copies = tuple(_copied(step) for step in steps if not is_passed(step))
    derivation = StepsBefore(
        steps=copies,
        columns=tuple(names) if named else None,
        kept=tuple(kept),
        outs=tuple(mixed),
        features=features,
    )
    note = _note([made[k] for k in mixed], [track.mixed for track in tracks if track.mixed is not None])
    return Derived(features, True, tuple(settled), (*kept, *(-1 for _ in mixed)), derivation, note)


def _note(names: Sequence[str], mixings: Sequence[Mixing]) -> str:
    steps = join_names(dict.fromkeys(mixing.step for mixing in mixings))
    reasons = dict.fromkeys(mixing.reason for mixing in mixings if mixing.reason)
    why = f" ({'; '.join(reasons)})" if reasons else ""
    return (
        f"derived features, which are not columns of the table but computed by {steps} in the pipeline: "
        f"{join_names(map(repr, names))}{why}"
    )


def _copied(step: Any) -> Any:
    """A copy, so that a later fit of the pipeline does not change what is computed."""
    try:
        return copy.deepcopy(step)
    except Exception:  # an object that cannot be copied
        return step


def _names_out(steps: Sequence[Any], names: Sequence[str] | None, inner: FeatureSchema) -> list[str]:
    """Names of the columns that the steps give: scikit-learn's, or those of the model, or positions."""
    found: Any = None if names is None else np.array(names, dtype=object)
    try:
        for step in steps:
            if not is_passed(step):
                found = step.get_feature_names_out(found)
    except Exception:  # whatever a transformer without names raises
        found = None
    if found is not None and len(found) == len(inner):
        return [str(name) for name in found]
    if inner.named:
        return list(inner.names)
    return [f"derived{k}" for k in range(len(inner))]


def _unique(found: Sequence[str], tracks: Sequence[Track], names: Sequence[str]) -> list[str]:
    """Names that no column of the table and no other feature has."""
    taken = set(names)
    out = []
    for name, track in zip(found, tracks, strict=True):
        if track.mixed is not None:
            step = track.mixed.step.lower()
            # a step that takes any table does not say which names its columns have
            own = f"{step}__{name}" if name in taken or not names else name
            while own in taken:
                own += "_"
            taken.add(own)
            out.append(own)
        else:
            out.append(name)
    return out
