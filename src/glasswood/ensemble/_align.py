"""AlignedRows: a table in the order and with the codes that a model's features need, ready for the kernels."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._category_hash import codes_of_hashes
from glasswood.ensemble._label import join_names
from glasswood.ensemble._schema import FeatureSchema
from glasswood.errors import TableError
from glasswood.tables import (
    CategoryColumn,
    Column,
    Columns,
    Label,
    SparseColumn,
    SparseMatrix,
    Table,
    column_names,
    frame_kind,
    read_table,
)


@dataclass(frozen=True, slots=True, eq=False)
class AlignedRows:
    """Rows in the model's feature order.

    `data` is one float32 or float64 matrix of any strides, a sparse matrix, or a list with one array of (n_rows,) or
    sparse column per feature: float32 or float64 for a number, int32 codes for a category (−1 is missing, the number of
    its labels and above is unseen).
    """

    n_rows: int
    data: NDArray[Any] | SparseMatrix | list[NDArray[Any] | SparseColumn]

    @property
    def is_sparse(self) -> bool:
        """Whether at least half of the columns are sparse."""
        if isinstance(self.data, list):
            return len(self.data) > 0 and 2 * sum(isinstance(c, SparseColumn) for c in self.data) >= len(self.data)
        return isinstance(self.data, SparseMatrix)

    def column(self, feature: int) -> NDArray[Any]:
        """Values or codes of one feature, (n_rows,)."""
        column = self.stored(feature)
        return column.dense() if isinstance(column, SparseColumn) else column

    def stored(self, feature: int) -> NDArray[Any] | SparseColumn:
        """Values or codes of one feature, without making a sparse column dense."""
        if isinstance(self.data, SparseMatrix):
            return self.data.column(feature)
        return self.data[:, feature] if isinstance(self.data, np.ndarray) else self.data[feature]

    def take(self, rows: slice | NDArray[np.integer]) -> "AlignedRows":
        """Some rows, in the order given."""
        n_rows = len(range(self.n_rows)[rows]) if isinstance(rows, slice) else len(rows)
        if isinstance(self.data, list):
            return AlignedRows(n_rows, [column[rows] for column in self.data])
        return AlignedRows(n_rows, self.data[rows])


def align(X: Table | Columns, features: FeatureSchema) -> AlignedRows:
    """Match the columns of a table with the features of a model.

    Columns are matched by name if both sides have names, otherwise by position.

    Parameters
    ----------
    X : Table or Columns
        The rows.
    features : FeatureSchema
        What the model expects.

    Returns
    -------
    AlignedRows

    Raises
    ------
    TableError
        If columns are missing or left over, or a column does not hold what the model expects.

    Examples
    --------
    >>> import numpy as np
    >>> from glasswood.ensemble._align import align
    >>> from glasswood.ensemble._schema import FeatureSchema
    >>> align(np.zeros((3, 2)), FeatureSchema.numeric(["a", "b"])).n_rows
    3
    """
    return align_in_order(X, features)[0]


def align_in_order(X: Table | Columns, features: FeatureSchema) -> tuple[AlignedRows, Sequence[int]]:
    """What `align` returns, and the position in the table of each feature."""
    if features.derivation is not None:
        X = model_table(X, features)
    n_features = len(features.names)
    all_numeric = features.categories.count(None) == n_features
    # predicting single rows must not take time for what only frames need
    if type(X) is np.ndarray and all_numeric and X.ndim == 2 and X.shape[1] == n_features:
        dtype = X.dtype
        if dtype.char in "fd" and dtype.isnative and X.flags.aligned:
            return AlignedRows(X.shape[0], X), range(n_features)
    table = read_table(X)
    order = column_order(table, features)
    if table.matrix is not None and all_numeric and order == range(n_features):
        return AlignedRows(table.n_rows, table.matrix), order
    if table.sparse is not None and all_numeric:  # it has no names, so its columns are in order
        return AlignedRows(table.n_rows, table.sparse), order
    return AlignedRows(table.n_rows, [_feature(table, j, features, k) for k, j in enumerate(order)]), order


def model_table(X: Table | Columns, features: FeatureSchema) -> Table | Columns:
    """The table with the model's features as its columns: X itself unless steps of a pipeline compute some of them.

    A frame whose columns have the names of the features already holds them.
    """
    if features.derivation is None or _names(X) == set(features.names):
        return X
    return features.derivation(X)


def _names(X: Table | Columns) -> set[str]:
    if isinstance(X, Columns):
        return set(X.names or ())
    return set(column_names(X)) if frame_kind(X) is not None else set()


def column_order(table: Columns, features: FeatureSchema) -> Sequence[int]:
    """Position in the table of each feature."""
    n_features = len(features.names)
    if not features.named or table.names is None:
        if table.n_columns != n_features:
            raise TableError(
                f"the model has {n_features} features ({join_names(features.names)}), "
                f"the table has {table.n_columns} columns"
            )
        return range(n_features)
    if table.names == features.names:
        return range(n_features)
    position = features.find(table.names)
    missing = [name for name in features.names if name not in position]
    used = set(position.values())
    extra = [name for j, name in enumerate(table.names) if j not in used]
    if missing or extra:
        raise TableError(_mismatch(missing, extra))
    return [position[name] for name in features.names]


def _mismatch(missing: list[str], extra: list[str]) -> str:
    parts = []
    if missing:
        parts.append(f"the table lacks {join_names([_with_guess(name, extra) for name in missing])}")
    if extra:
        parts.append(f"the model does not know the column{'s' * (len(extra) > 1)} {join_names(map(repr, extra))}")
    advice = "rename, add or drop columns" if missing else "drop them" if len(extra) > 1 else "drop it"
    return "; ".join([*parts, advice])


def _with_guess(name: str, extra: list[str]) -> str:
    folded = {candidate.casefold(): candidate for candidate in extra}
    close = get_close_matches(name.casefold(), folded, n=1)
    return f"{name!r} (did you mean {folded[close[0]]!r}?)" if close else repr(name)


def _feature(table: Columns, j: int, features: FeatureSchema, k: int) -> NDArray[Any] | SparseColumn:
    name, labels = features.names[k], features.categories[k]
    stored = table.stored(j)
    if labels is None:
        return stored if isinstance(stored, SparseColumn) else _numbers(stored, name)
    column = table.column(j) if features.coded[k] else table.category(j)
    if not labels:
        # no level is known, so no split uses the feature; kernels treat a feature without levels as a number
        return np.zeros(len(column.codes if isinstance(column, CategoryColumn) else column))
    hashes = features.hashes[k] if features.hashes else None
    if hashes is not None:
        return codes_of_hashes(column, hashes)
    if features.coded[k]:
        return _given_codes(column, len(labels), name)
    if isinstance(column, CategoryColumn):
        return _codes_of_labels(column, labels)
    return _codes_of_numbers(column, labels, name)


def _numbers(column: Column, name: str) -> NDArray[Any]:
    """Values of a numeric feature."""
    if not isinstance(column, CategoryColumn):
        return column
    if any(isinstance(label, str) for label in column.labels):
        raise TableError(
            f"feature {name!r} holds text but the model splits it as a number; encode it or pass its categories"
        )
    # code −1 selects the last entry
    return np.array([*column.labels, np.nan], dtype=np.float64)[column.codes]


def _codes_of_labels(column: CategoryColumn, labels: tuple[Label, ...]) -> NDArray[np.int32]:
    """Codes of the model for the caller's labels."""
    if column.labels == labels:
        return column.codes
    position = {label: code for code, label in enumerate(labels)}
    moved = [position.get(label, len(labels)) for label in column.labels]
    # code −1 selects the last entry
    codes: NDArray[np.int32] = np.array([*moved, -1], dtype=np.int32)[column.codes]
    return codes


def _codes_of_numbers(values: NDArray[Any], labels: tuple[Label, ...], name: str) -> NDArray[np.int32]:
    """Codes of the model for numbers, which are looked up among its labels."""
    unseen = len(labels)
    if all(isinstance(label, int) for label in labels):
        # libraries disagree on 5.7 among whole numbers (LightGBM truncates it to 5), so it is refused
        _refuse_fractions(values, name)
    numbers = [(float(label), code) for code, label in enumerate(labels) if _is_float(label)]
    # an infinite sentinel keeps the search in range; its code is unseen unless the model knows infinity
    numbers.append((np.inf, unseen))
    numbers.sort()
    known = np.array([number for number, _ in numbers])
    code = np.array([code for _, code in numbers], dtype=np.int32)
    place = np.minimum(np.searchsorted(known, values), len(known) - 1)
    out = np.where(known[place] == values, code[place], np.int32(unseen))
    out[np.isnan(values)] = -1
    return out


def _is_float(label: Label) -> bool:
    """Whether a float64 can equal the label; text and integers that float64 rounds cannot."""
    try:
        return not isinstance(label, str) and float(label) == label
    except OverflowError:
        return False


def _given_codes(column: Column, n_levels: int, name: str) -> NDArray[np.int32]:
    """Codes of a feature whose labels the model did not keep: those of the caller's category dtype."""
    if isinstance(column, CategoryColumn):
        if not column.declared and column.labels:
            raise TableError(
                f"feature {name!r} holds text but the model kept only the codes of its categories; "
                "give it as a pandas category or polars Enum, with the categories of the training table in their order"
            )
        return column.codes
    _refuse_fractions(column, name)
    # a negative number is not a category the model knows; in a category dtype, handled above, −1 is missing
    known = np.where(column < 0, n_levels, np.minimum(column, n_levels))
    return np.where(np.isnan(column), -1, known).astype(np.int32)


def _refuse_fractions(column: NDArray[Any], name: str) -> None:
    wrong = np.isinf(column) | (~np.isnan(column) & (np.floor(column) != column))
    if wrong.any():
        row = int(wrong.argmax())
        raise TableError(f"feature {name!r} must hold categories, found {column[row]} in row {row}; give whole numbers")
