"""What the `glasswood` command prints: each warning as one line, every letter, nothing more once nobody reads it."""

import io
import os
import sys
import warnings
from typing import Any

from glasswood.errors import GlasswoodWarning


def show_notes() -> None:
    """Show warnings as notes until the process ends; only the command may call it, because it affects the process."""
    warnings.simplefilter("always", GlasswoodWarning)
    warnings.showwarning = _show


def print_every_letter() -> None:
    """Write \\u2192 for an arrow where the output has none; only the command may call it: it affects the process."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # as stderr does


def drop_output() -> None:
    """Send what is still to be written to nowhere; only the command may call it, because it affects the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print a warning of glasswood as a note; a warning of another library with its category."""
    whose = "" if issubclass(category, GlasswoodWarning) else f"{category.__name__}: "
    print(f"glasswood: note: {whose}{message}", file=sys.stderr)
