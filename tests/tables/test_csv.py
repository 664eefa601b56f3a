"""CSV: missing cells, types of columns, and refusals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from glasswood.errors import TableError
from glasswood.tables import make_frame, read_csv, read_table


def test_columns_are_whole_numbers_numbers_truth_values_or_text() -> None:
    found = read_csv(b"a,b,c,d\n1,1.5,true,x\n2,-3e2,False,7\n")
    assert found["a"].dtype == np.int64 and found["a"].tolist() == [1, 2]
    assert found["b"].tolist() == [1.5, -300.0]
    assert found["c"].dtype == bool and found["c"].tolist() == [True, False]
    assert found["d"] == ["x", "7"]


@pytest.mark.parametrize("word", ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "None", "<NA>", " NA "])
def test_words_for_missing(word: str) -> None:
    found = read_csv(f"a,b\n1,x\n{word},{word}\n".encode())
    assert np.isnan(found["a"][1]) and found["b"] == ["x", None]


def test_text_keeps_its_spaces_and_quotes() -> None:
    found = read_csv(b'name\n" Ann, ""A"""\n"two\nlines"\n')
    assert found["name"] == [' Ann, "A"', "two\nlines"]


def test_levels_a_model_knows_keep_a_column_text() -> None:
    content = b"zip,state\n01234,NA\n99999,CA\nNA,\n"
    found = read_csv(content, levels={"zip": ("01234", "99999"), "state": ("CA", "NA")})
    assert found == {"zip": ["01234", "99999", None], "state": ["NA", "CA", None]}


def test_numbers_as_levels_stay_numbers() -> None:
    assert read_csv(b"a\n1\n2\n", levels={"a": (1, 2)})["a"].tolist() == [1, 2]


def test_a_category_without_known_levels_is_text_as_it_stands() -> None:
    assert read_csv(b'a\n1\nNA\n""\n', levels={"a": ()})["a"] == ["1", "NA", None]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_header_tells_the_delimiter(delimiter: str) -> None:
    text = "a,b,c\r\n1,2,x\r\n".replace(",", delimiter)
    assert list(read_csv(text.encode())) == ["a", "b", "c"]


def test_a_byte_order_mark_is_not_part_of_a_name() -> None:
    assert list(read_csv("\ufeffa\n1\n".encode())) == ["a"]


def test_no_rows_give_empty_columns_and_one_column_is_enough() -> None:
    assert len(read_csv(b"a,b\n")["a"]) == 0
    assert read_csv(b"a\n1")["a"].tolist() == [1]


def test_large_whole_numbers_become_floats_and_underscores_text() -> None:
    assert read_csv(b"a\n99999999999999999999\n")["a"].tolist() == [1e20]
    assert read_csv(b"a\n1_000\n")["a"] == ["1_000"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"a,b\n1,2\n1,2,3\n", "line 3: 3 cells for 2 columns"),
        (b"a,a\n1,2\n", "'a' more than once"),
        (b"a\n\xff\n", "line 2 holds the byte 0xff"),
        (b'a\n"open\n', "line 2"),
    ],
)
def test_invalid_csv_is_refused(content: bytes, message: str) -> None:
    with pytest.raises(TableError, match=message):
        read_csv(content)


@given(
    st.lists(st.one_of(st.none(), st.floats(allow_nan=False), st.integers(-(2**40), 2**40)), min_size=1, max_size=20)
)
def test_numbers_come_back_to_the_bit(values: list[float | int | None]) -> None:
    lines = ["a", *("NA" if value is None else repr(value) for value in values)]
    column = read_table(make_frame(read_csv("\n".join(lines).encode()), "pyarrow")).column(0)
    expected = np.array([np.nan if value is None else float(value) for value in values])
    np.testing.assert_array_equal(np.asarray(column, dtype=np.float64), expected)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'a,b\n"1,2\n3,4\n', "line 3: a cell begins with a quote that is never closed"),
        (b"a,b\n" + b"x" * 200_000 + b",1\n", r"line 2: a cell of more than 131,072 characters is not read"),
    ],
)
def test_what_pythons_reader_refuses_is_said_in_words(content: bytes, said: str) -> None:
    with pytest.raises(TableError, match=said):
        read_csv(content)
