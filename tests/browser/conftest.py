"""A real Chromium: every test also fails on any error in the page and on any request that leaves 127.0.0.1."""

import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from glasswood.web.server._guard import ASGI
from glasswood.web.server._serve import page_app

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 180_000  # ms; generous, because machines may be busy
expect.set_options(timeout=PATIENCE)
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
OpenPage: TypeAlias = Callable[..., Page]
Show: TypeAlias = Callable[..., Page]


def find_chromium() -> str:
    """The system's Chromium; `make test` installs it."""
    for name in NAMES:
        path = shutil.which(name)
        if path is not None:
            return path
    pytest.fail("no Chromium is installed; on Debian: apt-get install -y chromium")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One browser per worker; each page gets a fresh profile."""
    with sync_playwright() as play:
        found = play.chromium.launch(executable_path=find_chromium(), headless=True, args=FLAGS)
        yield found
        found.close()


@contextmanager
def serving(app: ASGI) -> Iterator[str]:
    """Serve an application on a free port of 127.0.0.1."""
    listener = socket.create_server(("127.0.0.1", 0))  # requests before the server is up wait
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    server.should_exit = True
    thread.join()
    listener.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """open_page(address, **context options): a page that is watched until the test ends."""
    wrong: list[str] = []
    with_pages: list[Any] = []

    def opened(address: str, *, expect_errors: bool = False, **options: Any) -> Page:
        context = browser.new_context(**{"viewport": {"width": 1400, "height": 900}, **options})
        with_pages.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: wrong.append(f"error in the page: {error}"))
        if not expect_errors:
            page.on("console", lambda said: wrong.append(f"console: {said.text}") if said.type == "error" else None)
        page.on("request", lambda request: None if _stays(request.url) else wrong.append(f"request to {request.url}"))
        page.goto(address)
        return page

    yield opened
    for context in with_pages:
        context.close()
    assert wrong == []


def _stays(address: str) -> bool:
    return address.startswith(("http://127.0.0.1", "file://", "data:", "blob:", "about:"))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Show pages from their files, and where the forms may differ, served as well.

    Both forms run the same modules with the same numbers; the file may do less: no request, no style that is not its
    own. What every panel looks like, what it downloads and what the page around it does is tested in both.
    """
    if "show" in metafunc.fixturenames:
        both = metafunc.module.__name__.rpartition(".")[2] in ("test_panels", "test_shell")
        metafunc.parametrize("show", ["served", "file"] if both else ["file"], indirect=True)


@pytest.fixture
def show(request: pytest.FixtureRequest, open_page: OpenPage, tmp_path: Path) -> Iterator[Show]:
    """show(page, fragment="", **options): a `glasswood.web.Page` in the browser, from its file or served."""
    servers: list[AbstractContextManager[str]] = []
    looking: list[Page] = []

    def shown(page: Any, fragment: str = "", **options: Any) -> Page:
        if request.param == "file":
            page.save(tmp_path / "page.html")
            return open_page((tmp_path / "page.html").as_uri() + fragment, **options)
        server = serving(page_app(page))
        address = server.__enter__()
        servers.append(server)
        looking.append(open_page(address + fragment, **options))
        return looking[-1]

    yield shown
    # a browser requests the icon at any time; pages are closed before the server
    for page in looking:
        page.close()
    for server in servers:
        server.__exit__(None, None, None)
