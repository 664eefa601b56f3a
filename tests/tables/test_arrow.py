"""Features that only Arrow has."""

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


def test_a_reader_of_batches_is_a_table():
    table = pa.table({"a": [1.5, 2.5], "t": ["x", None]})
    read = read_table(table.to_reader(max_chunksize=1))
    assert read.names == ("a", "t")
    assert read.column(0).tolist() == [1.5, 2.5]
    assert read.column(1).codes.tolist() == [0, -1]


def test_a_slice_of_a_dictionary_array_starts_at_its_offset():
    array = pa.array(["a", "b", "c", None]).dictionary_encode().slice(1)
    column = read_table(pa.table({"x": array, "f": [1.0, 2.0, 3.0]})).column(0)
    assert [None if code < 0 else column.labels[code] for code in column.codes] == ["b", "c", None]
