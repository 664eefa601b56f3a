"""Features on the command line."""

import argparse

import pytest

from glasswood.cli import main
from glasswood.cli._choices import METHODS, add_jobs, named
from glasswood.explain.effects._request import METHODS as KNOWN


def test_a_number_sign_makes_a_position() -> None:
    assert named(["age", "#3", "#x", "7"]) == ["age", 3, "#x", "7"]
    assert named(None) is None


@pytest.mark.parametrize("jobs", ["0", "two"])
def test_an_invalid_number_of_threads_is_a_wrong_call(jobs: str, capsys: pytest.CaptureFixture[str]) -> None:
    parser = argparse.ArgumentParser()
    add_jobs(parser)
    assert parser.parse_args(["--jobs", "2"]).jobs == 2
    with pytest.raises(SystemExit) as stop:
        parser.parse_args(["--jobs", jobs])
    assert stop.value.code == 2 and "--jobs" in capsys.readouterr().err


def test_the_methods_are_those_of_the_library() -> None:
    assert ("auto", *KNOWN) == METHODS


def test_only_digits_are_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    assert named(["#3", "#²", "#", "##1", "a"]) == [3, "#²", "#", "##1", "a"]
    with pytest.raises(SystemExit):
        main(["ledger", "model.txt", "rows.csv", "--jobs", "many"])
    assert "'many' is no number of threads" in capsys.readouterr().err
