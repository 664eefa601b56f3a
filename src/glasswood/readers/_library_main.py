"""Main program of a library process: answers requests until there are no more.

The first request has the name of the reader, the file and the ensemble; every other request is a table.
"""

import importlib
import io
import os
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import IO, Any

import numpy as np

from glasswood.errors import GlasswoodError
from glasswood.readers._library import LENGTH, first_line
from glasswood.readers._oracle import Oracle


def main() -> None:
    """Answer requests until they end."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of the library must not be mixed with the answers
    requests = sys.stdin.buffer
    _leave_no_core_file()
    reader_name, content, ensemble = pickle.load(requests)
    reader = importlib.import_module(reader_name)
    opened = None
    while True:
        try:
            rows = pickle.load(requests)
        except EOFError:
            return
        except Exception as error:  # a class that exists only in the calling program
            _send(answers, kind="table", message=first_line(error))
            continue
        if opened is None:
            try:
                opened = reader.open_file(content)
            except BaseException as error:  # a panic of Rust code is not an Exception
                _send(answers, kind="load", message=first_line(error))
                return
        _answer(answers, partial(reader.ask_opened, opened, ensemble, rows))


def _answer(answers: IO[bytes], ask: Callable[[], Oracle]) -> None:
    try:
        oracle = ask()
    except GlasswoodError as error:
        _send(answers, kind=type(error).__name__, message=str(error))
    except BaseException as error:
        _send(answers, kind="rows", message=first_line(error))
    else:
        more = {"leaves": oracle.leaves, "prediction": oracle.prediction}
        given = {name: array for name, array in more.items() if array is not None}
        notes = np.array(oracle.notes, dtype=str)
        _send(answers, kind="answer", raw=oracle.raw, unit=oracle.unit, notes=notes, **given)


def _send(answers: IO[bytes], **arrays: Any) -> None:
    body = io.BytesIO()
    np.savez(body, **arrays)
    answers.write(LENGTH.pack(body.tell()) + body.getvalue())
    answers.flush()


def _leave_no_core_file() -> None:
    with suppress(ImportError):  # Windows writes none
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main()
