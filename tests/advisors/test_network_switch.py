"""The switch that forbids a network: the whole suite runs under it, with loopback let through."""

import os
import socket
import subprocess
import sys
import threading

import pytest
from planting import PROJECT

from majordomus_reasoning.testing import NetworkForbidden, forbid_network


def connect_to_an_address():
    socket.create_connection(("192.0.2.1", 9), timeout=1)


def connect_to_a_name():
    socket.create_connection(("example.invalid", 9), timeout=1)


def look_up_a_name():
    socket.getaddrinfo("example.invalid", 9)


def look_up_a_name_the_old_way():
    socket.gethostbyname("example.invalid")


def look_up_an_address():
    socket.gethostbyaddr("192.0.2.1")


def look_up_an_address_and_a_port():
    socket.getnameinfo(("192.0.2.1", 9), 0)


def send_a_datagram():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sending:
        sending.sendto(b"x", ("192.0.2.1", 9))


WAYS_OUT = [
    connect_to_an_address,
    connect_to_a_name,
    look_up_a_name,
    look_up_a_name_the_old_way,
    look_up_an_address,
    look_up_an_address_and_a_port,
    send_a_datagram,
]


@pytest.mark.parametrize("reach", WAYS_OUT)
def test_where_no_network_is_allowed_reaching_out_fails_even_if_it_is_caught(reach):
    def catches():
        with forbid_network(), pytest.raises(NetworkForbidden):
            reach()

    with pytest.raises(NetworkForbidden, match=r"192\.0\.2\.1|example\.invalid"):
        catches()


def test_it_holds_every_thread_of_the_process():
    caught = []

    def reaches():
        try:
            look_up_a_name()
        except NetworkForbidden as refused:
            caught.append(refused)

    def in_a_thread():
        with forbid_network():
            thread = threading.Thread(target=reaches)
            thread.start()
            thread.join()

    with pytest.raises(NetworkForbidden):
        in_a_thread()
    assert len(caught) == 1


def test_loopback_is_let_through():
    with forbid_network(), socket.create_server(("127.0.0.1", 0)) as listening:
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, listening.getsockname()[1]), timeout=5).close()


def test_one_that_is_within_another_leaves_the_other_in_force():
    def around():
        with forbid_network():
            with forbid_network():
                pass
            with pytest.raises(NetworkForbidden):
                look_up_a_name()

    with pytest.raises(NetworkForbidden):
        around()


AFTERWARDS = """
import socket
from majordomus_reasoning.testing import forbid_network
with forbid_network():
    pass
socket.getaddrinfo("192.0.2.1", 9)
"""


def test_a_network_is_allowed_again_afterwards():
    """In a process of its own, since this one is held for as long as the suite runs."""
    subprocess.run([sys.executable, "-c", AFTERWARDS], check=True, timeout=60)


REACHING = '''
import contextlib, socket

def test_catches_what_it_gets():
    with contextlib.suppress(Exception):
        socket.getaddrinfo("example.invalid", 9)

def test_asks_this_machine():
    socket.getaddrinfo("127.0.0.1", 9)

def documented():
    """
    >>> import socket
    >>> socket.getaddrinfo("example.invalid", 9)
    """
'''


def test_every_test_of_the_suite_is_held_by_it(tmp_path):
    """Seen from a suite of two tests and a doctest that is set up as this one is."""
    path = tmp_path / "test_reaching.py"
    path.write_text(REACHING)
    setup = ("-p", "conftest", "-p", "no:cacheprovider", "--doctest-modules")
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *setup, str(path)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(PROJECT / "tests"), *sys.path])},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "1 failed, 2 passed, 2 errors" in ran.stdout
    assert "ERROR test_reaching.py::test_catches_what_it_gets" in ran.stdout
    assert "reached beyond loopback: example.invalid" in ran.stdout
