import socket
from pathlib import Path

import pytest

import glasswood as gw
from glasswood.cli import main
from glasswood.data import load_titanic
from tests.web.client import Client


def test_the_app_says_where_it_listens(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[tuple[int, bool]] = []
    monkeypatch.setattr("glasswood.web.server.run", lambda app, port, open_browser: asked.append((port, open_browser)))
    assert main(["app", "--port", "8765", "--no-browser"]) == 0
    assert asked == [(8765, False)]
    assert "http://127.0.0.1:8765/" in capsys.readouterr().out


def test_an_invalid_port_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", "--port", "70000", "--no-browser"]) == 1
    assert "port must lie between 1 and 65535" in capsys.readouterr().err


def test_a_port_in_use_is_reported_before_an_address_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["app", "--port", str(port), "--no-browser"]) == 1
    said = capsys.readouterr()
    assert f"port {port} cannot be used" in said.err and not said.out


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """A model file and the table it was fitted on."""
    passengers = load_titanic("pandas")[["pclass", "age", "fare", "survived"]]
    model = gw.BoostingClassifier(n_estimators=3, max_depth=2)
    model.fit(passengers[["pclass", "age", "fare"]], passengers["survived"])
    model.ensemble_.save(tmp_path / "model.gw")
    passengers.to_csv(tmp_path / "rows.csv", index=False)
    return [str(tmp_path / "model.gw"), str(tmp_path / "rows.csv")]


def test_the_app_starts_with_a_model_and_its_rows(files: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Client] = []
    monkeypatch.setattr("glasswood.web.server.run", lambda app, port, open_browser: served.append(Client(app)))
    assert main(["app", *files, "--target", "survived", "--no-browser"]) == 0
    (client,) = served
    assert client.get("/api").json()["given"] == "model.gw (glasswood) on rows.csv"
    page = client.get("/api/page?data=given").json()
    assert page["title"] == "model.gw (glasswood) on rows.csv"
    assert "credibility" in [section["kind"] for section in page["sections"]]  # it was grown by gains
    assert client.get("/api/performance?data=given").json()["data"]["task"] == "classes"
    saved = client.get("/api/export?data=given").text
    assert "<title>model.gw (glasswood) on rows.csv</title>" in saved


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (["--target", "survived"], "has no column"),
        ([], "the table lacks"),
    ],
)
def test_what_cannot_be_shown_is_said_before_an_address_is(
    files: list[str],
    chosen: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("glasswood.web.server.run", lambda app, port, open_browser: None)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    assert main(["app", files[0], str(tmp_path / "other.csv"), *chosen, "--no-browser"]) == 1
    shown = capsys.readouterr()
    assert said in shown.err and not shown.out


def test_a_model_needs_rows(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["app", files[0], "--no-browser"]) == 1
    assert "name a table after the model" in capsys.readouterr().err
