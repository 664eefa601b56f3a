"""Reads the user's table and makes frames for results: the only package that imports narwhals."""

from glasswood.tables._columns import CategoryColumn, Column, Columns, Label
from glasswood.tables._csv import read_csv
from glasswood.tables._dates import FARTHEST, date_text, date_ticks
from glasswood.tables._dtypes import date_columns, dtypes_of, names_and_dtypes
from glasswood.tables._file import as_kind, frame_of_file, read_table_file
from glasswood.tables._kind import FrameKind, frame_kind
from glasswood.tables._labels import class_labels, class_names, label_key, plain_label
from glasswood.tables._limits import TableLimits
from glasswood.tables._make_frame import make_frame
from glasswood.tables._objects import is_missing
from glasswood.tables._open import Table
from glasswood.tables._pick import column_names, pick_columns, place_columns
from glasswood.tables._read import read_table
from glasswood.tables._row_labels import index_of, row_labels, with_index
from glasswood.tables._rows import n_rows_of, pick_rows, replayable, take_rows
from glasswood.tables._scipy import by_rows, is_scipy_sparse
from glasswood.tables._sparse import SparseColumn, SparseMatrix
from glasswood.tables._vector import check_some_weight, read_vector, read_weight
from glasswood.tables._write import write_table_file

__all__ = [
    "FARTHEST",
    "CategoryColumn",
    "Column",
    "Columns",
    "FrameKind",
    "Label",
    "SparseColumn",
    "SparseMatrix",
    "Table",
    "TableLimits",
    "as_kind",
    "by_rows",
    "check_some_weight",
    "class_labels",
    "class_names",
    "column_names",
    "date_columns",
    "date_text",
    "date_ticks",
    "dtypes_of",
    "frame_kind",
    "frame_of_file",
    "index_of",
    "is_missing",
    "is_scipy_sparse",
    "label_key",
    "make_frame",
    "n_rows_of",
    "names_and_dtypes",
    "pick_columns",
    "pick_rows",
    "place_columns",
    "plain_label",
    "read_csv",
    "read_table",
    "read_table_file",
    "read_vector",
    "read_weight",
    "replayable",
    "row_labels",
    "take_rows",
    "with_index",
    "write_table_file",
]
