"""Features on the command line."""

from glasswood.cli._choices import METHODS, named
from glasswood.explain._request import METHODS as KNOWN


def test_a_number_sign_makes_a_position() -> None:
    assert named(["age", "#3", "#x", "7"]) == ["age", 3, "#x", "7"]
    assert named(None) is None


def test_the_methods_are_those_of_the_library() -> None:
    assert ("auto", *KNOWN) == METHODS
