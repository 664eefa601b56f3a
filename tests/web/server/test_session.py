from dataclasses import replace
from pathlib import Path

import lightgbm
import numpy as np
import pandas as pd
import pytest

import glasswood as gw
from glasswood.data import load_titanic
from glasswood.ensemble import NOT_CHECKED
from glasswood.web.panels._subject import Subject
from glasswood.web.server._session import Session
from glasswood.web.server._settings import FieldError, Settings


def csv(**columns: object) -> bytes:
    return pd.DataFrame(columns).to_csv(index=False).encode()


def test_generated_rows_have_the_names_of_the_page() -> None:
    subject = Session().subject(Settings(seed=3, n=50))
    assert subject.model.ensemble_.feature_names == ("X0", "X1")
    assert subject.title == "moons: 50 rows, 2 classes, seed 3"
    assert subject.X.shape == (50, 2)


def test_the_same_settings_are_made_once() -> None:
    session = Session()
    assert session.subject(Settings(n=20)) is session.subject(Settings(n=20))


def test_the_rows_are_given_back() -> None:
    session = Session()
    rows = session.columns(Settings(n=10))
    np.testing.assert_array_equal(rows["columns"]["X0"], session.subject(Settings(n=10)).X[:, 0])
    with pytest.raises(FieldError, match="only generated rows"):
        session.columns(Settings(data="table"))


@pytest.mark.parametrize(
    ("y", "kind"),
    [
        (["a", "b", "a", "b"], "TreeClassifier"),
        ([0, 1, 0, 1], "TreeClassifier"),
        ([True, False, True, False], "TreeClassifier"),
        ([0.5, 1.0, 2.25, 3.0], "TreeRegressor"),
    ],
)
def test_the_target_says_which_tree_is_grown(y: list[object], kind: str) -> None:
    session = Session()
    sent = session.send_table(csv(u=[1, 2, 3, 4], y=y))
    subject = session.subject(Settings(data="table", table=sent["table"]))
    assert type(subject.model).__name__ == kind


def test_a_sent_model_is_shown_with_a_sent_table(tmp_path: Path) -> None:
    frame = load_titanic("pandas")
    X = frame[["pclass", "sex", "age", "fare"]]
    model = gw.TreeClassifier(max_depth=3).fit(X, frame["survived"])
    model.ensemble_.save(tmp_path / "m.gw")
    session = Session()
    table, sent = (
        session.send_table(frame.to_csv(index=False).encode()),
        session.send_model((tmp_path / "m.gw").read_bytes()),
    )
    assert sent["features"] == ["pclass", "sex", "age", "fare"] and sent["trees"] == 1
    settings = Settings(data="table", table=table["table"], target="survived", model=sent["model"])
    subject = session.subject(settings)
    np.testing.assert_allclose(subject.model.predict(subject.X), model.predict_proba(X)[:, 1])


def test_what_does_not_fit_names_its_field() -> None:
    session = Session()
    key = session.send_table(csv(u=[1, 2], y=["a", None]))["table"]
    lone = session.send_table(csv(y=[1, 2]))["table"]
    for settings, field, said in [
        (Settings(data="table"), "table", "choose a table file"),
        (Settings(data="table", table="nothing"), "table", "no longer in memory"),
        (Settings(data="table", table=key, target="z"), "target", "no column 'z'"),
        (Settings(data="table", table=key), "target", "missing in row 1"),
        (Settings(data="table", table=lone), "table", "no column besides the target"),
        (Settings(data="table", table=key, target="u", model="gone"), "model", "choose a model file"),
    ]:
        with pytest.raises(FieldError, match=said) as refused:
            session.subject(settings)
        assert refused.value.field == field


@pytest.mark.parametrize(
    ("y", "said"), [([1.5, None, 2.5], "missing in row 1"), ([0.5, 1e300, 2.5], r"1e\+300 in row 1")]
)
def test_a_target_no_tree_fits_is_named_beside_its_field(y: list[object], said: str) -> None:
    session = Session()
    sent = session.send_table(csv(u=[1, 2, 3], price=y))
    with pytest.raises(FieldError, match=f"price is {said}") as caught:
        session.subject(Settings(data="table", table=sent["table"]))
    assert caught.value.field == "target"


def test_the_model_the_app_was_started_with_is_always_there() -> None:
    own = Subject("own", None, None)
    assert Session(own).subject(Settings(data="given")) is own
    with pytest.raises(FieldError, match="started without a model"):
        Session().subject(Settings(data="given"))
    with pytest.raises(FieldError, match="only generated rows"):
        Session(own).columns(Settings(data="given"))


def test_only_generated_rows_are_a_classroom() -> None:
    session = Session()
    assert session.subject(Settings(n=20)).classroom
    sent = session.send_table(csv(u=[1, 2, 3, 4], y=[0, 1, 0, 1]))
    assert not session.subject(Settings(data="table", table=sent["table"])).classroom


def test_an_uploaded_model_is_compared_with_its_library_if_the_user_trusts_it() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"u": rng.normal(size=200), "v": rng.normal(size=200)})
    y = (frame["u"] > frame["v"]).astype(int)
    model = lightgbm.LGBMClassifier(n_estimators=3, num_leaves=4, verbose=-1, n_jobs=1).fit(frame, y)
    session = Session()
    table = session.send_table(frame.assign(y=y).to_csv(index=False).encode())["table"]
    sent = session.send_model(model.booster_.model_to_string().encode())["model"]
    settings = Settings(data="table", table=table, target="y", model=sent)
    assert session.subject(settings).ensemble().source.parity == NOT_CHECKED
    parity = session.subject(replace(settings, check=True)).ensemble().source.parity
    assert parity.leaves_equal and parity.n_rows == 200


def test_a_target_with_a_class_for_every_row_is_named_beside_its_field() -> None:
    session = Session()
    sent = session.send_table(csv(u=range(200), customer=[f"person {i}" for i in range(200)]))
    with pytest.raises(FieldError, match="customer has 200 different texts, and a tree tells at most 100") as caught:
        session.subject(Settings(data="table", table=sent["table"]))
    assert caught.value.field == "target"
