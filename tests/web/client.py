"""Calls an application directly: a request is a scope, exactly as given, so that a hostile path is not cleaned up."""

import asyncio
import json
from collections.abc import Coroutine, MutableMapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote

from glasswood.web.server._guard import ASGI


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Client:
    app: ASGI

    def get(self, path: str, **headers: str) -> Answer:
        return run(ask(self.app, "GET", path, headers))

    def post(self, path: str, body: bytes, **headers: str) -> Answer:
        return run(ask(self.app, "POST", path, headers, body))


def run(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Run to the end in a separate thread, because the browser tests keep a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def ask(app: ASGI, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> Answer:
    """Send one request; header names have _ for -."""
    given = {"host": "127.0.0.1:8000", **{name.replace("_", "-"): value for name, value in headers.items()}}
    path, _, query = path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in given.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 8000),
    }
    # a long body comes in pieces, as from a socket
    pieces = [body[k : k + 65536] for k in range(0, len(body), 65536)] or [b""]
    sent: list[MutableMapping[str, Any]] = []

    async def receive() -> MutableMapping[str, Any]:
        if not pieces:
            return {"type": "http.disconnect"}
        piece = pieces.pop(0)
        return {"type": "http.request", "body": piece, "more_body": bool(pieces)}

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await app(scope, receive, send)
    start = sent[0]
    found = {name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]}
    return Answer(start["status"], found, b"".join(message.get("body", b"") for message in sent[1:]))
