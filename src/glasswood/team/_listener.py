"""Listener: the address at which a member waits for the others."""

import socket
from dataclasses import dataclass
from numbers import Integral
from typing import Any

from glasswood.errors import OptionError


@dataclass(frozen=True, slots=True, eq=False)
class Listener:
    """An open port, and its address as the other members must know it; `listen` opens it.

    Examples
    --------
    >>> from glasswood.team import listen
    >>> listener = listen("127.0.0.1")
    >>> listener.address.rpartition(":")[0]
    '127.0.0.1'
    >>> listener.close()
    """

    server: socket.socket
    address: str  # host:port

    def close(self) -> None:
        """Close the port."""
        self.server.close()


def listen(host: str, ports: tuple[int, int] | int = 0) -> Listener:
    """Open a port for a team on one address of this machine.

    Parameters
    ----------
    host : str
        Name or address by which the other members reach this machine; it listens on this address only.
    ports : int or (int, int)
        The port, or the first and last of a range, of which the first free one is taken; 0 takes any free port.

    Returns
    -------
    Listener

    Examples
    --------
    >>> from glasswood.team import listen
    >>> listener = listen("127.0.0.1")
    >>> listener.address.startswith("127.0.0.1:")
    True
    >>> listener.close()
    """
    first, last = range_of(ports)
    reason: OSError | None = None
    for port in range(first, last + 1):
        try:
            family, _, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
            server = socket.create_server(place[:2], family=family, backlog=128)
        except OSError as error:
            reason = error
            continue
        shown = f"[{host}]" if ":" in host else host
        return Listener(server, f"{shown}:{server.getsockname()[1]}")
    raise OptionError(f"no port of {first}–{last} can be opened on {host!r}: {reason}") from reason


def range_of(ports: Any) -> tuple[int, int]:
    """First and last port; raises `OptionError` if there are no such ports."""
    ends = list(ports) if isinstance(ports, tuple | list) else [ports, ports]
    whole = all(isinstance(port, Integral) and not isinstance(port, bool) for port in ends)
    if not whole or len(ends) != 2 or not 0 <= ends[0] <= ends[1] <= 65_535:
        raise OptionError(f"ports must be a port or the first and last of a range; got {ports!r}")
    return int(ends[0]), int(ends[1])


def split_address(address: str) -> tuple[str, int]:
    """Host and port."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) <= 65_535:
        raise OptionError(f"an address of a team must be host:port; got {address!r}")
    return host.strip("[]"), int(port)
