"""Listener: ports and addresses."""

import re

import pytest

from glasswood.errors import OptionError
from glasswood.team import listen
from glasswood.team._listener import split_address


def test_a_port_is_taken_from_the_range() -> None:
    first = listen("127.0.0.1")
    port = int(first.address.rpartition(":")[2])
    try:
        with pytest.raises(OptionError, match=f"no port of {port}–{port} can be opened on '127.0.0.1'"):
            listen("127.0.0.1", (port, port))
    finally:
        first.close()


def test_only_the_given_address_listens() -> None:
    listener = listen("127.0.0.1")
    assert listener.server.getsockname()[0] == "127.0.0.1"
    listener.close()


@pytest.mark.parametrize("ports", [(5, 4), (-1, 3), (1, 70_000)])
def test_impossible_ports_are_refused(ports: tuple[int, int]) -> None:
    with pytest.raises(OptionError, match="ports must be"):
        listen("127.0.0.1", ports)


def test_addresses_are_a_host_and_a_port() -> None:
    assert split_address("node-3:7001") == ("node-3", 7001)
    assert split_address("[::1]:7001") == ("::1", 7001)
    for wrong in ("node", "node:", ":7", "node:0", "node:x", "node:70000"):
        with pytest.raises(OptionError, match=re.escape(f"must be host:port; got {wrong!r}")):
            split_address(wrong)
