"""link: the page's ES modules → one script, so that a page can be a single file.

Modules use only two forms, ``import { a, b } from "./x.js";`` and ``export function`` or ``export const``. Linking puts
each module after those it imports and removes these words. Top-level names must differ, which a test checks. One module
is generated: the registry, which names the modules that draw the panels of a page.
"""

import re
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import PurePosixPath

ENTRY = "main.js"
REGISTRY = "registry.js"

_IMPORT = re.compile(r'^import \{[^}]*\} from "(\.[^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export (?=(?:async )?function |const )", re.M)


def static() -> Traversable:
    """Folder with the files of the page."""
    return files("glasswood.web").joinpath("static")


def static_text(name: str) -> str:
    """Text of a file of the page, by its path in the folder."""
    return static().joinpath(*PurePosixPath(name).parts).read_text(encoding="utf-8")


def static_names(suffix: str, folder: str = "") -> list[str]:
    """Paths of the files of the page with a suffix, those in the folder itself first."""
    here = sorted(static().joinpath(folder).iterdir(), key=lambda item: item.name)
    prefix = f"{folder}/" if folder else ""
    found = [prefix + item.name for item in here if item.is_file() and item.name.endswith(suffix)]
    return found + [name for item in here if item.is_dir() for name in static_names(suffix, prefix + item.name)]


def registry_text(scripts: Mapping[str, str]) -> str:
    """The module that maps each kind of section to the function that draws it; `scripts` has their modules."""
    mounts = {kind: "mount" + "".join(word.capitalize() for word in kind.split("_")) for kind in scripts}
    imports = "".join(f'import {{ {mounts[kind]} }} from "./{script}";\n' for kind, script in scripts.items())
    entries = "".join(f"  {kind}: {mount},\n" for kind, mount in mounts.items())
    return f"// Which function draws which kind of section.\n\n{imports}\nexport const PANELS = {{\n{entries}}};\n"


def link(scripts: Mapping[str, str]) -> str:
    """Concatenate the modules of a page with the panels of `scripts`, each after its imports."""
    done: dict[str, str] = {}
    _visit(ENTRY, done, registry_text(scripts))
    return "".join(done.values())


def style() -> str:
    """All style sheets in one text."""
    return "".join(static_text(name) for name in static_names(".css"))


def _visit(name: str, done: dict[str, str], registry: str) -> None:
    if name in done:
        return
    text = registry if name == REGISTRY else static_text(name)
    for match in _IMPORT.finditer(text):
        _visit(_resolve(name, match.group(1)), done, registry)
    done[name] = _EXPORT.sub("", _IMPORT.sub("", text))


def _resolve(importer: str, path: str) -> str:
    """Path of an imported module, relative to the folder."""
    parts: list[str] = list(PurePosixPath(importer).parent.parts)
    for part in PurePosixPath(path).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)
