"""Record: what the agreement tests have shown, one JSON line each, for the table in the docs."""

import json
import os
from pathlib import Path


def record(library: str, model: str, what: str) -> None:
    """Append a line to the file named by GLASSWOOD_AGREEMENT_LOG, if there is one."""
    log = os.environ.get("GLASSWOOD_AGREEMENT_LOG")
    if log:
        with Path(log).open("a", encoding="utf-8") as lines:
            lines.write(json.dumps({"library": library, "model": model, "what": what}) + "\n")
