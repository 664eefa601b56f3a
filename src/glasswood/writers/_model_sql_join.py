"""A model as one SELECT that joins the rows to a table of nodes and walks down every tree; NULL is missing."""

from collections.abc import Iterator

from glasswood.ensemble import ZERO, Ensemble
from glasswood.errors import OptionError
from glasswood.writers._model_tables import ModelTables, model_tables
from glasswood.writers._sql_dialect import Dialect, dialect_of
from glasswood.writers._sql_names import TableName, free_name, raw_names, table_parts, table_sql

MISSING, UNSEEN, FIRST_LEVEL = 1, 2, 3  # places in the text that says what goes left
TABLES = ("nodes", "trees", "given_rows", "inputs", "walk", "total")  # of WITH
ROW = "glasswood row"  # the number of a row, where there is no key


def join_sql(ensemble: Ensemble, table: TableName = "rows", dialect: str = "sqlite", key: str | None = None) -> str:
    """SELECT with all columns of a table and raw of every output, summed over the leaves that a row reaches.

    Each baseline is written as a tree of one leaf that comes first, so an ordered sum adds up as the ensemble does.
    """
    tables, sql = model_tables(ensemble), dialect_of(dialect)
    if key is None and not sql.keeps_tables:
        raise OptionError(f"form 'join' needs key, a column that identifies a row, because {dialect} may number twice")
    if key is not None and key.casefold() in {name.casefold() for name in ensemble.feature_names}:
        raise OptionError(f"key names the feature {key!r}; it must be a column that identifies a row")
    used = sorted({feature for feature in tables.feature if feature >= 0})
    width = ensemble.value.shape[1]
    values = tuple(f"value_{j}" for j in range(width))
    row_name = free_name(ROW, ensemble.feature_names) if key is None else key
    names = raw_names(ensemble.outputs, ensemble.feature_names, row_name)
    sums = [f"{_sum(sql, width, ensemble.n_outputs, output)} AS raw_{output}" for output in range(len(names))]
    found = ", ".join(f"total.raw_{output} AS {sql.quote(name)}" for output, name in enumerate(names))
    row = sql.quote(row_name)
    numbered = f"SELECT *, ROW_NUMBER() OVER () AS {row}" if key is None else "SELECT *"
    inputs = "".join(f",\n    {_input(tables, sql, feature)} AS x_{feature}" for feature in used)
    nodes = ("node", "feature", "threshold", "passes", "low", "high", *values)
    # a table of WITH hides one of the database that has its name
    own = {name: free_name(name, table_parts(table)[-1:]) for name in TABLES}
    return f"""WITH RECURSIVE {own["nodes"]}{sql.table(nodes, list(_nodes(tables, sql, ensemble)))},
{own["trees"]}{sql.table(("tree", "root", "output"), list(_trees(tables, ensemble)))},
{own["given_rows"]} AS ({numbered} FROM {table_sql(sql, table)}),
{own["inputs"]} AS (
  SELECT {row} AS row_id{inputs}
  FROM {own["given_rows"]}
),
{own["walk"]} AS (
  SELECT inputs.row_id, trees.tree, trees.output, trees.root AS node
  FROM {own["inputs"]} AS inputs CROSS JOIN {own["trees"]} AS trees
  UNION ALL
  SELECT walk.row_id, walk.tree, walk.output,
    CASE WHEN {_goes_left(tables, used)} THEN nodes.low ELSE nodes.high END
  FROM {own["walk"]} AS walk JOIN {own["nodes"]} AS nodes ON nodes.node = walk.node
    JOIN {own["inputs"]} AS inputs ON inputs.row_id = walk.row_id
  WHERE nodes.feature >= 0
),
{own["total"]} AS (
  SELECT walk.row_id, {", ".join(sums)}
  FROM {own["walk"]} AS walk
    JOIN (SELECT node, {", ".join(values)} FROM {own["nodes"]} WHERE feature < 0) AS leaves ON leaves.node = walk.node
  GROUP BY walk.row_id
)
SELECT given_rows.*, {found}
FROM {own["given_rows"]} AS given_rows JOIN {own["total"]} AS total ON total.row_id = given_rows.{row}
"""


def _sum(sql: Dialect, width: int, n_outputs: int, output: int) -> str:
    """Sum of what the leaves add to an output; a tree adds to as many outputs as its leaves have values."""
    if width == n_outputs:
        value = f"leaves.value_{output}"
    else:
        cases = " ".join(f"WHEN {output - j} THEN leaves.value_{j}" for j in range(width))
        value = f"CASE walk.output {cases} END"
    return f"SUM({value}{' ORDER BY walk.tree' if sql.ordered_sums else ''})"


def _input(tables: ModelTables, sql: Dialect, feature: int) -> str:
    """A number as a double, a level as its place in the texts of the nodes."""
    name, levels = sql.quote(tables.names[feature]), tables.levels[feature]
    if levels is None:
        number = f"CAST({name} AS {sql.double_type})"
        if tables.zero_is_missing[feature]:
            return f"CASE WHEN ABS({name}) > {sql.number(ZERO)} THEN {number} END"
        return number
    known = (f"WHEN {sql.literal(level)} THEN {code + FIRST_LEVEL}" for code, level in enumerate(levels))
    return f"CASE WHEN {name} IS NULL THEN {MISSING} ELSE CASE {name} {' '.join(known)} ELSE {UNSEEN} END END"


def _goes_left(tables: ModelTables, used: list[int]) -> str:
    """A number is compared, everything else is looked up; a missing number has place 1."""
    numbers = [f"WHEN {j} THEN inputs.x_{j}" for j in used if tables.levels[j] is None]
    places = [f"WHEN {j} THEN inputs.x_{j}" for j in used if tables.levels[j] is not None]
    place = f"CASE nodes.feature {' '.join(places)} ELSE {MISSING} END" if places else str(MISSING)
    looked_up = f"SUBSTR(nodes.passes, {place}, 1) = '1'"
    if not numbers:
        return looked_up
    return f"COALESCE(CASE nodes.feature {' '.join(numbers)} END <= nodes.threshold, {looked_up})"


def _nodes(tables: ModelTables, sql: Dialect, ensemble: Ensemble) -> Iterator[str]:
    """Lines of the table of nodes; after the trees one leaf for the baseline, of every output if they are apart."""
    zeros = [0.0] * ensemble.value.shape[1]
    for node, feature in enumerate(tables.feature):
        values = ", ".join(map(sql.number, tables.value[node] if feature < 0 else zeros))
        if feature < 0:
            yield f"{node}, -1, {sql.number(0.0)}, '', {node}, {node}, {values}"
            continue
        threshold = sql.number(0.0 if tables.levels[feature] is not None else tables.threshold[node])
        passes = _passes(tables, node)
        yield f"{node}, {feature}, {threshold}, '{passes}', {tables.left[node]}, {tables.right[node]}, {values}"
    for j, baseline in enumerate(_baselines(ensemble)):
        node = len(tables.feature) + j
        yield f"{node}, -1, {sql.number(0.0)}, '', {node}, {node}, {', '.join(map(sql.number, baseline))}"


def _passes(tables: ModelTables, node: int) -> str:
    """What goes left, as digits: a missing value, an unseen level, then every level by its code."""
    missing, levels = "01"[tables.missing_left[node]], tables.levels[tables.feature[node]]
    if levels is None:
        return missing
    members = set(tables.members[node])
    return missing + "01"[tables.unseen_left[node]] + "".join("01"[code in members] for code in range(len(levels)))


def _trees(tables: ModelTables, ensemble: Ensemble) -> Iterator[str]:
    width, n_baselines = ensemble.value.shape[1], len(_baselines(ensemble))
    for j in range(n_baselines):
        yield f"{j}, {len(tables.feature) + j}, {j * width}"
    for tree, (root, first) in enumerate(zip(tables.root, tables.first_output, strict=True)):
        yield f"{n_baselines + tree}, {root}, {first}"


def _baselines(ensemble: Ensemble) -> list[list[float]]:
    """The baseline in pieces as wide as a leaf."""
    baseline, width = [float(number) for number in ensemble.baseline], ensemble.value.shape[1]
    padded = baseline + [0.0] * (-len(baseline) % width)
    return [padded[start : start + width] for start in range(0, len(padded), width)]
