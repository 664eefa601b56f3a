"""Hosts: two network namespaces of this machine, joined by a cable with latency and loss where `tc` can make them."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest


@dataclass(frozen=True, slots=True)
class Host:
    """A namespace with its own network; nothing of it is seen from outside."""

    name: str
    address: str

    @property
    def command(self) -> list[str]:
        """What to put before a command so that it runs there."""
        return ["ip", "netns", "exec", self.name]


@contextmanager
def two_hosts(delay: str, loss: str) -> Iterator[tuple[list[Host], bool]]:
    """Two hosts that reach each other, and whether the cable is bad; skips the test where they cannot be made."""
    if shutil.which("ip") is None:
        pytest.skip("network namespaces are made by the ip command, which is not installed")
    # addresses of a network for documentation and tests
    hosts = [Host(f"gw{os.getpid()}{side}", f"192.0.2.{150 + k}") for k, side in enumerate("ab")]
    ends = [f"gw{os.getpid() % 100_000}{side}" for side in "ab"]
    try:
        try:
            for host in hosts:
                _run("ip", "netns", "add", host.name)
            _run("ip", "link", "add", ends[0], "type", "veth", "peer", "name", ends[1])
            for host, end in zip(hosts, ends, strict=True):
                _run("ip", "link", "set", end, "netns", host.name)
                _run(*host.command, "ip", "address", "add", f"{host.address}/24", "dev", end)
                _run(*host.command, "ip", "link", "set", end, "up")
                _run(*host.command, "ip", "link", "set", "lo", "up")
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"network namespaces cannot be made here: {getattr(error, 'stderr', '') or error}")
        bad = [_make_bad(host, end, delay, loss) for host, end in zip(hosts, ends, strict=True)]
        yield hosts, all(bad)
    finally:
        for host in hosts:
            subprocess.run(["ip", "netns", "delete", host.name], check=False, capture_output=True)
        subprocess.run(["ip", "link", "delete", ends[0]], check=False, capture_output=True)


def _make_bad(host: Host, end: str, delay: str, loss: str) -> bool:
    if not delay or shutil.which("tc") is None:
        return False
    given = [*host.command, "tc", "qdisc", "add", "dev", end, "root", "netem", "delay", delay, "loss", loss]
    return subprocess.run(given, check=False, capture_output=True).returncode == 0


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, text=True)
