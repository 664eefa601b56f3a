"""Rules in SQL, over columns named like the features; NULL counts as missing, NaN does not."""

import math

from glasswood.ensemble import ZERO
from glasswood.writers._rule_list import AnyCondition, AnyRule, RuleList
from glasswood.writers._sql_text import quoted, sql_literal


def rules_sql(found: RuleList, output: int) -> str:
    """Expression for the prediction of one output."""
    start = float(found.intercept[output])
    parts = [sql_literal(start)] if start or not found.rules else []
    for rule in found.rules:
        then, otherwise = (sql_literal(float(rule.coefficient * v[output])) for v in (rule.inside, rule.outside))
        parts.append(f"CASE WHEN {rule_sql(rule)} THEN {then} ELSE {otherwise} END")
    return "(" + "\n + ".join(parts) + ")"


def rule_sql(rule: AnyRule) -> str:
    """The conditions of a rule."""
    return " AND ".join(map(condition_sql, rule.conditions))


def condition_sql(condition: AnyCondition) -> str:
    """One condition.

    Examples
    --------
    >>> from glasswood.writers import condition_sql
    >>> from glasswood.results import Condition
    >>> condition_sql(Condition(feature="age", upper=9.5, missing=True))
    '("age" <= 9.5 OR "age" IS NULL)'
    """
    name = quoted(condition.feature)
    absent = f"{name} IS NULL"
    if condition.zero_is_missing:
        absent = f"({absent} OR ABS({name}) <= {ZERO!r})"
    if not condition.present:
        return absent
    inside = _inside(condition, name)
    if condition.missing:
        return f"({inside} OR {absent})"
    return f"{inside} AND ABS({name}) > {ZERO!r}" if condition.zero_is_missing else inside


def _inside(condition: AnyCondition, name: str) -> str:
    parts = []
    if condition.levels is not None:
        parts.append(f"{name} IN ({', '.join(map(sql_literal, condition.levels))})")
    if condition.lower > -math.inf:
        parts.append(f"{name} > {sql_literal(condition.lower)}")
    if condition.upper < math.inf:
        parts.append(f"{name} <= {sql_literal(condition.upper)}")
    return " AND ".join(parts) or f"{name} IS NOT NULL"
