"""The README's example runs, and prints what the README says it prints."""

import contextlib
import io
import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"


def shape(text: str) -> list[list[str]]:
    """Lines with every number made alike: digits change with the releases of the libraries, words and layout do not."""
    return [re.sub(r"-?\d[\d.,]*(e-?\d+)?", "#", line).split() for line in text.strip().splitlines()]


def test_the_first_example_prints_what_it_says() -> None:
    blocks = re.findall(r"```python\n(.*?)```\n\n(?:```text\n(.*?)```)?", README.read_text(), re.S)
    assert len(blocks) >= 3
    names: dict[str, object] = {}
    for code, expected in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        assert shape(printed.getvalue()) == shape(expected)
