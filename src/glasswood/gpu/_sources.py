"""Sources: the text of a kernel file with everything it includes, as one piece for the compiler."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from glasswood import _native

KERNEL_FILES = ("explain.cu", "gradients.cu", "predict.cu", "tables.cu", "trees.cu")
LOSSES = {
    "squared_error": 0, "absolute_error": 1, "quantile": 2, "poisson": 3, "gamma": 4, "tweedie": 5, "logistic": 6,
    "softmax": 7, "": 8,
}  # fmt: skip
GAINS = {"newton": 0, "cred_var": 1, "cred_std": 2, "welch": 3}
POWERED_WELCH = 4  # with rho other than 1

_INCLUDE = re.compile(r'^#include "([^"]+)"\n', re.MULTILINE)


@cache
def kernel_text(name: str) -> str:
    """Text of a kernel file, with the text of each header in place of its first `#include`."""
    formulas = _native.formula_texts()
    seen: set[str] = set()

    def expanded(text: str) -> str:
        return _INCLUDE.sub(lambda found: included(found[1]), text)

    def included(header: str) -> str:
        if header in seen:
            return ""
        seen.add(header)
        return expanded(formulas[header] if header in formulas else _own_text(header)).replace("#pragma once\n", "")

    return expanded(_own_text(name))


def definitions(macros: Mapping[str, int]) -> tuple[str, ...]:
    """Macros as options of a compiler."""
    return tuple(f"-D{name}={value}" for name, value in macros.items())


def _own_text(name: str) -> str:
    return (files("glasswood.gpu") / "kernels" / name).read_text(encoding="utf-8")
