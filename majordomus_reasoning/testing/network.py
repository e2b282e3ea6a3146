"""The switch under which a process reaches loopback only."""

from __future__ import annotations

import contextlib
import ipaddress
import sys
import threading
from collections.abc import Iterator
from typing import Any


class NetworkForbidden(Exception):
    """Somebody reached beyond loopback where no network was allowed."""


@contextlib.contextmanager
def forbid_network() -> Iterator[None]:
    """While within, this process reaches loopback only.

    Whoever reaches further gets NetworkForbidden; since it may be caught on the way, the context
    raises it too at its end (of several, the innermost). Child processes are not held, nor is what
    reaches out past Python's own sockets.

    >>> with forbid_network():
    ...     pass
    """
    attempts: list[str] = []
    _watch_network()
    _WATCHES.append(attempts)
    try:
        yield
    finally:
        _WATCHES[:] = [each for each in _WATCHES if each is not attempts]  # equal ones stay
    if attempts:
        raise NetworkForbidden(f"reached beyond loopback: {', '.join(dict.fromkeys(attempts))}")


_WATCHES: list[list[str]] = []
_WATCHED = threading.Event()


def _watch_network() -> None:
    """Install the audit hook once: an interpreter cannot take one back."""
    if not _WATCHED.is_set():
        _WATCHED.set()
        sys.addaudithook(_refuse_network)


def _refuse_network(event: str, arguments: tuple[Any, ...]) -> None:
    watches = tuple(_WATCHES)  # as it is now: another thread may leave its own meanwhile
    if not watches or event not in _NETWORK_EVENTS:
        return
    host = _host(arguments[_NETWORK_EVENTS[event]])
    if host is not None and not _is_local(host):
        watches[-1].append(host)
        raise NetworkForbidden(f"reached beyond loopback: {host}")


# Which argument of an event holds the host, or the address that begins with it.
_NETWORK_EVENTS = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
    "socket.getnameinfo": 0,
}


def _host(address: object) -> str | None:
    """The host of an address, None for a socket of this machine that has none."""
    host = address[0] if isinstance(address, tuple) and address else address
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    is_path = isinstance(address, str) and address.startswith(("/", "\0"))
    return host if isinstance(host, str) and host and not is_path else None


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return host == "localhost"
