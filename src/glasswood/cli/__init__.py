"""The `glasswood` command, one module per subcommand."""

from glasswood.cli._main import main

__all__ = ["main"]
