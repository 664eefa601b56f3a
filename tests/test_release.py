"""What a release is made of: workflows that run the commands of the Makefile, and the wheels that are built."""

import re
import tomllib
from pathlib import Path

import glasswood

ROOT = Path(__file__).parent.parent
WORKFLOWS = {path.stem: path.read_text() for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))}
TARGETS = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def commands(workflow: str) -> set[str]:
    """The targets of make that a workflow runs, those of its matrix too."""
    listed = re.findall(r"^ +command: \[(.+)\]$", workflow, re.MULTILINE)
    return set(re.findall(r"\bmake ([a-z]+)", workflow)) | {name for line in listed for name in line.split(", ")}


def test_workflows_run_the_commands_of_the_makefile() -> None:
    found = {name: commands(text) for name, text in WORKFLOWS.items()}
    assert found["test"] == {"test"}
    assert found["nightly"] >= {"explore", "asan", "bits", "compilers", "dist"}
    assert set().union(*found.values()) <= TARGETS
    assert "cron:" in WORKFLOWS["nightly"] and "pypa/cibuildwheel" in WORKFLOWS["wheels"]
    assert all("\npermissions:\n  contents: read\n" in text for text in WORKFLOWS.values())  # none of them publishes


def test_wheels_are_built_for_every_system_and_python() -> None:
    settings = PROJECT["tool"]["cibuildwheel"]
    assert settings["build"] == ["cp311-*", "cp312-*", "cp313-*", "cp314-*", "cp314t-*"]  # musllinux among them
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert {"manylinux-x86_64-image", "musllinux-aarch64-image"} <= set(settings["linux"])
    machines = re.findall(r"machine: \[(.+)\]", WORKFLOWS["wheels"])[0].split(", ")
    kinds = [re.sub(r"-[\d.]+", "", machine) for machine in machines]
    assert kinds == ["ubuntu", "ubuntu-arm", "macos", "macos-intel", "windows"]
    assert settings["windows"]["config-settings"] == {"cmake.args": "-TClangCL"}


def test_the_version_has_its_changes_and_its_support() -> None:
    newest = re.findall(r"^## (\d+\.\d+\.\d+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[0]
    assert newest == glasswood.__version__
    minor = newest.rpartition(".")[0]
    security = (ROOT / "SECURITY.md").read_text()
    assert f"| the newest minor version ({minor}) | all |" in security and "## Deprecation" in security
