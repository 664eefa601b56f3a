import socket

import pytest

from glasswood.cli import main


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
