"""`python -m tests.fuzz`: many damaged files of every format; those that are neither read nor refused are printed and
kept.

A file is identified by seed, format and number: ``--seed S --only FORMAT --first N --files 1`` creates it again.
"""

import argparse
import contextlib
import faulthandler
import resource
import secrets
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from pathlib import Path

from tests.fuzz.formats import FORMATS, garbled_file
from tests.fuzz.outcome import outcome

_SECONDS = 20  # for one file
_MEMORY = 1 << 30  # bytes beyond what the program uses before it starts


def main() -> int:
    """Run; the exit code is 1 if a file was neither read nor refused."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--files", type=int, default=50_000, help="of each format")
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--only", choices=FORMATS, action="append", help="a format; all where none is named")
    parser.add_argument("--keep", type=Path, default=None, help="folder for the files that end otherwise")
    options = parser.parse_args()
    seed = secrets.randbelow(2**31) if options.seed is None else options.seed
    print(f"seed {seed}", flush=True)
    faulthandler.enable()
    warnings.simplefilter("error")
    signal.signal(signal.SIGALRM, _too_long)
    defects = 0
    for name in options.only or FORMATS:
        defects += _run(name, seed, range(options.first, options.first + options.files), options.keep)
    return 1 if defects else 0


def _run(name: str, seed: int, numbers: range, keep: Path | None) -> int:
    FORMATS[name].whole()  # libraries are imported before memory is limited
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + _MEMORY, resource.RLIM_INFINITY))
    begun, outcomes, seen = time.monotonic(), Counter[str](), Counter[str]()
    for number in numbers:
        content = garbled_file(name, number, seed)
        signal.alarm(_SECONDS)
        try:
            outcomes[outcome(content, "garbled")] += 1
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            outcomes["defect"] += 1
            where = traceback.extract_tb(error.__traceback__)[-1]
            kind = f"{type(error).__name__} in {Path(where.filename).name}:{where.lineno}"
            seen[kind] += 1
            if seen[kind] == 1:
                print(f"{name} file {number}: {kind}: {str(error)[:200]}", flush=True)
                with contextlib.suppress(TypeError):
                    traceback.print_exception(error, file=sys.stdout)
                if keep is not None:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / f"{name}-{number}").write_bytes(content)
        finally:
            signal.alarm(0)
    spent = time.monotonic() - begun
    print(f"{name}: {dict(outcomes)} in {spent:.0f} s {dict(seen) or ''}", flush=True)
    return outcomes["defect"]


def _too_long(*_: object) -> None:
    raise TimeoutError(f"a file took more than {_SECONDS} seconds")


if __name__ == "__main__":
    raise SystemExit(main())
