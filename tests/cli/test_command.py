"""A command has a short summary and examples of calls."""

from glasswood.cli._commands import COMMANDS


def test_a_summary_is_one_line_and_examples_are_command_lines() -> None:
    for command in COMMANDS:
        assert len(command.summary) <= 80 and "\n" not in command.summary
        assert all(line.startswith(f"glasswood {command.name}") for line in command.examples)
