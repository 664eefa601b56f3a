"""The examples of the README and of the documentation run, one page after the other, and print what the page says.

A block marked ``python`` runs; a block marked ``text`` right after it is what it prints. A fragment that only shows a
line of a longer script, or needs a cluster or a GPU, is marked ``py`` and does not run: its names and keywords are
compared with the functions, as are those of calls in the text.
"""

import ast
import contextlib
import importlib
import inspect
import io
import re
from pathlib import Path

import pytest

import glasswood as gw

ROOT = Path(__file__).parent.parent
PAGES = [
    page for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))) if "```python" in page.read_text()
]
# records and measurements say what was true when they were written
LIVING = [
    page
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "decisions" not in page.parts and page.name not in {"benchmarks.md", "peer_suites.md"}
]
MODULES = ("glasswood", "glasswood.dask", "glasswood.gpu", "glasswood.team", "glasswood.data")
SHORT = {"gw": "glasswood", "gwd": "glasswood.dask"}


def shape(text: str) -> list[list[str]]:
    """Lines with all numbers made equal: digits change with the releases of the libraries, words and layout do not."""
    return [re.sub(r"-?\d[\d.,]*(e-?\d+)?", "#", line).split() for line in text.strip().splitlines()]


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_the_examples_of_a_page_print_what_it_says(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "Agg")
    blocks = re.findall(r"```python\n(.*?)```\n(?:\n```text\n(.*?)```)?", page.read_text(), re.S)
    assert blocks
    names: dict[str, object] = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page.name, "exec"), names)
        assert shape(printed.getvalue()) == shape(expected)


def snippets(text: str) -> list[str]:
    """Fragments of code that do not run, and code inside sentences and tables."""
    fenced = r"```.*?```"
    return [
        *re.findall(r"```py\n(.*?)```", text, re.S),
        *re.findall(r"`([^`\n]+)`", re.sub(fenced, "", text, flags=re.S)),
    ]


def wrong_calls(code: str) -> list[str]:
    """What a snippet asks of glasswood that does not exist: names, and keywords of functions and classes."""
    try:
        tree = ast.parse(code.replace("…", "..."))
    except SyntaxError:
        return [f"gw.{name}" for name in re.findall(r"\bgw\.([A-Za-z]\w*)", code) if not hasattr(gw, name)]
    wrong = []
    for node in ast.walk(tree):
        name = node.func if isinstance(node, ast.Call) else node
        module, _, attribute = ast.unparse(name).rpartition(".") if isinstance(name, ast.Attribute) else ("", "", "")
        module = SHORT.get(module, module)
        if module not in MODULES or f"{module}.{attribute}" in MODULES:
            continue
        found = getattr(importlib.import_module(module), attribute, None)
        if isinstance(node, ast.Attribute) and found is None:
            wrong.append(f"{module}.{attribute}")
        if isinstance(node, ast.Call) and found is not None:
            known = inspect.signature(found).parameters
            wrong += [f"{attribute}({word.arg}=)" for word in node.keywords if word.arg and word.arg not in known]
    return wrong


@pytest.mark.parametrize("page", LIVING, ids=[str(page.relative_to(ROOT)) for page in LIVING])
def test_what_a_page_calls_exists(page: Path) -> None:
    assert [wrong for code in snippets(page.read_text()) for wrong in wrong_calls(code)] == []


def test_a_wrong_call_is_found() -> None:
    text = "`gw.reed(model)` `gw.effects(m, …, jobs=3)` `gw.x[`\n```py\ngw.BoostingRegressor(alpha=1).fit(X)\n```\n"
    assert [wrong for code in snippets(text) for wrong in wrong_calls(code)] == [
        "BoostingRegressor(alpha=)",
        "glasswood.reed",
        "effects(jobs=)",
        "gw.x",
    ]
