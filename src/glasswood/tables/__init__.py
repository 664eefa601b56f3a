"""The user's table, and frames back: the only room that knows narwhals."""

from glasswood.tables._columns import CategoryColumn, Column, Columns, Label
from glasswood.tables._kind import FrameKind, frame_kind
from glasswood.tables._make import make_frame
from glasswood.tables._open import Table
from glasswood.tables._read import read_table
from glasswood.tables._rows import n_rows_of, pick_rows, replayable, take_rows
from glasswood.tables._vector import read_vector, read_weight

__all__ = [
    "CategoryColumn",
    "Column",
    "Columns",
    "FrameKind",
    "Label",
    "Table",
    "frame_kind",
    "make_frame",
    "n_rows_of",
    "pick_rows",
    "read_table",
    "read_vector",
    "read_weight",
    "replayable",
    "take_rows",
]
