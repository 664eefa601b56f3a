"""The fixtures of the page: small trees with numbers that can be checked by hand."""

from typing import Any

import numpy as np

import glasswood as gw
from glasswood.web.page import Page
from glasswood.web.server._toy_data import moons

EIGHT = np.column_stack([np.arange(8.0), np.zeros(8)])
FIRST = np.array([0, 0, 0, 0, 1, 0, 1, 1])
SAME = np.array([1, 1, 0, 1, 1, 1, 1, 1])


def explored(y: Any, X: Any = EIGHT, **options: Any) -> Page:
    """Page about a tree classifier fitted to X, y."""
    return gw.explore(gw.TreeClassifier(**options).fit(X, y), X, y)


def moons_page(n: int = 200, max_depth: int | None = 7) -> Page:
    """The third fixture."""
    X, y = moons(n, 2, 0.3, 7)
    return explored(y, X, max_depth=max_depth)


def first_tree(page: Page) -> dict[str, Any]:
    tree: dict[str, Any] = page.sections[0].data["trees"][0]
    return tree


def titanic_like(n: int = 300) -> tuple[Any, Any]:
    """Numbers with missing values, categories, and text that must stay text."""
    import pandas as pd

    random = np.random.RandomState(0)
    age = random.uniform(1, 80, n).round(1)
    age[::7] = np.nan
    frame = pd.DataFrame(
        {
            "age": age,
            "sex": random.choice(["female", "male"], n),
            "port": pd.Series(random.choice(["C", "Q", "S"], n)).where(random.rand(n) > 0.1),
            "<b>fare</b>": random.exponential(30, n).round(2),
        }
    )
    y = np.where((frame["sex"] == "female") ^ (frame["age"] < 10), "lived", "</script>died")
    y[::11] = "lived"
    return frame, y
