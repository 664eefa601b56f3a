"""Names and values in SQL."""

import numpy as np

from glasswood.writers import quoted, sql_literal


def test_names_and_text_are_quoted() -> None:
    assert quoted('a "b"') == '"a ""b"""'
    assert sql_literal("O'Hara") == "'O''Hara'"
    assert [sql_literal(v) for v in (True, 2.0, 0.1, np.inf)] == ["TRUE", "2", "0.1", "9e999"]
