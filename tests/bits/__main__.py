"""make bits: fit and explain the corpus in many ways, and print a table of hashes that must agree.

Each way runs in its own process: threads, order of the rows, CPU level, threads of BLAS, compiler.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

LEVELS = ("plain", "v3", "v4")
WAYS: dict[str, list[str]] = {
    "n_jobs 1": [],
    "n_jobs 2": ["--jobs", "2"],
    "n_jobs 7": ["--jobs", "7"],
    "permuted": ["--permuted"],
    **{f"cpu {level}": ["--level", level] for level in LEVELS},
    "blas 1": ["--blas", "1"],
    "blas 2": ["--blas", "2"],
}


def child(options: argparse.Namespace) -> None:
    """Print the hashes of one way."""
    if options.package:
        # another build of the package, before the editable one
        sys.meta_path[:] = [f for f in sys.meta_path if "ScikitBuild" not in type(f).__name__]
        sys.path.insert(0, options.package)
    from glasswood import _native
    from tests.bits.corpus import ORDER, Data, cases, hashes

    if options.package:
        assert Path(_native.__file__).is_relative_to(Path(options.package).resolve()), _native.__file__
    if options.level and _native.use_cpu_level(options.level) != options.level:
        print(json.dumps({}))  # this processor has no such level
        return
    data = Data(order=ORDER, n_jobs=options.jobs) if options.permuted else Data(n_jobs=options.jobs)
    chosen = [case for case in cases() if options.only in case.name]
    print(json.dumps(hashes(data, chosen, permuted=options.permuted)))


def run(arguments: list[str]) -> dict[str, str]:
    """Hashes of one way, from a separate process."""
    threads = arguments[arguments.index("--blas") + 1] if "--blas" in arguments else "1"
    blas = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), threads)
    command = [sys.executable, "-m", "tests.bits", "--child", *arguments]
    shown = subprocess.run(command, env=os.environ | blas, stdout=subprocess.PIPE, check=True, text=True).stdout
    found: dict[str, str] = json.loads(shown.splitlines()[-1])
    return found


def main() -> int:
    """Print the table; 1 if two hashes of a line differ."""
    parser = argparse.ArgumentParser(prog="python -m tests.bits", description=__doc__)
    parser.add_argument("--child", action="store_true", help="print the hashes of one way as JSON")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--permuted", action="store_true")
    parser.add_argument("--level", choices=LEVELS)
    parser.add_argument("--blas")
    parser.add_argument("--only", default="", help="cases whose name holds this")
    parser.add_argument("--package", help="folder of another build of the package")
    parser.add_argument("--other", action="append", default=[], metavar="NAME=FOLDER", help="compare this build too")
    options = parser.parse_args()
    if options.child:
        child(options)
        return 0
    ways = WAYS | {name: ["--package", folder] for name, folder in (other.split("=", 1) for other in options.other)}
    found = {}
    for name, arguments in ways.items():
        print(f"{name} …", file=sys.stderr, flush=True)
        found[name] = run(arguments)
    skipped = [name for name, table in found.items() if not table]
    shown = [name for name in found if found[name]]
    width = max(map(len, found["n_jobs 1"]))
    print(f"{'':{width}}  {'  '.join(f'{name:16}' for name in shown)}")
    wrong = []
    for case in found["n_jobs 1"]:
        line = [found[name][case] for name in shown]
        if len({h for h in line if h != "-"}) > 1:
            wrong.append(case)
        print(f"{case:{width}}  {'  '.join(f'{h:16}' for h in line)}{'  DIFFERS' * (case in wrong)}")
    n_fits = sum(case.startswith("fit") for case in found["n_jobs 1"])
    print(f"\n{n_fits} fits, {len(found['n_jobs 1']) - n_fits} explanations, {len(shown)} ways, {len(wrong)} differ")
    if skipped:
        print(f"not run here: {', '.join(skipped)}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
