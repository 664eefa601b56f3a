"""The version is stated in three places, which agree."""

import re
from pathlib import Path

import glasswood
from glasswood._version import __version__

ROOT = Path(__file__).parent.parent


def test_versions_agree() -> None:
    stated = re.search(r'^version = "(.+)"', (ROOT / "pyproject.toml").read_text(), re.M)
    cited = re.search(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert stated is not None and cited is not None
    assert glasswood.__version__ == __version__ == stated.group(1) == cited.group(1)
