"""Placement: partitions stay where they are, and the work is even."""

from glasswood.dask._placement import first_rows, holders_of, place


def test_a_partition_goes_to_the_lightest_worker_that_holds_it() -> None:
    assert place([["a", "b"], ["a", "b"], ["a"]], [5, 7, 10], ["a", "b"]) == {"b": [0, 1], "a": [2]}


def test_partitions_of_lost_workers_go_to_the_others() -> None:
    assert place([["gone"], ["a"], []], [4, 4, 4], ["a", "b"]) == {"a": [0, 1], "b": [2]}


def test_partitions_move_to_idle_workers() -> None:
    assert place([["a"]] * 4, [5, 5, 5, 5], ["a", "b"]) == {"b": [0, 1], "a": [2, 3]}
    assert place([["a"]], [9], ["a", "b"]) == {"a": [0]}  # one partition is not cut
    assert place([["a"], ["a"], ["b"]], [6, 1, 6], ["a", "b"]) == {"a": [0, 1], "b": [2]}  # even enough


def test_workers_without_rows_take_no_part() -> None:
    assert place([["a"], ["b"]], [0, 3], ["a", "b", "c"]) == {"b": [1]}


def test_rows_are_numbered_partition_after_partition() -> None:
    assert first_rows([3, 0, 5]) == [0, 3, 3]
    assert holders_of(["x", "y"], {"x": ("b", "a")}) == [["a", "b"], []]
