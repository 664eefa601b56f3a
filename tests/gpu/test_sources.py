"""Sources: one text per kernel file, with every header once; the names of losses and gains are those of the core."""

import ast
import re
from pathlib import Path

import pytest

import glasswood
from glasswood import _native
from glasswood.gpu._sources import GAINS, KERNEL_FILES, LOSSES, definitions, kernel_text
from glasswood.train.boosting import GAINS as GAIN_NAMES


@pytest.mark.parametrize("name", KERNEL_FILES)
def test_a_text_has_every_header_once(name: str) -> None:
    text = kernel_text(name)
    assert "#include" not in text and "#pragma once" not in text
    assert text.count("struct NodeSums {") == 1 and 'extern "C" __global__' in text


def test_losses_and_gains_have_the_numbers_of_the_core() -> None:
    assert list(LOSSES.items())[:-1] == [(name, k) for k, name in enumerate(_native.loss_names())]
    assert list(GAINS.items()) == [(name, k) for k, name in enumerate(GAIN_NAMES)]


def test_macros_become_options() -> None:
    assert definitions({"DEPTH": 6, "GW": 2}) == ("-DDEPTH=6", "-DGW=2")


def test_one_function_imports_cupy() -> None:
    """So nothing else can ask for it where it is not installed; test_house.py refuses it at the top of a file."""
    functions = [
        (path.name, node.name)
        for path in Path(glasswood.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and re.search(r"(import|from) cupy", ast.unparse(node))
    ]
    assert functions == [("_cuda_device.py", "import_cupy")]
