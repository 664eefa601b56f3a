"""The folders of the code and what each uses. `make house` prints them and fails on an upward dependency."""

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parent.parent
NATIVE = ROOT / "native" / "glasswood"
PACKAGE = ROOT / "src" / "glasswood"

# each folder with the folders it may use
LAYERS: dict[str, set[str]] = {
    "base": set(),
    "formats": {"base"},
    "table": {"base"},
    "model": {"base", "table"},
    "predict": {"base", "table", "model"},
    "forest": {"base", "table", "model"},
    "boosting": {"base", "table", "model"},
    "explain": {"base", "table", "model"},
    "explain/intervals": {"base", "table", "model", "explain"},
    "proofs": {"base"},
    "rules": {"base", "table", "model", "explain"},
    "examples": {"base", "table", "model", "explain"},
    "attributions": {"base", "table", "model", "explain"},
}


@dataclass
class Folder:
    """A folder: its files, their lines, and how often it uses each other folder."""

    files: int = 0
    lines: int = 0
    uses: dict[str, int] = field(default_factory=dict)


def native_folders() -> dict[str, Folder]:
    """The folders of native/glasswood."""
    folders: dict[str, Folder] = {}
    for path in sorted(NATIVE.rglob("*.?pp")):
        name = str(path.parent.relative_to(NATIVE))
        text = path.read_text()
        _add(
            folders.setdefault(name, Folder()), text, re.findall(r'#include "glasswood/([\w/]+)/\w+\.hpp"', text), name
        )
    return folders


def python_folders() -> dict[str, Folder]:
    """The packages of glasswood; import-linter checks their layers."""
    folders: dict[str, Folder] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = ".".join(path.parent.relative_to(PACKAGE).parts)
        if not name:
            continue
        text = path.read_text()
        used = re.findall(r"^\s*from glasswood\.([a-z]\w*(?:\.[a-z]\w*)*)(?:\._\w+)? import", text, re.MULTILINE)
        _add(folders.setdefault(name, Folder()), text, used, name)
    return folders


def _add(folder: Folder, text: str, used: list[str], own: str) -> None:
    folder.files += 1
    folder.lines += len(text.splitlines())
    for other in used:
        if other != own:
            folder.uses[other] = folder.uses.get(other, 0) + 1


def upward(folders: dict[str, Folder]) -> Iterator[str]:
    """Native folders without a layer, and dependencies on a folder that may not be used."""
    for name, folder in folders.items():
        if name not in LAYERS:
            yield f"{name} is not in LAYERS of tests/folders.py: add it with the folders it may use"
            continue
        yield from (f"{name} uses {other}, which is not below it" for other in folder.uses if other not in LAYERS[name])


def main() -> int:
    """Print both lists; 1 if a dependency points upwards."""
    for title, folders in (("native/glasswood", native_folders()), ("src/glasswood", python_folders())):
        print(f"{title:26} {'files':>6} {'lines':>6}  uses")
        for name, folder in folders.items():
            uses = ", ".join(sorted(folder.uses)) or "nothing"
            print(f"  {name:26} {folder.files:4} {folder.lines:6}  {uses}")
    wrong = list(upward(native_folders()))
    print("\n".join(wrong) or "native/glasswood: no folder uses one above it (lint-imports checks src/glasswood)")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
