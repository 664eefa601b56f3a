"""Bit tables: a step by hand, and the same trees as the steps with arrays give."""

import json
from unittest import mock

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from glasswood.readers import catboost as reader
from glasswood.readers.catboost._bit_table import BitTable
from tests.readers.ctr_documents import random_document

TRUTH = np.array([[False, True, False], [True, True, False]])
GROUPS = [np.array([0, 1, 1]), np.array([0, 1, 2])]  # three classes of the first feature, two of them alike


def test_a_constant_part_is_an_answer() -> None:
    table = BitTable(TRUTH, GROUPS, [False, False])
    assert table.step([0b111, 0b100], [0, 1]) == (2, False)
    assert table.step([0b110, 0b011], [0, 1]) == (2, True)


def test_the_axis_with_the_fewest_parts_is_split_those_with_the_fewest_true_entries_to_the_left() -> None:
    table = BitTable(TRUTH, GROUPS, [False, False])
    assert table.step([0b111, 0b111], [0, 1]) == (6, (0, 0b001))
    # with the first feature's last class alone, the second has two parts: 2 is false, 0 and 1 are true
    assert table.step([0b100, 0b111], [0, 1]) == (3, (1, 0b100))


def test_equally_many_parts_are_decided_by_the_place() -> None:
    square = np.array([[False, True], [True, False]])
    table = BitTable(square, [np.array([0, 1]), np.array([0, 1])], [False, False])
    assert table.step([0b11, 0b11], [4, 7])[1] == (0, 0b01)  # the row 01 comes before 10
    assert table.step([0b11, 0b11], [7, 4])[1] == (1, 0b01)


def test_a_number_is_cut_between_neighbours() -> None:
    table = BitTable(np.array([False, True]), [np.array([0, 1, 0, 0])], [True])
    assert table.step([0b1111], [0]) == (2, (0, 0b0001))  # three parts: 0, 1 and 2 with 3


def test_large_tables_are_left_to_arrays() -> None:
    assert BitTable.suits(np.zeros((256, 256), dtype=bool))
    assert not BitTable.suits(np.zeros((2, 511), dtype=bool))


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=60)
def test_arrays_give_the_same_trees(seed: int) -> None:
    content = json.dumps(random_document(np.random.default_rng(seed))).encode()
    small = reader.read_file(content, "m.json")
    with mock.patch.object(BitTable, "suits", lambda truth: False):
        large = reader.read_file(content, "m.json")
    assert small == large
