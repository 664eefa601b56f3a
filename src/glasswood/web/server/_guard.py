"""guard: security headers for every response, and checks of every request."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, TypeAlias

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]
ASGI: TypeAlias = Callable[[Scope, Receive, Send], Awaitable[None]]

HOSTS = frozenset({"127.0.0.1", "localhost", "[::1]"})
HEADERS = (
    # blob: figures are downloaded as pictures
    (
        b"content-security-policy",
        b"default-src 'self'; img-src 'self' blob:; base-uri 'none'; frame-ancestors 'self'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


def guard(app: ASGI) -> ASGI:
    """Refuse requests for other hosts and from other sites; add security headers to every response.

    A page on another site can make a browser send requests here through a host name that points to this machine. It
    cannot make the browser send a false host name or origin.
    """

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        headers = {name.lower(): value for name, value in scope["headers"]}

        async def with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), *HEADERS]}
            await send(message)

        if not _host_is_ours(headers.get(b"host", b"")) or not _origin_is_ours(headers):
            await _refuse(with_headers)
            return
        await app(scope, receive, with_headers)

    return guarded


def _host_is_ours(value: bytes) -> bool:
    host = value.decode("latin-1").lower()
    name, colon, port = host.rpartition(":")
    if not colon or host.endswith("]"):
        name = host
    elif not port.isdigit():
        return False
    return name in HOSTS


def _origin_is_ours(headers: dict[bytes, bytes]) -> bool:
    """Only browsers send an origin; a form on another site would send the origin of that site."""
    origin = headers.get(b"origin")
    return origin is None or origin == b"http://" + headers[b"host"]


async def _refuse(send: Send) -> None:
    body = b'{"error":"this server answers only for 127.0.0.1 and localhost"}'
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 421, "headers": headers})
    await send({"type": "http.response.body", "body": body})
