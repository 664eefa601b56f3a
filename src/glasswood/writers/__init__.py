"""Writers: rules and models as code that runs without this package."""

from glasswood.writers._model_c import model_c, model_h
from glasswood.writers._model_onnx import model_onnx
from glasswood.writers._model_python import model_python
from glasswood.writers._model_sql import FORMS, model_sql, sql_form
from glasswood.writers._protobuf import (
    BYTES,
    FIXED32,
    FIXED64,
    VARINT,
    field_key,
    put_bytes,
    put_floats,
    put_integer,
    put_integers,
    varint,
)
from glasswood.writers._rules_python import condition_python, rule_python, rules_python
from glasswood.writers._rules_sql import condition_sql, rule_sql, rules_sql
from glasswood.writers._sql_dialect import DIALECTS, Dialect, dialect_of
from glasswood.writers._sql_names import TableName, free_name, raw_names, table_parts, table_sql
from glasswood.writers._sql_text import quoted, sql_literal
from glasswood.writers._xlsx import xlsx_file
from glasswood.writers._zip_map import PROBABILITIES, class_keys

__all__ = [
    "BYTES",
    "DIALECTS",
    "FIXED32",
    "FIXED64",
    "FORMS",
    "PROBABILITIES",
    "VARINT",
    "Dialect",
    "TableName",
    "class_keys",
    "condition_python",
    "condition_sql",
    "dialect_of",
    "field_key",
    "free_name",
    "model_c",
    "model_h",
    "model_onnx",
    "model_python",
    "model_sql",
    "put_bytes",
    "put_floats",
    "put_integer",
    "put_integers",
    "quoted",
    "raw_names",
    "rule_python",
    "rule_sql",
    "rules_python",
    "rules_sql",
    "sql_form",
    "sql_literal",
    "table_parts",
    "table_sql",
    "varint",
    "xlsx_file",
]
