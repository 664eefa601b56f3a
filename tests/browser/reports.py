"""Reports for the browser tests, built once per process."""

from functools import cache
from typing import Any

import glasswood as gw
from tests.web.cases import binary, numbers, several

CASES = {"binary": binary, "several": several, "numbers": numbers}


@cache
def report_of(case: str, *, with_target: bool = True) -> Any:
    """A report on one of the small models."""
    model, X, y = CASES[case]()
    return gw.report(model, X, y if with_target else None)


def data_of(page: Any, kind: str) -> dict[str, Any]:
    """Data of one panel of a report."""
    return next(section.data for section in page.sections if section.kind == kind)
