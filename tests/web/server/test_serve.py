import builtins
from typing import Any

import pytest

import glasswood as gw
from glasswood.web.page import Page, Section
from glasswood.web.page._bundle import static_names, static_text
from glasswood.web.server._serve import page_app, run
from tests.web.client import Client

PAGE = Page("Two", (Section("tree", "Tree", {"a": [1, None]}, "panels/tree.js"),))
CLIENT = Client(page_app(PAGE))


def test_the_served_numbers_are_those_of_the_page() -> None:
    answer = CLIENT.get("/page.json")
    assert answer.json() == PAGE.to_dict()
    assert answer.headers["content-type"] == "application/json; charset=utf-8"


def test_what_the_browser_has_is_not_sent_again() -> None:
    tag = CLIENT.get("/page.json").headers["etag"]
    again = CLIENT.get("/page.json", if_none_match=tag)
    assert (again.status, again.body) == (304, b"")
    assert CLIENT.get("/page.json", if_none_match='"other"').status == 200


def test_own_files_are_served_with_their_type() -> None:
    for name in static_names(".js"):
        answer = CLIENT.get(f"/static/{name}")
        assert answer.text == static_text(name)
        assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "name",
    ["", "none.js", "../_page.py", "%2e%2e/_page.py", "/etc/passwd", "..%2f_page.py", "main.js%00", "index.html"],
)
def test_no_path_reaches_the_file_system(name: str) -> None:
    assert CLIENT.get(f"/static/{name}").status == 404


def test_a_port_must_be_valid() -> None:
    with pytest.raises(gw.OptionError, match="port must lie between 1 and 65535, got 70000"):
        run(page_app(PAGE), 70000)


def test_serving_says_which_extra_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith(("starlette", "uvicorn")):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(gw.MissingDependencyError, match=r"glasswood\[web\]"):
        PAGE.serve()
