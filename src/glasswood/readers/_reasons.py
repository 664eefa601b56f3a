"""Reasons: why a library may read a table differently from glasswood, as texts for an error."""

import re

import numpy as np

from glasswood.ensemble import AlignedRows, FeatureSchema, join_names
from glasswood.tables import FrameKind, Table, column_names, dtypes_of, frame_kind, is_scipy_sparse

_PLAIN = re.compile(r"(u?int(8|16|32|64)|float(32|64)|double|bool)", re.IGNORECASE)


def reasons(X: Table, features: FeatureSchema, rows: AlignedRows, row: int, library: str) -> list[str]:
    """Properties of the table that libraries are known to read differently, the most likely first."""
    found = []
    if isinstance(X, np.ma.MaskedArray) and np.ma.getmaskarray(X).any():
        found.append(f"X is a masked array, whose mask {library} ignores: give X.filled(numpy.nan)")
    if is_scipy_sparse(X) and library == "XGBoost":
        found.append(
            "XGBoost takes a value that is not stored for missing, glasswood for 0: train and ask with X.toarray(), or "
            "give glasswood a table with NaN in these places"
        )
    if _in_other_order(X, features):
        found.append(
            f"the columns stand in another order than in training, and {library} takes them by position: give "
            f"{join_names(map(repr, features.names))} in this order"
        )
    for k, name in enumerate(features.names):
        labels = features.categories[k]
        code = None if labels is None else int(rows.column(k)[row])
        if labels and code is not None and not 0 <= code < len(labels):
            found.append(f"the category of {name!r} in this row is {'missing' if code < 0 else 'new to the model'}")
            if library == "scikit-learn" and code < 0 and frame_kind(X) is FrameKind.PYARROW:
                found.append(
                    "scikit-learn takes a null in a dictionary column for the last category: give X.to_pandas()"
                )
    coded = [name for name, only_codes in zip(features.names, features.coded, strict=True) if only_codes]
    if coded and not found:
        found.append(
            f"the model keeps only the codes of {join_names(map(repr, coded))}: declare the categories in the order of "
            "the training table"
        )
    odd = _odd_columns(X)
    if odd and not found:
        found.append(f"{join_names(odd)}: give plain numbers, or what the model was trained on")
    return found


def _in_other_order(X: Table, features: FeatureSchema) -> bool:
    if frame_kind(X) is None or not features.named:
        return False
    position = features.find([str(name) for name in column_names(X)])
    return list(position.values()) != sorted(position.values())


def _odd_columns(X: Table) -> list[str]:
    dtypes = dtypes_of(X)
    if frame_kind(X) is None:
        plain = {"float32", "float64"}  # libraries also round whole numbers of an array in different ways
        return [] if set(dtypes) <= plain else [f"X is an array of {join_names(sorted(set(dtypes)))}"]
    names = column_names(X)
    return [
        f"column {name!r} has dtype {dtype}"
        for name, dtype in zip(names, dtypes, strict=True)
        if not _PLAIN.fullmatch(dtype)
    ]
