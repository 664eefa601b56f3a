"""A comparison as a frame, a document, a page and a picture."""

import json

import pandas as pd

import glasswood as gw
from tests.agreement.small_models import frame, own, target


def test_a_frame_of_the_caller_s_kind_and_a_page() -> None:
    (a, X), b = own(0), gw.BoostingRegressor(n_estimators=4, max_depth=2).fit(frame(), target(0))
    found = gw.compare(a, b, X)
    assert isinstance(found.to_frame(), pd.DataFrame) and found.to_frame()["what"].iloc[2] == "sd"
    page = found._repr_html_()
    assert "Rows with the largest difference" in page and "Importance" in page
    assert found.plot().get_xlabel().startswith("sd of the effect")
    assert repr(found).startswith("<Comparison over 60 rows")
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False))["n_rows"] == 60
