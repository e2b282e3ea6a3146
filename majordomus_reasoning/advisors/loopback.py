"""The addresses of this machine itself, which are reached without any proxy."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping

NAMES = ("localhost", "127.0.0.1", "::1")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.2", "[::1]", "localhost.example")]
    [True, True, True, False]
    """
    host = host.strip("[]").rstrip(".").lower()
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host == NAMES[0] or host.endswith(f".{NAMES[0]}")
    return address.is_loopback or address.is_unspecified


def without_proxy(environment: Mapping[str, str]) -> dict[str, str]:
    """The two variables that keep a child's loopback traffic off every proxy, whatever they held.

    >>> without_proxy({"no_proxy": "intranet"})["NO_PROXY"]
    'intranet,localhost,127.0.0.1,::1'
    """
    held = environment.get("NO_PROXY") or environment.get("no_proxy") or ""
    hosts = dict.fromkeys([*filter(None, (part.strip() for part in held.split(","))), *NAMES])
    return dict.fromkeys(("NO_PROXY", "no_proxy"), ",".join(hosts))
