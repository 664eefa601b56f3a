"""Compositions: Pipeline, ColumnTransformer and FeatureUnion, followed column by column to what the model gets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glasswood.errors import UnsupportedModelError
from glasswood.readers.pipelines._encoders import encoded
from glasswood.readers.pipelines._imputers import imputed, indicated
from glasswood.readers.pipelines._numbers import binned, powered, scaled, through_function
from glasswood.readers.pipelines._tracks import Mixing, Track


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """A table between two steps: the origin of each column, and whether scikit-learn stores it as a sparse matrix."""

    tracks: tuple[Track, ...]
    sparse: bool = False


def follow(transformer: Any, table: Followed, width: int | None = None) -> Followed:
    """The table after a transformer, of whose output the number of columns may be known.

    Columns that it makes of several ones, or in a way that no split on one column expresses, are marked as mixed.
    """
    if is_passed(transformer):
        return table
    kind = _kind(transformer)
    if kind in _COMPOSED:
        return _COMPOSED[kind](transformer, table, width)
    if kind is None:
        return _mixed(transformer, table, width)
    _check_width(transformer, table)
    try:
        return _KINDS[kind](transformer, table)
    except UnsupportedModelError as error:
        return _mixed(transformer, table, width, str(error))


def follow_steps(steps: Sequence[Any], table: Followed, width: int | None) -> Followed:
    """The table after several transformers, one after the other."""
    done = [step for step in steps if not is_passed(step)]
    for k, step in enumerate(done):
        last = k + 1 == len(done)
        table = follow(step, table, width if last else getattr(done[k + 1], "n_features_in_", None))
    return table


def is_passed(step: Any) -> bool:
    """Whether a step leaves the table as it is: "passthrough", and samplers of imblearn, which only fit uses."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return True
    return hasattr(step, "fit_resample") and not hasattr(step, "transform")


def _kind(transformer: Any) -> str | None:
    """Name of the class of scikit-learn that transforms; None for one that is not followed column by column."""
    for cls in type(transformer).__mro__:
        if cls.__module__.partition(".")[0] != "sklearn":
            if "transform" in vars(cls):
                return None  # a user's class that transforms in its own way
        elif cls.__name__ in _KINDS or cls.__name__ in _COMPOSED:
            return cls.__name__
    return None


def _check_width(transformer: Any, table: Followed) -> None:
    n = getattr(transformer, "n_features_in_", None)
    if n is not None and n != len(table.tracks):
        raise UnsupportedModelError(
            f"{type(transformer).__name__} was fitted on {n} columns and stands behind {len(table.tracks)}; fit the "
            "pipeline again"
        )


def _mixed(transformer: Any, table: Followed, width: int | None, reason: str = "") -> Followed:
    """Columns that the transformer makes of the table as a whole."""
    n = _n_columns(transformer) if width is None else width
    mixing = Mixing("passthrough" if is_passed(transformer) else type(transformer).__name__, reason)
    return Followed((Track(-1, mixed=mixing),) * n, _gives_sparse(transformer, table.sparse))


def _n_columns(transformer: Any) -> int:
    try:
        return len(transformer.get_feature_names_out())
    except Exception as error:  # whatever a transformer without names raises
        raise UnsupportedModelError(
            f"{type(transformer).__name__} does not say how many columns it gives (get_feature_names_out: {error}); "
            "read the last step with the table it sees: gw.read(pipeline[-1], pipeline[:-1].transform(X))"
        ) from error


def _gives_sparse(transformer: Any, sparse: bool) -> bool:
    """Whether a transformer gives a sparse matrix; of interest where a model takes what is not stored for missing."""
    names = {cls.__name__ for cls in type(transformer).__mro__}
    if names & {"CountVectorizer", "HashingVectorizer", "FeatureHasher", "TfidfTransformer", "RandomTreesEmbedding"}:
        return True
    if "DictVectorizer" in names:
        return bool(transformer.sparse)
    for attribute in ("sparse_output", "sparse_output_"):
        if hasattr(transformer, attribute):
            return bool(getattr(transformer, attribute))
    kept = {"PolynomialFeatures", "Normalizer", "SparseRandomProjection", "FunctionTransformer"}
    return sparse and bool(names & {*kept, *_KINDS})


def _pipeline(transformer: Any, table: Followed, width: int | None) -> Followed:
    return follow_steps([step for _, step in transformer.steps], table, width)


def _column_transformer(transformer: Any, table: Followed, width: int | None) -> Followed:
    tracks: list[Track | None] = [None] * sum(part.stop - part.start for part in transformer.output_indices_.values())
    for name, part, columns in transformer.transformers_:
        if isinstance(part, str) and part == "drop":
            continue
        # private: the public list has names, numbers, slices, masks or callables; this one has only numbers
        places = [int(place) for place in transformer._transformer_to_input_indices[name]]
        if not places:
            continue
        where = transformer.output_indices_[name]
        n = where.stop - where.start
        given = Followed(tuple(table.tracks[place] for place in places), table.sparse)
        if (transformer.transformer_weights or {}).get(name, 1) != 1:
            found = _mixed(part, given, n, f"ColumnTransformer weighs {name!r}").tracks
        elif np.isscalar(columns) and not is_passed(part):  # one column as a vector, as transformers of text take it
            found = _mixed(part, given, n).tracks
        else:
            found = follow(part, given, n).tracks
        if len(found) != n:
            raise UnsupportedModelError(
                f"the transformer {name!r} gives {n} columns and {len(found)} were expected; fit the pipeline again"
            )
        tracks[where] = found
    return Followed(tuple(track for track in tracks if track is not None), bool(transformer.sparse_output_))


def _feature_union(transformer: Any, table: Followed, width: int | None) -> Followed:
    if transformer.transformer_weights:
        return _mixed(transformer, table, width, "it has transformer_weights")
    parts = [
        follow(part, table)
        for _, part in transformer.transformer_list
        if not (isinstance(part, str) and part == "drop")
    ]
    return Followed(tuple(track for part in parts for track in part.tracks), any(part.sparse for part in parts))


def _selected(transformer: Any, table: Followed) -> Followed:
    kept = np.flatnonzero(transformer.get_support())
    return replace(table, tracks=tuple(table.tracks[k] for k in kept.tolist()))


def _numbers(by: Callable[[Any, Sequence[Track], bool], list[Track]]) -> Callable[[Any, Followed], Followed]:
    return lambda transformer, table: replace(table, tracks=tuple(by(transformer, table.tracks, table.sparse)))


def _bins(transformer: Any, table: Followed) -> Followed:
    tracks = binned(transformer, table.tracks, table.sparse)
    return Followed(tuple(tracks), transformer.encode == "onehot")


def _one_hot(transformer: Any, table: Followed) -> Followed:
    return Followed(tuple(encoded(transformer, table.tracks)), bool(transformer.sparse_output))


def _codes(transformer: Any, table: Followed) -> Followed:
    return Followed(tuple(encoded(transformer, table.tracks)))


def _imputer(transformer: Any, table: Followed) -> Followed:
    return replace(table, tracks=tuple(imputed(transformer, table.tracks)))


def _indicator(transformer: Any, table: Followed) -> Followed:
    sparse = table.sparse if transformer.sparse == "auto" else bool(transformer.sparse)
    return Followed(tuple(indicated(transformer, table.tracks)), sparse)


_SCALED = ("StandardScaler", "MinMaxScaler", "MaxAbsScaler", "RobustScaler", "QuantileTransformer", "Binarizer")
# class of scikit-learn → function that follows it; scikit-learn is never imported here
_KINDS: dict[str, Callable[[Any, Followed], Followed]] = {
    **dict.fromkeys(_SCALED, _numbers(scaled)),
    "PowerTransformer": _numbers(powered),
    "FunctionTransformer": _numbers(through_function),
    "KBinsDiscretizer": _bins,
    "SimpleImputer": _imputer,
    "MissingIndicator": _indicator,
    "OneHotEncoder": _one_hot,
    "OrdinalEncoder": _codes,
    "TargetEncoder": _codes,
    "SelectorMixin": _selected,
}
_COMPOSED: dict[str, Callable[[Any, Followed, int | None], Followed]] = {
    "Pipeline": _pipeline,
    "ColumnTransformer": _column_transformer,
    "FeatureUnion": _feature_union,
}
