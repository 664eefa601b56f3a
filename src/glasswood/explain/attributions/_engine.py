"""Engine: computes attributions of a model with its background, chunk by chunk."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from glasswood import _native
from glasswood._progress import Progress
from glasswood.ensemble import AlignedRows, Ensemble, LinkKind, align_in_order
from glasswood.errors import KeyNotFoundError, OptionError
from glasswood.explain.attributions._additivity import check_additivity
from glasswood.explain.effects._request import resolve_features
from glasswood.explain.effects._row_stream import chunk_rows
from glasswood.results import AttributedRows, Attributions, output_index
from glasswood.tables import Table, by_rows, frame_kind, n_rows_of, take_rows

_CHUNK_ROWS = 131_072  # rows encoded at a time: a few MB per feature
_CHUNK_NUMBERS = 16_777_216  # numbers of a chunk if only some of them are kept: 128 MB
_MAX_BYTES = 4_000_000_000  # of interactions

_log = logging.getLogger(__name__)


def plan_model(ensemble: Ensemble) -> _native.AttributionModel:
    """The model prepared for attributions; kept with the ensemble."""
    return ensemble._cached("attributions", _plan)


def _plan(ensemble: Ensemble) -> _native.AttributionModel:
    return _native.AttributionModel(ensemble._trees(), ensemble.weight, ensemble.features.missing_routed)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Request:
    """What to compute for every row."""

    features: list[int]
    output: int | None  # None for all
    interactions: bool

    @classmethod
    def make(
        cls, ensemble: Ensemble, features: Sequence[str | int] | None, output: str | int | None, interactions: bool
    ) -> "Request":
        """A request with checked names and positions."""
        chosen = resolve_features(features, ensemble)
        if output is None:
            return cls(features=chosen, output=None, interactions=interactions)
        try:
            (position,) = output_index(output, ensemble.outputs)
        except KeyNotFoundError as error:
            raise OptionError(str(error)) from None
        return cls(features=chosen, output=position, interactions=interactions)

    def left_out(self, ensemble: Ensemble) -> list[int]:
        """Features that are not kept."""
        kept = set(self.features)
        return [f for f in range(len(ensemble.features)) if f not in kept]

    def picks(self, ensemble: Ensemble) -> bool:
        """Whether only a part of the computed values is kept."""
        return self.features != list(range(len(ensemble.features))) or (self.output is not None)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Engine:
    """A model, its background, and tables that were kept, if any."""

    ensemble: Ensemble
    model: _native.AttributionModel
    background: _native.AttributionBackground | None  # None for path
    tables: _native.AttributionTables | None
    baseline: NDArray[np.float64]  # (n_outputs,)

    def explain(self, X: Table, request: Request, n_threads: int, progress: bool) -> Attributions:
        """Attributions of every row of X."""
        e = self.ensemble
        n_rows, n_kept = n_rows_of(X), len(request.features)
        n_outputs = e.n_outputs if request.output is None else 1
        if request.interactions:
            check_bytes(n_rows, n_kept, n_outputs)
        values = np.zeros((n_rows, n_kept, n_outputs))
        rest = np.zeros((n_rows, n_outputs))
        raw = np.zeros((n_rows, e.n_outputs))
        pairs = np.zeros((n_rows, n_kept, n_kept, n_outputs)) if request.interactions else None
        step = min(self._chunk_rows(request), chunk_rows(X))
        starts = range(0, n_rows, step)
        whole = X if len(starts) == 1 else by_rows(X)
        order: Sequence[int] | None = None
        with Progress("attributions", len(starts), show=progress) as bar:
            for at in starts:
                part = X if len(starts) == 1 else take_rows(whole, at, at + step)
                rows, order = align_in_order(part, e.features)
                stop = at + rows.n_rows
                raw[at:stop] = e._plan().predict_raw(rows.data, n_threads)
                self._explain_rows(rows, request, at, values[at:stop], rest[at:stop], raw[at:stop], n_threads,
                                   None if pairs is None else pairs[at:stop])  # fmt: skip
                bar.step()
        if order is None:  # without rows, the columns are checked all the same
            _, order = align_in_order(X, e.features)
        return self._result(X, order, request, values, rest, raw, pairs)

    def _chunk_rows(self, request: Request) -> int:
        e = self.ensemble
        if not request.picks(e):
            return _CHUNK_ROWS
        numbers = len(e.features) * e.n_outputs
        if request.interactions and request.output is not None:
            numbers += len(request.features) ** 2 * e.n_outputs
        return int(np.clip(_CHUNK_NUMBERS // max(1, numbers), 64, _CHUNK_ROWS))

    def _explain_rows(
        self,
        rows: AlignedRows,
        request: Request,
        first_row: int,
        values: NDArray[np.float64],
        rest: NDArray[np.float64],
        raw: NDArray[np.float64],
        n_threads: int,
        pairs: NDArray[np.float64] | None,
    ) -> None:
        """Add values, sums over the features that are not kept, and pairs if asked for, of some rows to zeros."""
        e, n = self.ensemble, rows.n_rows
        picks = request.picks(e)
        outputs = slice(None) if request.output is None else slice(request.output, request.output + 1)
        every = np.zeros((n, len(e.features), e.n_outputs)) if picks else values
        self.model.add_values(rows.data, self.background, self.tables, every.reshape(-1), n_threads)
        check_additivity(e, every, self.baseline, raw, first_row)
        if picks:
            values[...] = every[:, request.features, outputs]
            for f in request.left_out(e):  # one by one, so that the sum of a row does not depend on other rows
                rest += every[:, f, outputs]
        if pairs is None:
            return
        kept = np.array(request.features, dtype=np.int32)
        several = request.output is not None and e.n_outputs > 1
        found = np.zeros((n, len(kept), len(kept), e.n_outputs)) if several else pairs
        self.model.write_pairs(rows.data, self.background, kept, every.reshape(-1), found.reshape(-1), n_threads)
        if several:
            pairs[...] = found[..., outputs]

    def _result(
        self,
        X: Table,
        order: Sequence[int],
        request: Request,
        values: NDArray[np.float64],
        rest: NDArray[np.float64],
        raw: NDArray[np.float64],
        pairs: NDArray[np.float64] | None,
    ) -> Attributions:
        e = self.ensemble
        shown = [request.output] if request.output is not None else list(range(e.n_outputs))
        one = len(shown) == 1
        prediction, base_prediction = self._predictions(raw, shown)
        return Attributions(
            values=values[..., 0] if one else values,
            rest=rest[:, 0] if one else rest,
            n_rest=len(e.features) - len(request.features),
            baseline=self.baseline[shown],
            raw=raw[:, shown[0]] if one else raw,
            prediction=prediction,
            baseline_prediction=base_prediction,
            interactions=None if pairs is None else pairs[..., 0] if one else pairs,
            names=tuple(e.feature_names[f] for f in request.features),
            outputs=tuple(e.outputs[o] for o in shown),
            method="path" if self.background is None else "interventional",
            link=e.link,
            n_background=None if self.background is None else self.background.n_rows,
            weight_kind=e.source.weight_kind if self.background is None else None,
            rows=AttributedRows(table=X, order=tuple(order[f] for f in request.features), features=e.features),
            kind=frame_kind(X),
        )

    def _predictions(
        self, raw: NDArray[np.float64], shown: list[int]
    ) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
        """Inverse link of raw and of the baseline, for the outputs shown; None if the link is unknown."""
        link, objective = self.ensemble.link, self.ensemble.source.objective
        if link.kind is LinkKind.NONE:
            return None, None
        prediction = link.inverse(raw, objective=objective)[:, shown]
        base: NDArray[np.float64] = link.inverse(self.baseline[None, :], objective=objective)[0, shown]
        return prediction[:, 0] if len(shown) == 1 else prediction, base


def check_bytes(n_rows: int, n_kept: int, n_outputs: int) -> None:
    """Refuse matrices of pairs that do not fit into memory."""
    a_row = 8 * n_kept**2 * n_outputs
    needed = n_rows * a_row
    _log.info("interactions of %s rows take %s bytes", f"{n_rows:,}", f"{needed:,}")
    if needed > _MAX_BYTES:
        fit = _MAX_BYTES // max(1, a_row)
        raise OptionError(
            f"interactions of {n_rows:,} rows and {n_kept:,} features take {needed / 1e9:,.1f} GB, more than "
            f"{_MAX_BYTES / 1e9:g} GB; ask for at most {fit:,} rows at a time, or for fewer features with features="
        )


def make_engine(
    ensemble: Ensemble,
    background: _native.AttributionBackground | None,
    *,
    tables: _native.AttributionTables | None,
    n_threads: int,
) -> Engine:
    """Make the engine of a model; this computes the mean of raw once."""
    model = plan_model(ensemble)
    return Engine(
        ensemble=ensemble, model=model, background=background, tables=tables, baseline=model.mean(background, n_threads)
    )
