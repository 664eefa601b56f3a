"""Export: rules as code that runs without this package."""

from glasswood.export._rules_python import condition_python, rule_python, rules_python
from glasswood.export._rules_sql import condition_sql, rule_sql, rules_sql
from glasswood.export._sql_text import quoted, sql_literal

__all__ = [
    "condition_python",
    "condition_sql",
    "quoted",
    "rule_python",
    "rule_sql",
    "rules_python",
    "rules_sql",
    "sql_literal",
]
