"""What only Arrow has."""

import pyarrow as pa

from glasswood.tables import read_table


def test_dictionaries_of_several_chunks_are_merged():
    chunks = pa.chunked_array(
        [pa.array(["a", "b"]).dictionary_encode(), pa.array(["c", None, "b"]).dictionary_encode()]
    )
    column = read_table(pa.table({"x": chunks})).column(0)
    assert column.labels == ("a", "b", "c")
    assert column.codes.tolist() == [0, 1, 2, -1, 1]


def test_a_null_or_repeated_dictionary_entry_is_folded():
    array = pa.DictionaryArray.from_arrays([0, 1, 2, 3], ["a", None, "a", "b"])
    column = read_table(pa.table({"x": array})).column(0)
    assert column.labels == ("a", "b")
    assert column.codes.tolist() == [0, -1, 0, 1]
