"""Compositions: Pipeline, ColumnTransformer and FeatureUnion, followed column by column to what the model gets."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from glasswood.errors import UnsupportedModelError
from glasswood.readers.pipelines._encoders import encoded
from glasswood.readers.pipelines._imputers import imputed, indicated
from glasswood.readers.pipelines._numbers import binned, powered, scaled, through_function
from glasswood.readers.pipelines._tracks import Track

_ADVICE = "read the last step with the table it sees: gw.read(pipeline[-1], pipeline[:-1].transform(X))"


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """A table between two steps: the origin of each column, and whether scikit-learn stores it as a sparse matrix."""

    tracks: tuple[Track, ...]
    sparse: bool = False


def follow(transformer: Any, table: Followed) -> Followed:
    """The table after a transformer."""
    if transformer is None or (isinstance(transformer, str) and transformer == "passthrough"):
        return table
    kind = _kind(transformer)
    _check_width(transformer, table)
    return _KINDS[kind](transformer, table)


def _kind(transformer: Any) -> str:
    for cls in type(transformer).__mro__:
        if cls.__module__.partition(".")[0] != "sklearn":
            if "transform" in vars(cls):
                break  # a user's class that transforms in its own way
        elif cls.__name__ in _KINDS:
            return cls.__name__
    name = type(transformer).__name__
    why = _REFUSED.get(name, "is not a transformer that glasswood reads")
    raise UnsupportedModelError(f"{name} {why}; {_ADVICE}")


def _check_width(transformer: Any, table: Followed) -> None:
    n = getattr(transformer, "n_features_in_", None)
    if n is not None and n != len(table.tracks):
        raise UnsupportedModelError(
            f"{type(transformer).__name__} was fitted on {n} columns and stands behind {len(table.tracks)}; fit the "
            "pipeline again"
        )


def _pipeline(transformer: Any, table: Followed) -> Followed:
    for _, step in transformer.steps:
        table = follow(step, table)
    return table


def _column_transformer(transformer: Any, table: Followed) -> Followed:
    if transformer.transformer_weights:
        raise UnsupportedModelError(f"this ColumnTransformer has transformer_weights, which are not read; {_ADVICE}")
    tracks: list[Track | None] = [None] * sum(part.stop - part.start for part in transformer.output_indices_.values())
    for name, part, columns in transformer.transformers_:
        if isinstance(part, str) and part == "drop":
            continue
        # private: the public list has names, numbers, slices, masks or callables; this one has only numbers
        places = [int(place) for place in transformer._transformer_to_input_indices[name]]
        if not places:
            continue
        if np.isscalar(columns):
            raise UnsupportedModelError(
                f"the transformer {name!r} is given one column as a vector, not as a table; give [{columns!r}] instead "
                "of a single name, or leave it out"
            )
        given = Followed(tuple(table.tracks[place] for place in places), table.sparse)
        found = follow(part, given).tracks
        where = transformer.output_indices_[name]
        if len(found) != where.stop - where.start:
            raise UnsupportedModelError(
                f"the transformer {name!r} gives {where.stop - where.start} columns and {len(found)} were expected; "
                f"{_ADVICE}"
            )
        tracks[where] = found
    return Followed(tuple(track for track in tracks if track is not None), bool(transformer.sparse_output_))


def _feature_union(transformer: Any, table: Followed) -> Followed:
    if transformer.transformer_weights:
        raise UnsupportedModelError(f"this FeatureUnion has transformer_weights, which are not read; {_ADVICE}")
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
    "Pipeline": _pipeline,
    "ColumnTransformer": _column_transformer,
    "FeatureUnion": _feature_union,
}
_MIXES = "mixes columns, so that what it gives is not one column of the table"
_REFUSED = {
    **dict.fromkeys(
        (
            "PCA", "IncrementalPCA", "KernelPCA", "SparsePCA", "TruncatedSVD", "FastICA", "NMF", "FactorAnalysis",
            "PolynomialFeatures", "Normalizer", "KNNImputer", "IterativeImputer", "FeatureAgglomeration",
            "GaussianRandomProjection", "SparseRandomProjection", "LinearDiscriminantAnalysis", "KMeans",
        ),
        _MIXES,
    ),
    **dict.fromkeys(
        ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer", "TfidfTransformer", "FeatureHasher",
         "DictVectorizer"),
        "makes many columns of a text, of which glasswood reads none",
    ),
    "SplineTransformer": "makes of a column numbers that rise and fall, which is not read",
}  # fmt: skip
