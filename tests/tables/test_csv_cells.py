"""Cells of CSV text are read unchanged, and limits are checked while reading."""

import csv
import io
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.errors import TableError
from glasswood.tables import TableLimits
from glasswood.tables import _csv_cells as cells_module
from glasswood.tables._csv_cells import _check_header, read_cells

LIMITS = TableLimits(rows=10, columns=5, cells=20, memory=2_000, line=100)


def read(content: bytes, limits: TableLimits | None = None) -> tuple[list[str], list[list[str]]]:
    header, columns = read_cells(content, "the file", limits)
    return header, [column.unpack(limits, 0)[0] for column in columns]


@settings(max_examples=60)
@given(st.lists(st.tuples(st.text(max_size=5), st.text(max_size=300)), max_size=20), st.integers(1, 9))
def test_packed_cells_are_the_cells_that_csv_reads(rows: list[tuple[str, str]], most: int) -> None:
    sink = io.StringIO(newline="")
    writer = csv.writer(sink, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([("a", "b"), *rows])
    try:
        content = sink.getvalue().encode()
    except UnicodeEncodeError:  # half a surrogate pair is not valid UTF-8
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells_module, "_MAX_HELD", most)
        header, columns = read(content)
    assert header == ["a", "b"]
    assert list(zip(*columns, strict=True)) == rows


class Uncounted(list[str]):
    """A list of names that must not be counted: that would search all of them for each."""

    def count(self, value: object) -> int:
        raise AssertionError(f"counted {value!r}")


def test_repeated_names_are_found_in_one_pass_and_after_the_limit() -> None:
    with pytest.raises(TableError, match="'x' more than once"):
        _check_header(Uncounted(["x", "y", "x"]), "the file", None)
    with pytest.raises(TableError, match="170,001 columns; at most 5"):
        read(b"a," * 170_000 + b"\n", TableLimits(10, 5, 20, 2_000))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"a\n" + b"1\n" * 11, "more than 10 rows"),
        (b"a,b,c\n" + b"1,2,3\n" * 7, "more than 20 cells"),
        (b"a\n" + b"x" * 200, "line 2: a row of more than 100 characters"),
        (b"a\n" + b'"' + b"xxxxxxxxx\n" * 20 + b'"\n', "line 11: a row of more than 100 characters"),
        (b"a,b,c\n" + b",".join([b"y" * 30] * 3) + b"\n" + b"\xff", "line 3 holds the byte 0xff"),
    ],
)
def test_the_first_limit_that_is_broken_is_named(content: bytes, said: str) -> None:
    with pytest.raises(TableError, match=said):
        read(content, LIMITS)


def test_text_that_takes_too_much_memory_is_refused_column_by_column() -> None:
    _, columns = read_cells(b"a\n" + b"\n".join(b"%060d" % k for k in range(10)), "the file", LIMITS)
    assert columns[0].unpack(LIMITS, 0)[1] == 10 * (sys.getsizeof("") + 60 + 8)
    with pytest.raises(TableError, match="memory"):
        columns[0].unpack(LIMITS, 1_000)


def test_equal_texts_are_stored_once() -> None:
    _, columns = read_cells(b"a\n" + b"the same text\n" * 1_000, "the file", None)
    cells, size = columns[0].unpack(None, 0)
    assert len({id(cell) for cell in cells}) == 1 and size < 9_000


def test_lines_may_end_as_on_any_system() -> None:
    for end in (b"\n", b"\r\n", b"\r"):
        assert read(end.join([b"a;b", b"1;2", b"", b"3;4"])) == (["a", "b"], [["1", "3"], ["2", "4"]])
