"""One wheel runs on any x86-64: wide instructions occur only in functions that are chosen at run time."""

import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

BUILD = Path(__file__).parent.parent.parent / "build"
OBJECTS = sorted(path for path in BUILD.glob("cp3*/CMakeFiles/*.dir/**/*.o") if "nanobind" not in path.parts[-1])
WIDE = [path for path in OBJECTS if re.search(r"simd_v\d", str(path))]
PLAIN = [path for path in OBJECTS if path not in WIDE]

pytestmark = [
    pytest.mark.skipif(platform.machine() != "x86_64", reason="levels exist on x86-64 only"),
    pytest.mark.skipif(not WIDE or not shutil.which("objdump"), reason="needs the build's object files and binutils"),
]


def test_no_wide_instruction_outside_dispatched_functions() -> None:
    for path in PLAIN:
        listing = subprocess.run(
            ["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True
        )
        assert not re.search(r"%[yz]mm\d", listing.stdout), f"{path.name} uses registers an old processor lacks"


def test_dispatched_files_share_no_code_with_the_rest() -> None:
    # the linker keeps one copy of a weak function: a template compiled here for AVX-512 could replace the others
    for path in WIDE:
        symbols = subprocess.run(["nm", "-C", path], capture_output=True, text=True, check=True).stdout
        weak = [line for line in symbols.splitlines() if re.search(r" [WVu] ", line)]
        assert not weak, f"{path.name}: {weak[:3]}"
