"""The server: files of the page, documents and JSON with their ETags, on 127.0.0.1."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from glasswood.errors import MissingDependencyError, OptionError
from glasswood.web.page._bundle import REGISTRY, registry_text, static_names, static_text
from glasswood.web.page._document import linked_document, to_json
from glasswood.web.server._guard import ASGI, guard

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from glasswood.web.page._page import Page

_TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


def page_app(page: Page) -> ASGI:
    """Application that serves one page; its numbers are at ``page.json``."""
    require_starlette()
    from starlette.routing import Route

    content = to_json(page.to_dict())
    document = linked_document(page.title, "page")

    async def numbers(request: Request) -> Response:
        return answer(request, content, "application/json")

    async def index(request: Request) -> Response:
        return answer(request, document, "text/html")

    return make_app([Route("/", index), Route("/page.json", numbers)], page.scripts())


def make_app(routes: list[BaseRoute], scripts: Mapping[str, str]) -> ASGI:
    """Application with some routes, the files of the page, and the guard; `scripts` as in a page."""
    from starlette.applications import Starlette
    from starlette.routing import Route

    # read once by their names in the package; no path from a request reaches the file system
    known = {name: static_text(name) for suffix in _TYPES for name in static_names(suffix)}
    known[REGISTRY] = registry_text(scripts)

    async def own_file(request: Request) -> Response:
        name = request.path_params["name"]
        if name not in known:
            return json_answer(request, {"error": "there is no such file"}, 404)
        return answer(request, known[name], _TYPES["." + name.rpartition(".")[2]])

    return guard(Starlette(routes=[*routes, Route("/static/{name:path}", own_file)]))


def answer(request: Request, text: str, media_type: str, status: int = 200) -> Response:
    """Text with its ETag; a browser that already has it gets status 304."""
    from starlette.responses import Response

    body = text.encode()
    tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache"}
    if status == 200 and request.method in ("GET", "HEAD") and request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(body, status, headers, f"{media_type}; charset=utf-8")


def json_answer(request: Request, document: Any, status: int = 200) -> Response:
    """A document as JSON."""
    return answer(request, to_json(document), "application/json", status)


def require_starlette() -> None:
    """Raise unless the web extra is installed."""
    try:
        import starlette
        import uvicorn  # noqa: F401
    except ImportError:
        raise MissingDependencyError("serving needs starlette and uvicorn: pip install 'glasswood[web]'") from None
    del starlette


def run(app: ASGI, port: int, *, open_browser: bool = False) -> None:
    """Serve an application on 127.0.0.1 until interrupted."""
    import uvicorn

    check_port(port)
    if open_browser:
        _open_soon(f"http://127.0.0.1:{port}/")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", server_header=False)


def check_port(port: Any) -> None:
    """Raise unless the port is valid and free on 127.0.0.1."""
    import socket

    if not isinstance(port, int) or not 0 < port < 65536:
        raise OptionError(f"port must lie between 1 and 65535, got {port!r}")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # like the server itself
        try:
            tried.bind(("127.0.0.1", port))
        except OSError as error:
            raise OptionError(f"port {port} cannot be used ({error.strerror}); choose another") from None


def _open_soon(address: str) -> None:
    import threading
    import webbrowser

    # the server listens within a second; a browser that asks earlier would show an error
    timer = threading.Timer(1.0, webbrowser.open, [address])
    timer.daemon = True
    timer.start()
