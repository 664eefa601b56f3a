import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pandas as pd
import pytest

import glasswood as gw
from glasswood._progress import Progress
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._registry import PANELS
from glasswood.web.panels._subject import Subject
from glasswood.web.server import _app, web_app
from glasswood.web.server._toy_data import moons
from tests.web.client import Client, ask
from tests.web.examples import first_tree, moons_page

CLIENT = Client(web_app())


def test_the_page_is_the_apps() -> None:
    answer = CLIENT.get("/")
    assert answer.status == 200 and '<body data-source="app">' in answer.text


def test_the_api_says_what_there_is() -> None:
    about = CLIENT.get("/api").json()
    assert "tree" in about["kinds"] and about["generators"] == ["moons", "circles", "blobs", "xor"]
    assert about["limits"]["rows"] == 10_000


def test_the_tree_is_what_explore_gives() -> None:
    answer = CLIENT.get("/api/tree?seed=7&n=200&noise=0.3&max_depth=7").json()
    expected = json.loads(json.dumps(moons_page().sections[0].to_dict()).replace('"x0', '"X0').replace('"x1', '"X1'))
    served, own = answer["data"]["trees"][0], expected["data"]["trees"][0]
    assert served["label"] == own["label"] and served["label"][0] == "X1 <= 0.325"
    assert {key for key in own if served[key] != own[key]} <= {"rule"}
    assert answer["data"]["rows"] == expected["data"]["rows"]


def test_the_same_settings_give_the_same_bytes_even_from_another_server() -> None:
    address = "/api/tree?data=blobs&seed=5&n=80&classes=3&noise=0.4"
    first = CLIENT.get(address)
    assert first.body == CLIENT.get(address).body == Client(web_app()).get(address).body
    assert CLIENT.get(address, if_none_match=first.headers["etag"]).status == 304


def test_the_rows_come_as_columns() -> None:
    X, y = moons(30, 2, 0.3, 7)
    assert CLIENT.get("/api/data?n=30").json() == {
        "columns": {"X0": X[:, 0].tolist(), "X1": X[:, 1].tolist()},
        "target": y.tolist(),
    }


def test_the_outline_lists_the_panels() -> None:
    page = CLIENT.get("/api/page?n=30").json()
    assert page["title"] == "moons: 30 rows, 2 classes, seed 7"
    assert {"kind": "tree", "title": "Tree"} in page["sections"]


def test_the_export_is_one_file() -> None:
    answer = CLIENT.get("/api/export?n=30")
    assert answer.headers["content-disposition"] == 'attachment; filename="glasswood.html"'
    assert 'id="page-data"' in answer.text


@pytest.mark.parametrize(
    ("query", "field"), [("seed=abc", "seed"), ("n=1e9", "n"), ("sead=1", "sead"), ("data=table", "table"), ("n=", "n")]
)
@pytest.mark.parametrize("kind", ["tree", "page", "export"])
def test_a_refusal_names_its_field(kind: str, query: str, field: str) -> None:
    answer = CLIENT.get(f"/api/{kind}?{query}")
    assert answer.status == 422
    assert answer.json()["field"] == field and answer.json()["error"]


@pytest.mark.parametrize(("path", "status"), [("/api/nothing", 404), ("/api/tree/x", 404), ("/api/../x", 404)])
def test_unknown_addresses_are_not_found(path: str, status: int) -> None:
    assert CLIENT.get(path).status == status


def test_a_panel_with_nothing_to_show_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PANELS, "tree", Panel("tree", "Tree", lambda subject: None, "panels/tree.js"))
    answer = Client(web_app()).get("/api/tree")
    assert answer.status == 404 and "nothing to show" in answer.json()["error"]


def test_own_tables_and_models_are_sent_and_shown(tmp_path: Path) -> None:
    client = Client(web_app())
    frame = pd.DataFrame({"<b>u</b>": [1.0, 2.0, 3.0, 4.0], "v": list("xyxy"), "y": ["no", "no", "</script>", "no"]})
    sent = client.post("/api/table", frame.to_csv(index=False).encode()).json()
    assert sent["rows"] == 4 and sent["columns"][0] == {"name": "<b>u</b>", "kind": "number"}
    tree = client.get(f"/api/tree?data=table&table={sent['table']}&target=y").json()["data"]
    assert tree["classes"] == ["</script>", "no"]
    model = gw.TreeClassifier(max_depth=1).fit(frame[["<b>u</b>", "v"]], frame["y"])
    model.ensemble_.save(tmp_path / "m.gw")
    answer = client.post("/api/model", (tmp_path / "m.gw").read_bytes()).json()
    shown = client.get(f"/api/tree?data=table&table={sent['table']}&model={answer['model']}").json()["data"]
    assert shown["trees"][0]["label"] == first_tree(gw.explore(model, frame[["<b>u</b>", "v"]], frame["y"]))["label"]


def test_large_bodies_are_refused_before_they_are_read_to_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_app, "MAX_BYTES", 1024 * 1024)
    answer = Client(web_app()).post("/api/table", b"a,b\n" + b"1,2\n" * 400_000)
    assert answer.status == 413 and answer.json()["error"] == "the file is larger than 1 MB"


@pytest.mark.parametrize("body", [b"", b"\x00" * 100, b"\x80\x04.", b"PAR1", b"{" * 100_000, b'{"a":' * 50_000])
@pytest.mark.parametrize("kind", ["table", "model"])
def test_malformed_bodies_are_refused(kind: str, body: bytes) -> None:
    answer = CLIENT.post(f"/api/{kind}", body)
    assert answer.status == 422 and answer.json()["error"]
    assert CLIENT.get("/api").status == 200


def test_two_hundred_requests_at_once_are_answered() -> None:
    app = web_app()

    async def many() -> list[int]:
        good = [ask(app, "GET", f"/api/tree?seed={k % 10}&n=60", {}) for k in range(120)]
        bad = [ask(app, "GET", f"/api/tree?seed=x{k}", {}) for k in range(40)]
        files = [ask(app, "POST", "/api/table", {}, b"a,b\n1\n" * k) for k in range(40)]
        return [answer.status for answer in await asyncio.gather(*good, *bad, *files)]

    with ThreadPoolExecutor(1) as thread:
        statuses = thread.submit(asyncio.run, many()).result()
    assert statuses == [200] * 120 + [422] * 80


def test_an_unexpected_error_is_reported_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(subject: object) -> None:
        raise TypeError("insides")

    monkeypatch.setitem(PANELS, "rules", Panel("rules", "Rules", fails, "panels/rules.js"))
    answer = Client(web_app()).get("/api/rules?n=21")
    assert answer.status == 500
    assert "cannot be shown" in answer.json()["error"] and "insides" not in answer.text


def test_any_tree_is_shown_by_its_number() -> None:
    X, y = moons(200, 2, 0.3, 7)
    forest = gw.ForestClassifier(6, max_depth=3, random_state=0).fit(X, y)
    app = Client(web_app(Subject("forest", forest, X, y, max_nodes=40)))
    first, fifth = (app.get(f"/api/tree?data=given&first_tree={k}").json()["data"] for k in (0, 5))
    assert first["n_trees"] == 6 and first["trees"][0]["number"] == 0 and len(first["trees"]) < 6
    assert [tree["number"] for tree in fifth["trees"]] == [5]
    assert fifth["trees"][0]["label"] == gw.explore(forest, X, y, first_tree=5).sections[0].data["trees"][0]["label"]
    for wrong in ("6", "-1", "x", "9" * 50):
        assert app.get(f"/api/tree?data=given&first_tree={wrong}").status == 422


def test_progress_is_said_while_a_panel_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []

    def build(subject: Subject) -> dict[str, int]:
        with Progress("steps", 3, show=False) as bar:
            bar.step(2)
            said.append(client.get("/api/progress?n=20&kind=slow").json())
        return {}

    monkeypatch.setitem(PANELS, "slow", Panel("slow", "Slow", build, "panels/tree.js"))
    client = Client(web_app())
    assert client.get("/api/slow?n=20").status == 200
    assert said == [{"doing": "steps: 2 of 3"}]
    assert client.get("/api/progress?n=20&kind=slow").json() == {"doing": ""}


def test_the_nearest_change_of_any_row_is_searched() -> None:
    X, y = moons(200, 2, 0.3, 7)
    tree = gw.TreeClassifier(max_depth=3).fit(X, y)
    app = Client(web_app(Subject("tree", tree, X, y, n_examples=3)))
    rows = app.get("/api/prediction?data=given").json()["data"]["rows"]
    assert len(rows) == 3
    near = app.get("/api/nearest?data=given&row=17").json()["data"]
    found = gw.counterfactuals(tree, X[17:18], 1 - int(tree.predict(X[17:18])[0]), X=X)
    assert near["status"] == "proven"
    assert [change["feature"] for change in near["changes"]] == list(found.changes[0])
    for wrong in ("200", "-1", "x", "", "9" * 50):
        assert app.get(f"/api/nearest?data=given&row={wrong}").status == 422


def test_a_changed_row_is_answered_by_the_server() -> None:
    X, y = moons(200, 2, 0.3, 7)
    tree = gw.TreeClassifier(max_depth=3).fit(X, y)
    app = Client(web_app(Subject("tree", tree, X, y, n_examples=3)))
    row = app.get("/api/prediction?data=given").json()["data"]["rows"][0]
    assert app.get(f"/api/predict?data=given&row={row['row']}").json()["data"]["raw"] == row["raw"]
    found = app.get(f"/api/predict?data=given&row={row['row']}&cells=0.0_1.-1").json()["data"]
    changed = X[[row["row"]]].copy()
    changed[0] = [X[:, 0].min() - 1, float("nan")]
    assert found["raw"] == gw.read(tree).predict_raw(changed).ravel().tolist()
    assert len(found["parts"]) == 1 and len(found["parts"][0]) == 2
    single = app.get("/api/single?data=given&feature=x0&cells=0_-1").json()["data"]["raw"]
    assert len(single) == 3 and len(single[0]) == 2
    for wrong in ("row=200", "row=0&cells=2.0", "row=x", "row=0&cells=0.a"):
        assert app.get(f"/api/predict?data=given&{wrong}").status == 422
    assert app.get("/api/single?data=given&feature=x7&cells=0").status == 422
