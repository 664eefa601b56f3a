"""The code asks nothing of Linux, POSIX or x86 that is not behind a guard, so that it works on other systems.

No machine with macOS or Windows is at hand: this reads the sources.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "native").rglob("*.?pp"))
BUILD_FILES = (ROOT / "CMakeLists.txt", ROOT / "native" / "cmake" / "cpu_levels.cmake")

LINUX = r"^defined\(__linux__\)"
POSIX = r"^not defined\(_WIN32\)"
WINDOWS = r"^defined\(_WIN32\)"
X86 = r"^defined\((__x86_64__|__SSE2__|__AVX\w*|GLASSWOOD_X86_LEVELS|GLASSWOOD_MASKS)\)"
# what only some systems have, and the condition that must stand around it
GUARDS = {
    r"<sys/mman\.h>|\bmadvise\b|\bMADV_": LINUX,
    r"<sched\.h>|\bsched_|\bcpu_set_t\b|\bCPU_[A-Z]+": LINUX,
    r"<(unistd|pthread|time|signal)\.h>|\bpthread_|\bsig(set_t|fillset)\b|\bclock_gettime\b|\bkill\(|\bgetpid\b": POSIX,
    r"\baligned_alloc\b|\btimespec\b": POSIX,
    r"<malloc\.h>|\b_aligned_": WINDOWS,
    r"<(immintrin|cpuid)\.h>|\b_mm\d*_|\b__m\d+|\b__builtin_ia32_|\b__get_cpuid|\bxgetbv\b": X86,
    r"\bfutex\b|\bsyscall\b|\bfork\(|\bmmap\(|\bprctl\b|\bepoll_|\beventfd\b|<(linux|sys)/(?!mman)": "^never$",
}
ANY_OF_THEM = re.compile("|".join(GUARDS))
# files of Linux, which count as empty where they are missing
LINUX_FILES = {"native/glasswood/base/cpu_count.cpp", "native/glasswood/base/cpu_count.hpp"}


def lines_with_conditions(text: str) -> Iterator[tuple[int, str, list[str]]]:
    """Number, code and the conditions of the preprocessor around every line."""
    around: list[str] = []
    code = re.sub(r"/\*.*?\*/", lambda comment: "\n" * comment[0].count("\n"), text, flags=re.DOTALL)
    for number, line in enumerate(code.splitlines(), 1):
        bare = line.partition("//")[0].strip()
        word, _, condition = re.sub(r"^#\s*", "#", bare).partition(" ")
        if word == "#ifdef" or word == "#ifndef":
            word, condition = "#if", f"{'!' if word == '#ifndef' else ''}defined({condition})"
        condition = re.sub(r"^!\s*", "not ", condition)
        if word == "#if":
            around.append(condition)
        elif word == "#elif":
            around[-1] = condition
        elif word == "#else":
            around[-1] = around[-1].removeprefix("not ") if around[-1].startswith("not ") else f"not {around[-1]}"
        elif word == "#endif":
            around.pop()
        else:
            yield number, bare, list(around)


def unguarded(text: str) -> list[str]:
    """Lines that ask for something of one system outside its guard."""
    return [
        f"line {number}: {code}"
        for number, code, around in lines_with_conditions(text)
        if ANY_OF_THEM.search(code)
        for pattern, guard in GUARDS.items()
        if re.search(pattern, code) and not any(re.search(guard, condition) for condition in around)
    ]


def test_what_only_some_systems_have_is_behind_a_guard() -> None:
    # headers with a dot are those of a system or of a library, which the guards above or nanobind know
    known = re.compile(r"nanobind/|(sys/mman|sched|unistd|pthread|time|signal|malloc|immintrin|cpuid)\.h$")
    for path in SOURCES:
        text, name = path.read_text(), str(path.relative_to(ROOT))
        assert not unguarded(text), name
        headers = re.findall(r"^\s*#\s*include <([\w/]+\.h(?:pp)?)>", text, re.MULTILINE)
        assert all(known.match(header) for header in headers), name
        assert name in LINUX_FILES or not re.search(r'"/(proc|sys|dev)/', text), name


def test_a_call_without_its_guard_is_found() -> None:
    assert unguarded("madvise(p, n, MADV_HUGEPAGE);\n") == ["line 1: madvise(p, n, MADV_HUGEPAGE);"]
    assert not unguarded("#ifdef __linux__\nmadvise(p, n, 14);  // a hint\n#endif\n")
    windows = "#if defined(_WIN32)\n_aligned_free(p);\n#else\nkill(getpid(), 2);\n#endif\n"
    assert not unguarded(windows)
    assert len(unguarded(windows.replace("_WIN32", "__APPLE__"))) == 2
    assert unguarded("#ifdef __linux__\nsyscall(SYS_futex);\n#endif\n")
    assert unguarded("#if defined(__AVX2__)\n#include <immintrin.h>\n#else\n_mm_pause();\n#endif\n") == [
        "line 4: _mm_pause();"
    ]


def test_python_modules_of_posix_may_be_missing() -> None:
    of_posix = re.compile(r"(import|from) (resource|fcntl|termios|pwd|grp|posix)\b")
    for path in sorted((ROOT / "src").rglob("*.py")):
        if not of_posix.search(text := path.read_text()):
            continue
        functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
        asking = [code for code in map(ast.unparse, functions) if of_posix.search(code)]
        assert asking and all("ImportError" in code for code in asking), path.name


def test_text_is_read_and_written_with_its_encoding() -> None:
    """On Windows text is not UTF-8 unless it is said to be."""
    asks = re.compile(r"[^(]*\.(read|write)_text\(|[^(]*\bopen\(([^()]*, )?'[rwax+]+'")
    for path in sorted((ROOT / "src").rglob("*.py")):
        calls = [ast.unparse(node) for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        assert not [code for code in calls if asks.match(code) and "encoding=" not in code], path.name


@pytest.mark.parametrize("path", BUILD_FILES, ids=[path.name for path in BUILD_FILES])
def test_the_compiler_of_windows_gets_the_options_that_decide_about_bits(path: Path) -> None:
    """clang-cl ignores them with a warning unless they stand behind /clang:."""
    words = re.split(r'[\s"()]+', re.sub(r"#.*", "", path.read_text()))
    of_clang = {word for word in words if re.search(r"-ffp-|-fno-(math|trapping)|-fvisibility|-O3$|-Wall$", word)}
    assert "${clang}-ffp-contract=off" in of_clang
    assert all(word.startswith("${clang}-") for word in of_clang), of_clang
