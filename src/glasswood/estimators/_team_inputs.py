"""Team inputs: what the parts of a table must share: columns, levels, dtypes, classes, row numbers and arguments."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import AlignedRows, FeatureSchema
from glasswood.errors import OptionError, TableError
from glasswood.estimators._parted_table import PartedTraining
from glasswood.tables import CategoryColumn, Columns, SparseColumn, check_some_weight, label_key
from glasswood.team import Exchange, add_up, agree, gather_arrays, gather_json, memory_of
from glasswood.train import PartedRows, TrainingTable, check_levels

_MAX_RUNS = 10_000  # of row numbers that a member tells the others


def shared_table(team: Exchange, table: Columns) -> TrainingTable:
    """The rows of this member, with the features of all members: levels are united, numbers have one dtype."""
    agree(team, lambda: _refuse_sparse(table))
    features, wanted = _united_features(gather_json(team, _part_description(table)))
    return TrainingTable(features, _part_rows(table, wanted))


def shared_parts(team: Exchange, read: Callable[[int], Columns], n_rows: Sequence[int]) -> PartedTraining:
    """The same of rows in several parts, which are read one after the other."""

    def describe() -> list[dict[str, Any]]:
        return [_part_description(_dense(read(k))) for k in range(len(n_rows))]

    told = gather_json(team, agree(team, describe))
    features, wanted = _united_features([part for parts in told for part in parts])
    rows = PartedRows.of(n_rows, lambda k: _part_rows(read(k), wanted), _no_rows(wanted))
    return PartedTraining(features, rows)


def _united_features(parts: list[dict[str, Any]]) -> tuple[FeatureSchema, list[tuple[str | None, tuple[Any, ...]]]]:
    """The features of all parts, and how the numbers or levels of each are kept."""
    filled = [(rank, part) for rank, part in enumerate(parts) if part["n"]]
    if not filled:
        raise TableError("no member of the team has a row")
    first, kept = filled[0]
    for rank, part in filled:
        if part["names"] != kept["names"]:
            raise TableError(f"part {rank} has the columns {part['names']}, part {first} has {kept['names']}")
    wanted = [_united(name, [(r, part["columns"][j]) for r, part in filled]) for j, name in enumerate(kept["names"])]
    n = len(wanted)
    features = FeatureSchema(
        names=tuple(kept["names"]),
        named=kept["named"],
        categories=tuple(labels if dtype is None else None for dtype, labels in wanted),
        coded=np.zeros(n, dtype=bool),
        missing_routed=np.ones(n, dtype=bool),
        zero_is_missing=np.zeros(n, dtype=bool),
    )
    check_levels(features)
    return features, wanted


def _part_description(table: Columns) -> dict[str, Any]:
    names = list(FeatureSchema.positions(table.n_columns) if table.names is None else table.names)
    columns = [_description(table.column(j)) for j in range(table.n_columns)]
    return {"names": names, "named": table.names is not None, "n": table.n_rows, "columns": columns}


def _part_rows(table: Columns, wanted: list[tuple[str | None, tuple[Any, ...]]]) -> AlignedRows:
    if not table.n_rows:
        return _no_rows(wanted)
    if table.matrix is not None and all(dtype == table.matrix.dtype.str for dtype, _ in wanted):
        return AlignedRows(table.n_rows, table.matrix)
    columns = [table.column(j) for j in range(table.n_columns)]
    return AlignedRows(table.n_rows, [_values(*pair) for pair in zip(columns, wanted, strict=True)])


def _no_rows(wanted: list[tuple[str | None, tuple[Any, ...]]]) -> AlignedRows:
    return AlignedRows(0, [np.empty(0, dtype=dtype or np.int32) for dtype, _ in wanted])


def _dense(table: Columns) -> Columns:
    _refuse_sparse(table)
    return table


def shared_classes(team: Exchange, values: NDArray[Any]) -> NDArray[Any]:
    """Sorted classes of all members."""
    own = np.unique(values)
    parts = gather_json(team, [own.dtype.str, own.tolist()])
    found = [np.array(labels, dtype=dtype) for dtype, labels in parts if labels]
    if len({labels.dtype.kind in "OU" for labels in found}) > 1:
        raise TableError("y mixes text and numbers: the parts of the team differ")
    return np.unique(np.concatenate(found)) if found else own


def shared_row_id(team: Exchange, row_id: NDArray[np.int64], n_rows: int, given: bool) -> NDArray[np.int64]:
    """Numbers of the rows: those given, which must differ over all members, else positions, member after member."""
    counts = np.concatenate(gather_arrays(team, np.array([n_rows]))).tolist()
    with_numbers = [rank for rank, has in enumerate(gather_json(team, given)) if has and counts[rank]]
    if not with_numbers:
        before = sum(counts[: team.rank])
        return np.arange(before, before + n_rows, dtype=np.int64)
    if len(with_numbers) < sum(n > 0 for n in counts):
        raise TableError("some parts have a row_id and some have none; give it for all or for none")
    if _are_distinct_runs(team, row_id):
        return row_id
    owner = row_id % team.size
    dealt = team.swap([memory_of(row_id[owner == rank]) for rank in range(team.size)])
    seen = np.concatenate([np.frombuffer(part, dtype=np.int64) for part in dealt])
    distinct, count = np.unique(seen, return_counts=True)

    def refuse_twins() -> None:
        if len(distinct) < len(seen):
            twin = distinct[count.argmax()]
            raise TableError(f"row_id must differ from row to row; {twin} stands for {count.max()} rows")

    agree(team, refuse_twins)
    return row_id


def _are_distinct_runs(team: Exchange, row_id: NDArray[np.int64]) -> bool:
    """Whether the numbers of all members are few runs of neighbours, each of which begins where no other one is.

    That is mostly so, and much less to look at than all numbers.
    """
    cuts = np.flatnonzero(np.diff(row_id) != 1) if len(row_id) else np.empty(0, dtype=np.int64)
    first = row_id[np.concatenate([[0], cuts + 1])] if len(row_id) else row_id
    last = row_id[np.append(cuts, len(row_id) - 1)] if len(row_id) else row_id
    if add_up(team, [len(first) > _MAX_RUNS])[0]:
        return False
    runs = np.concatenate(gather_arrays(team, np.column_stack([first, last]).ravel())).reshape(-1, 2)
    runs = runs[np.argsort(runs[:, 0], kind="stable")]
    return bool(np.all(runs[:, 0] <= runs[:, 1]) and np.all(runs[1:, 0] > runs[:-1, 1]))


def check_same_arguments(team: Exchange, options: str, n_rows: int, given: dict[str, bool]) -> None:
    """Raise if the members fit with different options, or only some give an argument."""
    parts = gather_json(team, {"options": options, "n": n_rows, "given": given})
    for rank, part in enumerate(parts):
        if part["options"] != parts[0]["options"]:
            raise OptionError(f"part {rank} is fitted with {part['options']}, part 0 with {parts[0]['options']}")
    filled = [(rank, part["given"]) for rank, part in enumerate(parts) if part["n"]]
    for rank, theirs in filled:
        for name, has in theirs.items():
            if has != filled[0][1].get(name):
                having, lacking = (rank, filled[0][0]) if has else (filled[0][0], rank)
                raise TableError(f"part {having} has {name}, part {lacking} has none; give it for all or for none")


def check_weights_count(team: Exchange, weight: NDArray[np.float64]) -> None:
    """Raise `TableError` if there are weights and all are 0."""
    n_given, n_counted = add_up(team, [len(weight), np.count_nonzero(weight)])
    if n_given:
        check_some_weight(n_counted)


def _refuse_sparse(table: Columns) -> None:
    if table.sparse is not None or any(isinstance(column, SparseColumn) for column in table.columns):
        raise TableError("a team takes no sparse tables yet; give dense parts, or fit in one process")


def _description(column: Any) -> dict[str, Any]:
    if isinstance(column, CategoryColumn):
        used = [column.labels[code] for code in np.unique(column.codes).tolist() if code >= 0]
        return {"labels": list(column.labels), "used": used, "declared": column.declared}
    # mostly the first value tells: a look at all of them costs as much as making bins
    return {"dtype": column.dtype.str, "missing": bool(np.isnan(column[:1]).all() and np.isnan(column).all())}


def _united(name: str, parts: list[tuple[int, dict[str, Any]]]) -> tuple[str | None, tuple[Any, ...]]:
    """The dtype of a number, or None and the levels of a category."""
    levels = [(rank, part) for rank, part in parts if "labels" in part]
    numbers = [(rank, part) for rank, part in parts if "dtype" in part]
    # a part without any value may look like either
    if all(not part["labels"] and not part["declared"] for _, part in levels) and numbers:
        return np.result_type(*(np.dtype(part["dtype"]) for _, part in numbers)).str, ()
    for rank, part in numbers:
        if not part["missing"] and levels:
            raise TableError(f"column {name!r} holds numbers in part {rank} and categories in part {levels[0][0]}")
    lists = [tuple(part["labels"]) for _, part in levels]
    if all(part["declared"] for _, part in levels) and len(set(lists)) == 1:
        return None, lists[0]
    # as in a joined table, whose column is text then
    return None, tuple(sorted({label for _, part in levels for label in part["used"]}, key=label_key))


def _values(column: Any, wanted: tuple[str | None, tuple[Any, ...]]) -> NDArray[Any]:
    dtype, labels = wanted
    if dtype is not None:
        if isinstance(column, CategoryColumn):
            return np.full(len(column.codes), np.nan, dtype=dtype)
        return np.asarray(column, dtype=dtype)
    if not isinstance(column, CategoryColumn):
        return np.full(len(column), -1, dtype=np.int32)
    if column.labels == labels:
        return column.codes
    position = {label: code for code, label in enumerate(labels)}
    # code −1 selects the last entry
    codes: NDArray[np.int32] = np.array([*(position.get(label, -1) for label in column.labels), -1], dtype=np.int32)
    return codes[column.codes]
