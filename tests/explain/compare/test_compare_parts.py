"""compare of parts is that of all rows in one table, whatever the cut."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.errors import OptionError
from glasswood.explain.compare import compare_parts
from glasswood.explain.effects import weight_unit
from tests.explain.several_parts import Several


def problem(n_classes: int) -> tuple[pd.DataFrame, Any, Any, list[Any]]:
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"a": rng.normal(size=120).round(1), "b": rng.normal(size=120)})
    X["town"] = np.sort(rng.choice(["Ayr", "Bath", "Cork"], 120)).astype(object)
    X.loc[rng.random(120) < 0.1, "b"] = np.nan
    y = X["a"] * X["b"].fillna(0) + (X["town"] == "Bath")
    target: Any = np.array(list("rst"))[:n_classes][y.rank().to_numpy().astype(int) % n_classes] if n_classes else y
    kind = gw.BoostingClassifier if n_classes else gw.BoostingRegressor
    models = [kind(n_estimators=n, max_depth=2).fit(X, target) for n in (4, 2)]
    return X, target, np.exp(rng.normal(size=120)) * (rng.random(120) > 0.1), models


def parts_of(*tables: Any, ends: tuple[int, ...] = (0, 7, 60, 120)) -> Several:
    cuts = list(itertools.pairwise(ends))
    return Several([tuple(None if t is None else t[a:b] for t in tables) for a, b in cuts])


@pytest.mark.parametrize("n_classes", [0, 2, 3])
def test_a_cut_gives_the_comparison_of_one_table(n_classes: int) -> None:
    X, y, weight, (a, b) = problem(n_classes)
    for target, given in ((y, weight), (None, None)):
        unit = None if given is None else weight_unit(given)
        options: dict[str, Any] = {"with_y": target is not None, "scale": "auto", "unit": unit, "n_jobs": None}
        found = compare_parts(a, b, parts_of(X, target, given), X[:7], **options)
        assert found.to_dict() == gw.compare(a, b, X, target, sample_weight=given).to_dict()
        assert found.kind == "pandas"


def test_numbers_and_classes_have_no_loss_in_common() -> None:
    X, y, _, (a, _) = problem(2)
    other = gw.TreeRegressor().fit(X[["a"]], X["a"])
    with pytest.raises(OptionError, match="no loss suits both"):
        compare_parts(a, other, parts_of(X, y, None), X[:7], with_y=True, scale="raw", unit=None, n_jobs=None)
