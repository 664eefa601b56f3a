"""record: one line per agreement shown, from which docs/agreement_table.py writes the table in the docs."""

import json
import os
from pathlib import Path


def record(library: str, model: str, what: str, how: str = "leaves and raw") -> None:
    """Append a line to the file that GLASSWOOD_AGREEMENT_LOG names, if it names one.

    Parameters
    ----------
    library : str
        Name of the package on PyPI, whose version the table states.
    model : str
        Class or booster, e.g. "HistGradientBoostingRegressor".
    what : str
        What was read: objective, kind of data, option.
    how : str
        What was compared: "leaves and raw", or the substitute if the library has no leaf numbers, or "refused".
    """
    log = os.environ.get("GLASSWOOD_AGREEMENT_LOG")
    if not log:
        return
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    line = json.dumps({"library": library, "model": model, "what": what, "how": how, "test": test})
    with Path(log).open("a", encoding="utf-8") as lines:  # one short write per line, because workers may share the file
        lines.write(line + "\n")
