"""Models as text: what the files look like; `tests/artefacts` runs them."""

import dataclasses

import pandas as pd
import pytest

import glasswood as gw
from glasswood.ensemble import NO_LINK
from glasswood.writers import model_c, model_python, model_sql
from glasswood.writers._model_tables import model_tables

X = pd.DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "k": pd.Categorical(list("xxyy"))})


def stump(feature: str) -> gw.Ensemble:
    return gw.TreeRegressor(max_depth=1).fit(X[[feature]], [1.0, 1.0, 4.0, 4.0]).ensemble_


def test_a_stump_in_sql_is_one_case() -> None:
    text = model_sql(stump("a"), "people")
    assert 'CASE WHEN "a" <= 2.5e0 THEN 1.0e0 ELSE 4.0e0 END AS "raw"' in text and 'FROM "people"' in text
    assert "\"k\" IN ('x')" in model_sql(stump("k")) or "\"k\" NOT IN ('y')" in model_sql(stump("k"))


def test_a_module_says_what_it_has() -> None:
    text = model_python(stump("a"))
    assert "FEATURES = ('a',)" in text and "def predict(row):" in text and "import math" in text


def test_a_c_file_lists_the_codes_of_levels() -> None:
    assert "x[0] 'k': 0 = 'x', 1 = 'y'" in model_c(stump("k"))


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(gw.UnsupportedModelError, match="is not known"):
        model_tables(dataclasses.replace(stump("a"), link=NO_LINK))
    model = stump("k")
    features = dataclasses.replace(model.features, categories=(("#1", "#2"),), hashes=((1, 2),))
    with pytest.raises(gw.UnsupportedModelError, match="only hashes"):
        model_tables(dataclasses.replace(model, features=features))
