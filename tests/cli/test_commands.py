"""The list of commands."""

from glasswood.cli._commands import COMMANDS


def test_commands_have_names_of_their_own() -> None:
    names = [command.name for command in COMMANDS]
    assert len(set(names)) == len(names)
