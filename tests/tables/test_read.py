"""Every kind of table gives the same Columns."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.tables import read_table
from tests.tables.examples import FROM_ARROW, plain_table

number = st.one_of(st.none(), st.floats(allow_nan=False, width=32))


whole = st.one_of(st.none(), st.integers(-5, 5))


text = st.one_of(st.none(), st.text("abc", max_size=2))


@settings(max_examples=40)
@given(rows=st.lists(st.tuples(number, whole, text), min_size=1, max_size=8))
def test_the_same_table_in_every_kind_gives_the_same_columns(rows):
    columns = {name: [row[j] for row in rows] for j, name in enumerate("fit")}
    schema = pa.schema({"f": pa.float64(), "i": pa.int64(), "t": pa.string()})
    table = pa.table(columns, schema=schema)
    expected = plain_table(read_table(table))
    nullable = table.to_pandas().astype({"f": "Float64", "i": "Int64", "t": "string"})
    object_frame = pd.DataFrame(columns, dtype=object).astype({"f": float})
    for X in (nullable, object_frame, *(convert(table) for convert in FROM_ARROW.values())):
        found = plain_table(read_table(X))
        if all(value is None for value in columns["t"]):
            # a column of only None has no dtype in an object frame, so it is read as numbers
            found, wanted = (found[:2], found[2][:2]), (expected[:2], expected[2][:2])
        else:
            wanted = expected
        assert found == wanted


@settings(max_examples=30)
@given(rows=st.lists(st.tuples(number, number), min_size=1, max_size=8), dtype=st.sampled_from(["f4", "f8"]))
def test_the_same_matrix_in_every_kind_gives_the_same_numbers(rows, dtype):
    X = np.array(rows, dtype=dtype)
    table = pa.table({"a": X[:, 0].copy(), "b": X[:, 1].copy()})
    kinds = [X, pd.DataFrame(X), X.tolist(), np.asfortranarray(X)]
    for given_X in kinds + [convert(table) for convert in FROM_ARROW.values()]:
        found = read_table(given_X)
        assert np.array_equal(found.column(0), X[:, 0], equal_nan=True)
        assert np.array_equal(found.column(1), X[:, 1], equal_nan=True)


def test_importing_the_room_loads_no_heavy_library():
    heavy = {"pandas", "polars", "pyarrow", "sklearn", "matplotlib", "scipy"}
    script = (
        "import sys, numpy as np, glasswood.tables as t\n"
        "t.read_table(np.zeros((2, 2))); t.read_vector([1, 2], 2); t.read_table([[1, 'a']])\n"
        f"print(sorted({heavy!r} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
