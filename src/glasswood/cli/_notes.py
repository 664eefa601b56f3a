"""Notes: the `glasswood` command prints each warning as one line."""

import sys
import warnings
from typing import Any

from glasswood.errors import GlasswoodWarning


def show_notes() -> None:
    """Show warnings as notes until the process ends; only the command may call it, because it affects the process."""
    warnings.simplefilter("always", GlasswoodWarning)
    warnings.showwarning = _show


def _show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
    """Print a warning of glasswood as a note; a warning of another library with its category."""
    whose = "" if issubclass(category, GlasswoodWarning) else f"{category.__name__}: "
    print(f"glasswood: note: {whose}{message}", file=sys.stderr)
