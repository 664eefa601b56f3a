"""The demo says what it read, and writes a page with everything."""

import json
import re

import numpy as np
import pytest

from glasswood.demo import FEATURES, _train, demo, passengers
from glasswood.tables import column_names
from glasswood.web.panels._registry import PANELS


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    said: list[str] = []
    path = tmp_path_factory.mktemp("demo") / "report.html"
    demo(said.append, path)
    return "\n".join(said), path.read_text(encoding="utf-8")


def test_the_demo_says_what_it_read(shown: tuple[str, str]) -> None:
    text, _ = shown
    assert "1,309 passengers, 7 features, 266 values missing" in text
    assert "every passenger reaches the same leaf of every tree" in text
    for part in (
        "trees         150",
        "BoostingClassifier",
        "What matters most: sex",
        "What interacts: ",
        "  if sex in {",
    ):
        assert part in text


def test_the_shares_it_says_add_up(shown: tuple[str, str]) -> None:
    line = next(line for line in shown[0].splitlines() if line.startswith("What it is made of"))
    shares = [float(text) for text in re.findall(r"(-?[\d.]+)%", line)]
    assert len(shares) == 3 and abs(sum(shares) - 100) < 0.2


def test_the_page_has_every_panel_and_needs_nothing_else(shown: tuple[str, str]) -> None:
    _, html = shown
    assert len(html) < 2_000_000
    found = re.search(r'id="page-data">(.*?)</script>', html)
    assert found is not None
    page = json.loads(found.group(1))
    assert page["title"] == "Who survived the Titanic?"
    # the demo has one model, so that nothing is compared
    assert [section["kind"] for section in page["sections"]] == [kind for kind in PANELS if kind != "comparison"]
    assert not any("refused" in section["data"] for section in page["sections"])
    assert not re.search(r"""(src|href)=["']?https?:""", html)


def test_passengers_come_with_text_and_gaps() -> None:
    X, y = passengers()
    assert tuple(column_names(X)) == FEATURES
    assert len(y) == 1309
    assert (y == "survived").sum() == 500


def test_columns_that_reveal_the_target_are_not_used() -> None:
    assert not {"boat", "body", "survived", "name"} & set(FEATURES)


def test_the_demo_needs_no_library_of_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """`pipx run` installs what glasswood itself asks for, and no more."""
    X, y = passengers()
    with_frames = _train(X, y)
    monkeypatch.setattr("glasswood.tables._make_frame.find_spec", lambda name: None)
    array, same_y = passengers()
    assert isinstance(array, np.ndarray) and array.shape == (1309, len(FEATURES)) and (y == same_y).all()
    alone = _train(array, y)
    assert alone.feature_names == FEATURES
    np.testing.assert_array_equal(alone.predict_raw(array), with_frames.predict_raw(X))
