"""Names in a SELECT that no feature and no table has."""

import pytest

import glasswood as gw
from glasswood.writers import dialect_of, free_name, raw_names, table_sql


def test_a_taken_name_gets_a_number() -> None:
    assert free_name("raw", ["a"]) == "raw"
    assert free_name("raw", ["RAW", "raw_2"]) == "raw_3"
    assert raw_names(["y"], ["a", "Raw"]) == ["raw_2"]
    assert raw_names(["A", "a"], ["x"], "raw_b") == ["raw_A", "raw_a_2"]
    assert raw_names(["y"], ["a"], "RAW") == ["raw_2"]


def test_the_parts_of_a_table_are_quoted_one_by_one() -> None:
    assert table_sql(dialect_of("duckdb"), "s.t") == '"s.t"'
    assert table_sql(dialect_of("duckdb"), ("s", "t")) == '"s"."t"'
    assert table_sql(dialect_of("bigquery"), ["p", "s", "t"]) == "`p`.`s`.`t`"
    for bad in ((), ("a", ""), ("a", "b", "c", "d"), ("a", 3)):
        with pytest.raises(gw.OptionError, match="table must be a name, or up to three"):
            table_sql(dialect_of("duckdb"), bad)
