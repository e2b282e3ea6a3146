"""A server that does to a connection whatever a test wants, and nothing of HTTP by itself."""

import re
import socket
import threading
from contextlib import suppress


class RawServer:
    """Accepts connections, reads one request each and hands both to a behaviour by its path.

    A request's body is `{}`. `requests` holds the raw requests; a behaviour that waits watches
    `closing`.
    """

    def __init__(self, behaviours, host="127.0.0.1"):
        self.behaviours = behaviours
        self.requests = []
        self.closing = threading.Event()
        self._listening = socket.create_server((host, 0))
        self.port = self._listening.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        self._threads[0].start()
        return self

    def __exit__(self, *_):
        self.closing.set()
        with suppress(OSError):
            self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join(10)
            assert not thread.is_alive()

    def _accept(self):
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                thread = threading.Thread(target=self._serve, args=(connection,))
                self._threads.append(thread)
                thread.start()

    def _serve(self, connection):
        connection.settimeout(10)
        with connection, suppress(OSError):
            request = b""
            # The whole of it: what is left unread at the close would reset the connection.
            while not re.search(rb"\r\n\r\n\{\}$", request):
                request += connection.recv(65_536)
            self.requests.append(request)
            self.behaviours[request.split()[1].decode()](connection, self)


def replying(body=b"{}", status="200 OK", **headers):
    """A behaviour that sends one response."""
    named = {"content-length": len(body), **headers}
    lines = [f"{name.replace('_', '-')}: {value}" for name, value in named.items()]
    head = "\r\n".join([f"HTTP/1.1 {status}", *lines, "", ""]).encode()

    def behave(connection, _server):
        connection.sendall(head + body)

    return behave


def hanging(connection, server):
    """Say nothing until the end of the test."""
    server.closing.wait(10)


def cut(connection, _server):
    """Promise more than is sent."""
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{")


def garbage(connection, _server):
    """Speak no HTTP."""
    connection.sendall(b"\x00\x01 what?\r\n\r\n")


def endless(connection, server):
    """Send for as long as somebody reads."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while not server.closing.is_set():
        connection.sendall(b" " * 65_536)


def endless_after(body, **headers):
    """A behaviour that sends a body, and after its end for as long as somebody reads."""
    named = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())

    def behave(connection, server):
        connection.sendall(f"HTTP/1.1 200 OK\r\n{named}\r\n".encode() + body)
        while not server.closing.is_set():
            connection.sendall(b"x" * 65_536)

    return behave


def dripping(connection, server):
    """Send a byte now and then."""
    connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    while not server.closing.wait(0.02):
        connection.sendall(b" ")
