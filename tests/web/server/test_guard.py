import pytest

from glasswood.web.page import Page
from glasswood.web.server._serve import page_app
from tests.web.client import Client

CLIENT = Client(page_app(Page("Empty", ())))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:8000", "localhost:1", "LOCALHOST", "[::1]", "[::1]:8000"])
def test_names_of_this_machine_are_answered(host: str) -> None:
    assert CLIENT.get("/", host=host).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1:80x", "", "localhost@evil", "x:80"]
)
def test_other_hosts_are_refused(host: str) -> None:
    answer = CLIENT.get("/", host=host)
    assert answer.status == 421
    assert "only for 127.0.0.1" in answer.json()["error"]


def test_a_request_from_another_site_is_refused() -> None:
    assert CLIENT.get("/page.json", origin="http://evil.example").status == 421
    assert CLIENT.get("/page.json", origin="http://127.0.0.1:8000").status == 200


@pytest.mark.parametrize("path", ["/", "/page.json", "/static/main.js", "/nowhere"])
def test_every_answer_carries_the_policy(path: str) -> None:
    headers = CLIENT.get(path).headers
    assert (
        headers["content-security-policy"]
        == "default-src 'self'; img-src 'self' blob:; base-uri 'none'; frame-ancestors 'self'"
    )
    assert headers["x-content-type-options"] == "nosniff"
