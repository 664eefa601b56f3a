"""A model as one SELECT, over columns named like the features; NULL is missing.

Small models are nested CASEs. Large ones would be too deep for databases, and slow to plan: they are a table of nodes
that is joined to the rows.
"""

import math
import sys

from glasswood._checks import check_choice
from glasswood.ensemble import ZERO, Ensemble, Label, node_depths
from glasswood.errors import OptionError
from glasswood.writers._model_sql_join import join_sql
from glasswood.writers._model_tables import ModelTables, model_tables
from glasswood.writers._sql_dialect import Dialect, dialect_of
from glasswood.writers._sql_names import TableName, raw_names, table_sql

FORMS = ("auto", "case", "join")
MOST_TREES, MOST_NODES = 900, 20_000  # of a SELECT with CASEs; databases take expressions up to 1,000 deep


def model_sql(
    ensemble: Ensemble, table: TableName = "rows", dialect: str = "sqlite", form: str = "auto", key: str | None = None
) -> str:
    """SELECT with all columns of a table and raw of every output, under the names that `raw_names` gives."""
    check_choice("form", form, FORMS)
    if sql_form(ensemble, dialect, form, key) == "join":
        return join_sql(ensemble, table, dialect, key)
    if key is not None and form == "case":
        raise OptionError("key belongs to form 'join'; leave it out for 'case'")
    return case_sql(ensemble, table, dialect, key)


def sql_form(ensemble: Ensemble, dialect: str, form: str, key: str | None) -> str:
    """The form that is written: CASEs, unless there are too many and the rows can be told apart."""
    if form != "auto":
        return form
    large = ensemble.n_trees > MOST_TREES or ensemble.n_nodes * ensemble.value.shape[1] > MOST_NODES
    sql = dialect_of(dialect)
    deep = int(node_depths(ensemble).max(initial=0)) > sql.most_cases
    return "join" if (large or deep) and (key is not None or sql.keeps_tables) else "case"


def case_sql(ensemble: Ensemble, table: TableName = "rows", dialect: str = "sqlite", key: str | None = None) -> str:
    """Nested CASEs that are added in order."""
    tables, sql = model_tables(ensemble), dialect_of(dialect)
    parts = []
    for output, alias in enumerate(raw_names(ensemble.outputs, tables.names, key)):
        terms = [sql.number(tables.baseline[output])]
        for root, first in zip(tables.root, tables.first_output, strict=True):
            if first <= output < first + ensemble.value.shape[1]:
                terms.append(_tree(tables, sql, root, output - first))
        parts.append("\n  " + "\n  + ".join(terms) + f" AS {sql.quote(alias)}")
    return f"SELECT *,{','.join(parts)}\nFROM {table_sql(sql, table)}\n"


def _tree(tables: ModelTables, sql: Dialect, root: int, column: int) -> str:
    """Nested CASE of a tree, from its last node to its first: a child comes after its parent."""
    end = min((other for other in tables.root if other > root), default=len(tables.feature))
    text: dict[int, str] = {}
    for node in reversed(range(root, end)):
        if tables.feature[node] < 0:
            text[node] = sql.number(tables.value[node][column])
        else:
            left, right = text.pop(tables.left[node]), text.pop(tables.right[node])
            text[node] = f"CASE WHEN {_goes_left(tables, sql, node)} THEN {left} ELSE {right} END"
    return text[root]


def _goes_left(tables: ModelTables, sql: Dialect, node: int) -> str:
    feature = tables.feature[node]
    name, levels = sql.quote(tables.names[feature]), tables.levels[feature]
    absent = f"{name} IS NULL"
    if levels is None:
        inside = _at_most(sql, name, tables.threshold[node])
        if tables.zero_is_missing[feature]:
            absent = f"({absent} OR ABS({name}) <= {sql.number(ZERO)})"
            inside = f"({inside} AND ABS({name}) > {sql.number(ZERO)})"
    else:
        inside = _in_set(sql, name, levels, tables.members[node], tables.unseen_left[node])
    return f"({inside} OR {absent})" if tables.missing_left[node] else inside


def _at_most(sql: Dialect, name: str, threshold: float) -> str:
    if math.isinf(threshold):
        return f"{name} IS NOT NULL" if threshold > 0 else f"{name} < {sql.number(-sys.float_info.max)}"
    return f"{name} <= {sql.number(threshold)}"


def _in_set(sql: Dialect, name: str, levels: tuple[Label, ...], members: tuple[int, ...], unseen_left: bool) -> str:
    chosen = [level for code, level in enumerate(levels) if (code in members) != unseen_left]
    if not chosen:
        return f"{name} IS NOT NULL" if unseen_left else "1 = 0"
    return f"{name} {'NOT ' * unseen_left}IN ({', '.join(map(sql.literal, chosen))})"
