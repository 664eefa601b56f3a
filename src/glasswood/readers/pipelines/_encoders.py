"""Encoders: the number that each level of a column becomes."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label
from glasswood.errors import UnsupportedModelError
from glasswood.readers.pipelines._levels import EncodedColumn, Fill
from glasswood.readers.pipelines._tracks import Track

_NO_COLUMNS, _ZEROS = np.zeros(0, dtype=np.int64), np.zeros(0)


def encoded(transformer: Any, tracks: Sequence[Track]) -> list[Track]:
    """Follow the columns through an encoder of levels."""
    name = type(transformer).__name__
    found: list[Track] = []
    for k, track in enumerate(tracks):
        column = _KINDS[_kind(transformer)](transformer, k)
        if track.mixed is not None:
            found.extend([track] * column.n_out)
            continue
        flag = track.links[0].fill if len(track.links) == 1 and track.links[0].flag else None
        column = column.filled(_fills(track, name)) if flag is None else _of_flag(column, flag.wanted)
        found.extend(Track(track.source, column, out) for out in range(column.n_out))
    return found


def _of_flag(column: EncodedColumn, wanted: Label | None) -> EncodedColumn:
    """An encoded indicator: the code of True for a missing value, otherwise the code of False."""
    place = {label: k for k, label in enumerate(column.labels)}
    no, yes = (place.get(flag, len(column.labels)) for flag in (False, True))
    take = [no, yes] if wanted is None else [yes, no, no]
    refused = yes == len(column.labels) and column.unseen_refused
    labels = () if wanted is None else (wanted,)
    return replace(column, labels=labels, codes=column.codes[take], unseen_refused=False, missing_refused=refused)


def _kind(transformer: Any) -> str:
    return next(cls.__name__ for cls in type(transformer).__mro__ if cls.__name__ in _KINDS)


def _fills(track: Track, name: str) -> list[Fill]:
    """What imputers do to the levels before the encoder."""
    if track.encoded is not None:
        raise UnsupportedModelError(f"{name} encodes what another encoder made; glasswood reads one encoder per column")
    fills = []
    for link in track.links:
        if link.fill is None or link.flag:
            raise UnsupportedModelError(
                f"{name} encodes what {link.step.name} made of a column; glasswood reads encoders of the table's own "
                "columns, or behind a SimpleImputer"
            )
        fills.append(link.fill)
    return fills


def _levels(learnt: NDArray[Any], name: str) -> tuple[tuple[Label, ...], NDArray[np.int64], int | None]:
    """Labels, the position of each in the encoder, and the position of the missing value if the encoder knows it."""
    labels: list[Label] = []
    places: list[int] = []
    missing: int | None = None
    for place, value in enumerate(learnt.tolist()):
        if _is_absent(value):
            if missing is not None:
                raise UnsupportedModelError(
                    f"{name} was fitted with both None and NaN, which it keeps apart and glasswood does not; replace "
                    "one by the other and refit"
                )
            missing = place
        elif isinstance(value, str | int | float):
            labels.append(value)
            places.append(place)
        else:
            raise UnsupportedModelError(
                f"{name} encodes values of type {type(value).__name__}; glasswood reads text, numbers and booleans; "
                "turn the column into text before the pipeline"
            )
    return tuple(labels), np.array(places, dtype=np.int64), missing


def _is_absent(value: Any) -> bool:
    """Whether a value is missing: None, NaN and the like."""
    named = value is None or type(value).__name__ in ("NAType", "NaTType")
    return named or (isinstance(value, float) and np.isnan(value))


def _learnt_none(transformer: Any, k: int, missing: int | None) -> bool:
    return missing is not None and transformer.categories_[k][missing] is None


def _grouped(transformer: Any, k: int, left_out: int | None = None) -> tuple[NDArray[np.int64], int | None]:
    """Code of each category, with one common code after all others for infrequent ones; and that code, if any."""
    learnt = transformer.categories_[k]
    rare = getattr(transformer, "infrequent_categories_", None)
    rare = None if rare is None else rare[k]
    codes = np.arange(len(learnt))
    if rare is None:
        return codes, None
    # None for any missing value, because NaN does not equal itself
    known = {None if _is_absent(value) else value for value in rare.tolist()}
    infrequent = np.array([(None if _is_absent(value) else value) in known for value in learnt.tolist()], dtype=bool)
    frequent = ~infrequent
    if left_out is not None:
        frequent[left_out] = False  # OrdinalEncoder counts the missing value separately
    code = int(frequent.sum())
    return np.where(infrequent, code, np.cumsum(frequent) - 1), code


def _one_hot(transformer: Any, k: int) -> EncodedColumn:
    labels, places, missing = _levels(transformer.categories_[k], "OneHotEncoder")
    codes, rare = _grouped(transformer, k)
    as_rare = transformer.handle_unknown in ("infrequent_if_exist", "warn")
    unknown = rare if as_rare and rare is not None else -1
    refused = transformer.handle_unknown == "error"
    columns = np.unique(codes)
    dropped = None if transformer.drop_idx_ is None else transformer.drop_idx_[k]
    if dropped is not None:
        columns = columns[columns != codes[dropped]]
    of_missing = unknown if missing is None else codes[missing]
    return EncodedColumn(
        labels=labels,
        codes=np.array([*codes[places], unknown, of_missing], dtype=np.int64),
        table=None,
        columns=columns,
        fallback=_ZEROS,
        unseen_refused=refused,
        missing_refused=refused and missing is None,
        none_learnt=_learnt_none(transformer, k, missing),
    )


def _ordinal(transformer: Any, k: int) -> EncodedColumn:
    learnt = transformer.categories_[k]
    labels, places, missing = _levels(learnt, "OrdinalEncoder")
    # for OrdinalEncoder only NaN is missing; None is an ordinary category
    is_nan = missing is not None and isinstance(learnt[missing], float | np.floating)
    codes, _ = _grouped(transformer, k, missing if is_nan else None)
    table = np.arange(codes.max(initial=-1) + 2, dtype=np.float64)
    absent = len(table) - 1  # its own row
    table[absent] = transformer.encoded_missing_value if is_nan else np.nan
    refused = transformer.handle_unknown == "error"
    other = np.nan if transformer.unknown_value is None else float(transformer.unknown_value)
    of_missing = -1 if missing is None else (absent if is_nan else codes[missing])
    return EncodedColumn(
        labels=labels,
        codes=np.array([*codes[places], -1, of_missing], dtype=np.int64),
        table=table[:, np.newaxis],
        columns=_NO_COLUMNS,
        fallback=np.array([other]),
        unseen_refused=refused,
        missing_refused=refused and missing is None,
        none_learnt=_learnt_none(transformer, k, missing),
    )


def _target(transformer: Any, k: int) -> EncodedColumn:
    labels, places, missing = _levels(transformer.categories_[k], "TargetEncoder")
    several = transformer.target_type_ == "multiclass"
    n_out = len(transformer.classes_) if several else 1
    table = np.column_stack([np.asarray(values, dtype=np.float64) for values in _encodings(transformer, k, n_out)])
    return EncodedColumn(
        labels=labels,
        codes=np.array([*places, -1, -1 if missing is None else missing], dtype=np.int64),
        table=table,
        columns=_NO_COLUMNS,
        fallback=np.atleast_1d(np.asarray(transformer.target_mean_, dtype=np.float64)),
        none_learnt=_learnt_none(transformer, k, missing),
    )


def _encodings(transformer: Any, k: int, n_out: int) -> Sequence[Any]:
    found: Sequence[Any] = transformer.encodings_[k * n_out : (k + 1) * n_out]
    return found


_KINDS = {"OneHotEncoder": _one_hot, "OrdinalEncoder": _ordinal, "TargetEncoder": _target}
