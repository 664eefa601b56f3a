"""The rules of the code, as tests: short files, tests that mirror sources, light imports."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.folders import NATIVE, Folder, native_folders, upward

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "glasswood"
PYTHON_SOURCES = sorted(PACKAGE.rglob("*.py"))
NATIVE_SOURCES = sorted(path for end in ("*.cpp", "*.hpp") for path in (ROOT / "native").rglob(end))
TEST_SOURCES = sorted((ROOT / "tests").rglob("*.py"))
MAX_LINES = 400
MAX_STATEMENTS = 40

# what `import glasswood` and the inner packages must never load
FRAMES = ("pandas", "polars", "pyarrow")
MODELS = ("sklearn", "lightgbm", "xgboost", "catboost", "perpetual", "onnx", "onnxruntime")
HEAVY = (*FRAMES, *MODELS, "matplotlib", "scipy", "starlette", "uvicorn", "dask", "cupy")
# the only places that may import another library at the top of a file
FOREIGN_AT_TOP = {"estimators": {"sklearn"}}


def for_every(paths: list[Path]) -> Callable[[Callable[[Path], None]], Callable[[], None]]:
    """Make one test of a rule for many files; it names each file that breaks the rule.

    A case per rule and file would be 8,000 tests, and pytest takes longer for a test than a rule for a file.
    """

    def of_all(rule: Callable[[Path], None]) -> Callable[[], None]:
        def test() -> None:
            assert paths
            broken = []
            for path in paths:
                try:
                    rule(path)
                except AssertionError as error:
                    broken.append(f"{path.relative_to(ROOT)}: {error}")
            assert not broken, "\n".join(broken)

        test.__name__, test.__doc__ = rule.__name__, rule.__doc__
        return test

    return of_all


@for_every(PYTHON_SOURCES + NATIVE_SOURCES)
def test_a_file_fits_one_sitting(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= MAX_LINES


@for_every(PYTHON_SOURCES)
def test_a_file_says_why_it_exists(path: Path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text()))


@for_every(PYTHON_SOURCES)
def test_a_function_fits_one_thought(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef):
            statements = sum(isinstance(inner, ast.stmt) for inner in ast.walk(node)) - 1
            assert statements <= MAX_STATEMENTS, f"{node.name} has {statements} statements"


def mirrored(path: Path) -> list[Path]:
    """Where the tests of a source file may be: in the mirrored folder, or in one file for a small package."""
    relative = path.relative_to(PACKAGE)
    folder, stem = ROOT / "tests" / relative.parent, path.stem.lstrip("_")
    return [
        folder / f"test_{stem}.py",
        folder.parent / f"test_{relative.parent.name}.py",
        folder.parent / f"test_{stem}.py",
    ]


@for_every(PYTHON_SOURCES)
def test_tests_mirror_sources(path: Path) -> None:
    if path.name == "__init__.py" or path.name == "__main__.py":
        return
    assert any(place.exists() for place in mirrored(path)), f"no test beside {path.relative_to(ROOT)}"


@for_every(PYTHON_SOURCES)
def test_heavy_libraries_are_imported_late(path: Path) -> None:
    folder = path.relative_to(PACKAGE).parts[0]
    allowed = FOREIGN_AT_TOP.get(folder, set())
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import):
            roots = {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            roots = {(node.module or "").partition(".")[0]}
        else:
            continue
        assert not roots & set(HEAVY) - allowed, f"{roots} at the top of {path.name}"


# what would change the process for all its code, by module
GLOBAL_STATE = {
    "warnings": {"catch_warnings", "simplefilter", "filterwarnings", "resetwarnings", "showwarning", "formatwarning"},
    "numpy": {"seterr", "seterrcall", "set_printoptions", "seed"},
    "os": {"putenv", "unsetenv", "chdir", "umask", "dup2"},
    "sys": {"setrecursionlimit", "setswitchinterval", "settrace", "setprofile", "excepthook"},
    "resource": {"setrlimit"},
    "signal": {"signal", "setitimer", "alarm"},
    "locale": {"setlocale"},
    "random": {"seed"},
    "matplotlib": {"rcParams", "use"},
    "pandas": {"set_option"},
}
NICKNAMES = {"np": "numpy", "pd": "pandas", "plt": "matplotlib"}
# modules that run in a process of their own
OWN_PROCESS = {"cli/_notes.py", "readers/_library_main.py", "web/server/_upload_child.py"}


@for_every(PYTHON_SOURCES)
def test_no_global_state_is_touched(path: Path) -> None:
    """Another thread of the user's program would see it: `catch_warnings` in two threads leaves its filters behind."""
    if str(path.relative_to(PACKAGE)) in OWN_PROCESS:
        return
    for node in ast.walk(ast.parse(path.read_text())):
        module, used = "", []
        if isinstance(node, ast.Attribute):
            module, used = ast.unparse(node.value), [node.attr]
        elif isinstance(node, ast.ImportFrom):
            module, used = node.module or "", [alias.name for alias in node.names]
        root = module.partition(".")[0]
        touched = GLOBAL_STATE.get(NICKNAMES.get(root, root), set()) & set(used)
        assert not touched, f"{touched} in line {node.lineno}"
        for target in node.targets if isinstance(node, ast.Assign | ast.Delete) else []:
            assert "os.environ" not in ast.unparse(target), f"os.environ is changed in line {node.lineno}"


def test_import_is_light() -> None:
    code = f"import sys, glasswood, glasswood.readers; print([m for m in {HEAVY!r} if m in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"


def test_every_public_name_loads() -> None:
    import glasswood

    for name in glasswood.__all__:
        assert getattr(glasswood, name) is not None


VERBS = (
    "attributions",
    "attributor",
    "compare",
    "effects",
    "examples",
    "interactions",
    "ledger",
    "report",
    "rule_cv",
    "rules",
    "scorecard",
)
# searches end after a time, files are written in one go: neither has rows to weigh or to count (decision 0113)
WITHOUT_TRAILING_KEYWORDS = ("bounds", "counterfactuals", "export", "monotone", "robustness")


@pytest.mark.parametrize("verb", VERBS)
def test_verbs_end_in_the_same_keywords(verb: str) -> None:
    import glasswood

    last = list(inspect.signature(getattr(glasswood, verb)).parameters.values())[-3:]
    assert [p.name for p in last] == ["sample_weight", "n_jobs", "progress"]
    assert [p.default for p in last] == [None, None, False]
    assert all(p.kind is p.KEYWORD_ONLY for p in last)


@pytest.mark.parametrize("verb", WITHOUT_TRAILING_KEYWORDS)
def test_searches_and_exports_have_no_trailing_keywords(verb: str) -> None:
    import glasswood

    parameters = inspect.signature(getattr(glasswood, verb)).parameters
    assert not {"sample_weight", "n_jobs", "progress"} & set(parameters)
    assert verb == "export" or list(parameters)[-2:] == ["max_nodes", "time_limit"]


@pytest.mark.parametrize(
    ("verb", "expected"), [("explore", ["first_tree", "progress"]), ("tree_profile", ["sample_weight", "progress"])]
)
def test_a_keyword_that_would_do_nothing_is_left_out(verb: str, expected: list[str]) -> None:
    import glasswood

    parameters = inspect.signature(getattr(glasswood, verb)).parameters.values()
    assert [p.name for p in parameters if p.kind is p.KEYWORD_ONLY] == expected


@for_every(PYTHON_SOURCES)
def test_a_warning_finds_the_line_of_the_caller_by_itself(path: Path) -> None:
    """Use `errors.warn`, because the number of frames changes whenever code moves."""
    assert not re.search(r"stacklevel|warnings\.warn\(", path.read_text())


def test_every_result_is_public() -> None:
    import glasswood
    from glasswood import results

    # how a result fetches rows of the caller's table, or computes an array later
    internal = {"AttributedRows", "LazyTable", "RowSource"}
    classes = {name for name in results.__all__ if isinstance(getattr(results, name), type)} - internal
    assert classes <= set(glasswood.__all__)


def test_every_error_is_public() -> None:
    import glasswood
    from glasswood import errors

    assert {name for name, found in vars(errors).items() if isinstance(found, type)} <= set(glasswood.__all__)


def test_every_public_name_is_documented() -> None:
    import glasswood

    listed = set(re.findall(r"^::: glasswood\.(\w+)$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE))
    errors = {name for name in glasswood.__all__ if name.endswith(("Error", "Warning"))}  # listed as a module
    assert listed - {"errors"} == set(glasswood.__all__) - errors - {"__version__"}


def test_every_public_name_has_an_example() -> None:
    listed = re.findall(
        r"^::: (glasswood(?:\.team|\.data)?)\.(\w+)$", (ROOT / "docs" / "api.md").read_text(), re.MULTILINE
    )
    assert len(listed) > 70
    for package, name in listed:
        text = inspect.getdoc(getattr(importlib.import_module(package), name)) or ""
        assert name == "errors" or "Examples\n--------\n>>> " in text, f"{package}.{name}"


ABOVE_READERS = [
    p for p in PYTHON_SOURCES if p.relative_to(PACKAGE).parts[0] in ("explain", "estimators", "web", "cli")
]


def looks_into_models(tree: ast.AST) -> list[int]:
    """Lines that do more with a parameter `model: Any` than pass it on unchanged."""
    lines: list[int] = []
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)):
        arguments = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
        if not any(a.arg == "model" and a.annotation and ast.unparse(a.annotation) == "Any" for a in arguments):
            continue
        calls = [node for node in ast.walk(function) if isinstance(node, ast.Call)]
        asking = ("getattr", "hasattr", "isinstance", "issubclass", "type", "vars", "dir", "callable", "len", "iter")
        handed = {
            id(given)
            for call in calls
            if ast.unparse(call.func) not in asking
            for given in (*call.args, *(keyword.value for keyword in call.keywords))
        }
        used = (node for node in ast.walk(function) if isinstance(node, ast.Name) and node.id == "model")
        lines += [node.lineno for node in used if id(node) not in handed]
    return sorted(lines)


@for_every(ABOVE_READERS)
def test_packages_above_the_readers_do_not_use_model_objects(path: Path) -> None:
    """What a reader knows about a model is in the Ensemble and its source; `as_ensemble(model, X)` returns both."""
    assert not looks_into_models(ast.parse(path.read_text()))


def test_a_look_into_a_model_is_found() -> None:
    function = "def f(model: Any, X):\n    g(model, X, model=model)\n"
    assert not looks_into_models(ast.parse(function))
    for line in ("model.classes_", "getattr(model, 'classes_')", "type(model)", "model['a']", "x = model"):
        assert looks_into_models(ast.parse(f"{function}    {line}\n")) == [3]


# packages that use kernels only through functions of others
WITHOUT_KERNELS = ("cli", "demo.py", "estimators", "writers", "plots", "results", "web")


@for_every(PYTHON_SOURCES)
def test_kernels_are_called_by_the_packages_that_know_them(path: Path) -> None:
    if path.relative_to(PACKAGE).parts[0] in WITHOUT_KERNELS:
        assert "_native" not in path.read_text()


@for_every(NATIVE_SOURCES)
def test_the_core_knows_no_python(path: Path) -> None:
    if "bind" not in path.parts:
        assert not re.search(r"nanobind|Python\.h", path.read_text())


def test_native_floors() -> None:
    assert not list(upward(native_folders()))


@for_every(sorted(NATIVE.rglob("*.?pp")))
def test_a_native_folder_is_a_namespace(path: Path) -> None:
    namespace = "::".join(("glasswood", *path.parent.relative_to(NATIVE).parts))
    found = re.findall(r"^namespace (glasswood[\w:]*) \{", path.read_text(), re.MULTILINE)
    assert all(name == namespace or name.startswith(namespace + "::") for name in found), found


def test_an_upward_arrow_is_found() -> None:
    assert list(upward({"base": Folder(uses={"model": 1}), "attic": Folder()})) == [
        "base uses model, which is not below it",
        "attic is not in LAYERS of tests/folders.py: add it with the folders it may use",
    ]


@for_every(NATIVE_SOURCES)
def test_bindings_have_no_loops(path: Path) -> None:
    """A binding checks, releases the lock and makes one call; loops belong to the core.

    Only table.cpp has a loop, over the caller's list of columns, which only Python can open.
    """
    if "bind" in path.parts and path.suffix == ".cpp" and path.name != "table.cpp":
        loops = [line for line in path.read_text().splitlines() if re.match(r"\s*(for|while)\s*\(", line)]
        assert not loops, loops


def test_nothing_turns_off_ieee_arithmetic() -> None:
    """NaN and infinities are data here."""
    for path in (ROOT / "CMakeLists.txt", ROOT / "native" / "cmake" / "cpu_levels.cmake", ROOT / "pyproject.toml"):
        assert not re.search(r"-ffast-math|-Ofast|finite-math", path.read_text())


@for_every(TEST_SOURCES)
def test_a_property_says_only_how_many_examples_it_wants(path: Path) -> None:
    """Everything else is decided once, by the profiles in conftest.py."""
    if path == ROOT / "tests" / "conftest.py":
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] == "settings":
            given = [keyword.arg for keyword in node.keywords]
            assert not node.args and given == ["max_examples"], (
                f"line {node.lineno}: settings({', '.join(map(str, given))})"
            )


@for_every(TEST_SOURCES)
def test_no_test_waits_for_a_clock(path: Path) -> None:
    """A busy machine is slow: wait for what must happen, without a limit."""
    if path.name == "__main__.py":  # a program, not a test
        return
    names = {"sleep", "Timer", "alarm", "setitimer", "wait_for_timeout", "perf_counter", "monotonic", "process_time"}
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func).rpartition(".")[2] not in names, f"line {node.lineno}: {ast.unparse(node)}"
            limits = [keyword for keyword in node.keywords if keyword.arg == "timeout"]
            assert not limits or ast.unparse(node.func) == "expect.set_options", (
                f"line {node.lineno}: {ast.unparse(node)}"
            )


BROWSER_TESTS = sorted((ROOT / "tests" / "browser").glob("*.py"))
READS_ONCE = {
    *("count", "inner_text", "all_inner_texts", "text_content", "all_text_contents", "input_value", "get_attribute"),
    *("is_visible", "is_hidden", "is_checked", "is_enabled", "is_disabled", "bounding_box", "evaluate", "evaluate_all"),
}


def reads_once(tree: ast.AST) -> list[int]:
    """Lines whose assert reads the page at that moment, which may be before the page has done what it was asked."""
    return [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Assert)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in READS_ONCE
    ]


@for_every(BROWSER_TESTS)
def test_a_browser_test_waits_for_what_it_looks_for(path: Path) -> None:
    """Use `expect(...)`, or `eventually` of tests/browser/waiting.py."""
    assert not reads_once(ast.parse(path.read_text()))


def test_an_assert_that_does_not_wait_is_found() -> None:
    for read in ("page.locator('a').count() == 1", "f(x.inner_text())", "not page.evaluate('x')"):
        assert reads_once(ast.parse(f"def test():\n    assert {read}\n")) == [2]
    assert not reads_once(ast.parse("expect(page.locator('a')).to_have_count(1)\nassert asked == []\n"))


@for_every(TEST_SOURCES)
def test_no_test_file_uses_another(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom):
            assert not (node.module or "").rpartition(".")[2].startswith("test_"), f"line {node.lineno}: {node.module}"


# where sums and functions of numpy are allowed in packages whose results must have the same bits everywhere, and why
OF_NO_CONSEQUENCE = {
    "estimators/_rule_cv.py": "means over folds and repeats, a handful of numbers in a fixed order",
    "explain/attributions/_additivity.py": "a sum over features, compared with a bound",
    "explain/attributions/_engine.py": "a kernel of that name, which adds whole numbers",
    "explain/effects/_nested_shares.py": "products of whole numbers whose sums are exact in any order",
    "explain/effects/_purify.py": "means over the cells of a table, in their order",
    "explain/rules/_grid.py": "a mean over the nodes of the model, in their order",
    "explain/rules/_stability.py": "a mean over 50 cuts, in their order",
    "explain/_scores.py": "a mean over classes, in their order",
    "results/_feature_effect.py": "means over outputs, in their order, for a picture",
    "results/_importance.py": "means over outputs, in their order, for a picture",
    "results/_main_terms.py": "means over the cells of a table, in their order",
    "results/_rule_cv.py": "means over repeats, in their order",
}
# BLAS adds in an order that depends on its threads; means over rows depend on the order of the rows; functions of the C
# library and of numpy have different last bits on different machines.
NOT_THE_SAME_BITS = re.compile(
    r" @ |np\.dot|\.dot\(|matmul|einsum|linalg|np\.average|np\.(nan)?mean\(|(?<!loss)\.mean\(|geomspace|logspace|"
    r"np\.power|"
    r"np\.(exp|log|tanh|sin|cos)\w*\(|math\.(exp|log|tanh|pow|sin|cos)\("
)
SAME_BITS = [
    p
    for p in PYTHON_SOURCES
    if p.relative_to(PACKAGE).parts[0] in ("train", "explain", "estimators", "results", "ensemble")
]


@for_every(SAME_BITS)
def test_sums_over_rows_have_the_same_bits_everywhere(path: Path) -> None:
    """Use `_exact` for sums over rows and `_elementary` for exp and log."""
    found = [line.strip() for line in path.read_text().splitlines() if NOT_THE_SAME_BITS.search(line.partition("#")[0])]
    if str(path.relative_to(PACKAGE)) in OF_NO_CONSEQUENCE:
        assert found, "nothing to allow any more: take it off the list"
    else:
        assert not found, found


@for_every(NATIVE_SOURCES)
def test_kernels_use_their_own_elementary_functions(path: Path) -> None:
    """Those of the C library have different last bits on different machines, and a GPU has its own."""
    functions = r"(exp2?|expm1|log|log2|log10|log1p|pow|tanh|sinh|cosh|sin|cos|tan|cbrt|erfc?|tgamma|lgamma)"
    found = re.findall(rf"(?:std::|__builtin_){functions}\(", path.read_text())
    assert not found, found


# One text for g++, clang and a GPU compiler. NVRTC, which compiles inside a program, has no standard headers at all.
FORMULAS = {
    f"glasswood/{name}.hpp"
    for name in (
        "base/elementary",
        "base/integers",
        "base/macros",
        "base/random",
        "base/tie",
        "boosting/gain",
        "boosting/leaf_step",
        "boosting/level_formula",
        "boosting/loss_formula",
        "boosting/quantised_formula",
        "boosting/sums",
    )
}


def foreign_to_formulas(text: str) -> list[str]:
    """What a formula header may not contain: other headers, standard names, GCC builtins, inline."""
    code = re.sub(r"//.*", "", text)
    included = [name.strip('"') for name in re.findall(r'#\s*include\s*(["<][^">]+[">])', code)]
    return [name for name in included if name not in FORMULAS] + re.findall(r"std::\w+|__builtin_\w+|\binline\b", code)


def streams_in(text: str) -> list[str]:
    """Headers of C++ streams and locales."""
    return re.findall(r"#\s*include\s*<((?:f|i|o|s|io)stream|iomanip|locale|regex|format)>", text)


def test_the_core_uses_no_streams() -> None:
    """A module with libstdc++ inside crashed in a stream where another copy of libstdc++ was in the process."""
    files = sorted([*(ROOT / "native/glasswood").rglob("*.?pp"), *(ROOT / "native/bind").rglob("*.?pp")])
    assert len(files) > 100
    assert {str(file.relative_to(ROOT)): found for file in files if (found := streams_in(file.read_text()))} == {}


def test_streams_are_found() -> None:
    text = "#include <fstream>\n# include <sstream>\n#include <charconv>\n#include <iostream>\n#include <string>\n"
    assert streams_in(text) == ["fstream", "sstream", "iostream"]


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_formulas_need_no_standard_header(name: str) -> None:
    found = foreign_to_formulas((ROOT / "native" / name).read_text())
    # the macro itself contains inline; compiler-specific names are in one place, behind an #if
    allowed = {"glasswood/base/macros.hpp": r"inline", "glasswood/base/elementary.hpp": r"__builtin_\w+"}
    assert not [what for what in found if not re.fullmatch(allowed.get(name, ""), what)]


def test_what_is_foreign_to_formulas_is_found() -> None:
    text = '#include <cmath>  // why\n#include "glasswood/base/random.hpp"\n# include "glasswood/base/parallel.hpp"\n'
    assert foreign_to_formulas(text + "inline double f(std::int64_t n) { return __builtin_sqrt(n); }") == [
        "<cmath>",
        "glasswood/base/parallel.hpp",
        "inline",
        "std::int64_t",
        "__builtin_sqrt",
    ]
