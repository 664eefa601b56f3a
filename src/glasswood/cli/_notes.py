"""Notes: in a process that is the `glasswood` command, a warning is one line for people."""

import sys
import warnings
from typing import Any

from glasswood.errors import GlasswoodWarning


def show_notes() -> None:
    """Show warnings as notes until the process ends. It changes the process: only the command itself may call it."""
    warnings.simplefilter("always", GlasswoodWarning)
    warnings.showwarning = _show


def _show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """What other libraries warn of is theirs to say, by name."""
    whose = "" if issubclass(category, GlasswoodWarning) else f"{category.__name__}: "
    print(f"glasswood: note: {whose}{message}", file=sys.stderr)
