"""Writers: rules and models as code that runs without this package."""

from glasswood.writers._model_c import model_c
from glasswood.writers._model_python import model_python
from glasswood.writers._model_sql import model_sql
from glasswood.writers._rules_python import condition_python, rule_python, rules_python
from glasswood.writers._rules_sql import condition_sql, rule_sql, rules_sql
from glasswood.writers._sql_text import quoted, sql_literal

__all__ = [
    "condition_python",
    "condition_sql",
    "model_c",
    "model_python",
    "model_sql",
    "quoted",
    "rule_python",
    "rule_sql",
    "rules_python",
    "rules_sql",
    "sql_literal",
]
