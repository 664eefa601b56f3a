"""Notes: the `glasswood` command prints each warning as one line, and nothing more once nobody reads its output."""

import os
import sys
import warnings
from typing import Any

from glasswood.errors import GlasswoodWarning


def show_notes() -> None:
    """Show warnings as notes until the process ends; only the command may call it, because it affects the process."""
    warnings.simplefilter("always", GlasswoodWarning)
    warnings.showwarning = _show


def drop_output() -> None:
    """Send what is still to be written to nowhere; only the command may call it, because it affects the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print a warning of glasswood as a note; a warning of another library with its category."""
    whose = "" if issubclass(category, GlasswoodWarning) else f"{category.__name__}: "
    print(f"glasswood: note: {whose}{message}", file=sys.stderr)
