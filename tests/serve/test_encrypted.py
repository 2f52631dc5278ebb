"""The encrypted page: its certificate, what it shares with the plain one, and handshakes that never end."""

from __future__ import annotations

import hashlib
import json
import os
import ssl
import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from companion import config
from companion.errors import MissingError
from companion.serve import certificate, messages, site
from companion.serve.certificate import FILE, Certificate, load_certificate
from companion.serve.server import Server
from companion.serve.site import Served
from tests.serve.served import Table, serving
from tests.serve.test_server import FLOOD


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def table() -> Iterator[Table]:
    with serving(lan=True) as made:
        yield made


def with_token(table: Table, path: str) -> str:
    return f"{path}?token={table.server.token}"


def test_the_page_is_served_plain_and_encrypted(table: Table) -> None:
    table.show(5)
    encrypted = table.server.encrypted
    assert encrypted is not None
    assert encrypted.address == f"https://{encrypted.address[8:].partition(':')[0]}:" + (
        f"{table.encrypted_port}/?token={table.server.token}"
    )
    for encrypts in (False, True):
        answer, body = table.ask(with_token(table, "/state"), encrypted=encrypts)
        assert (answer.status, json.loads(body)["version"]) == (200, 1)
        assert table.ask("/state", encrypted=encrypts)[0].status == 403
        own = f"http{'s' * encrypts}://127.0.0.1:{table.encrypted_port if encrypts else table.port}"
        other = f"http{'s' * (not encrypts)}{own.removeprefix('https').removeprefix('http')}"
        path = with_token(table, "/state")
        assert table.ask(path, encrypted=encrypts, Origin=own)[0].status == 200
        refused, said = table.ask(path, encrypted=encrypts, Origin=other)
        assert (refused.status, json.loads(said)["error"]) == (403, messages.OTHER_ORIGIN)
        assert table.ask(path, encrypted=encrypts, Host="127.0.0.1:1")[0].status == 421


def test_the_fingerprint_is_that_of_the_certificate_that_is_sent(table: Table) -> None:
    encrypted = table.server.encrypted
    assert encrypted is not None
    pem = ssl.get_server_certificate(("127.0.0.1", table.encrypted_port))
    digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem)).hexdigest().upper()
    assert encrypted.fingerprint.replace(":", "") == digest
    assert len(encrypted.fingerprint) == 95


def test_only_a_network_gets_an_encrypted_page() -> None:
    with serving() as table:
        assert table.server.encrypted is None
        assert not (config.data_dir() / FILE).exists()


def test_the_certificate_is_kept_for_its_owner_only(data: Path) -> None:
    first = load_certificate(("192.168.1.20", "table.local"))
    assert load_certificate(("192.168.1.20",)) == first
    assert stat.S_IMODE((data / FILE).stat().st_mode) == 0o600
    made = x509.load_pem_x509_certificate(first.pem)
    assert made.not_valid_before_utc < datetime.now(UTC) - timedelta(days=1)
    assert made.not_valid_after_utc - made.not_valid_before_utc <= timedelta(days=398)


def key_of(made: Certificate) -> object:
    return load_pem_private_key(made.pem, None).private_numbers()  # type: ignore[union-attr]


def test_other_addresses_get_another_certificate_with_the_same_key_that_keeps_the_earlier_ones() -> None:
    home = load_certificate(("192.168.1.20", "table"))
    club = load_certificate(("10.0.0.7", "table"))
    assert club.fingerprint != home.fingerprint
    assert key_of(club) == key_of(home)
    assert club.hosts == ("10.0.0.7", "table", "192.168.1.20")
    assert load_certificate(("192.168.1.20", "table")) == club, "back at home nothing is new"
    for number in range(30):
        last = load_certificate((f"10.0.1.{number}",))
    assert len(last.hosts) == certificate.HOSTS_MAX
    assert last.hosts[0] == "10.0.1.29"


def test_a_certificate_that_ends_soon_is_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(certificate, "VALID_DAYS", 20)
        old = load_certificate(("10.0.0.7",))
    new = load_certificate(("10.0.0.7",))
    assert new.fingerprint != old.fingerprint
    assert key_of(new) == key_of(old)


@pytest.mark.parametrize("damage", [b"", b"x", b"-----BEGIN PRIVATE KEY-----\nAAAA\n", None])
def test_a_damaged_certificate_is_replaced(data: Path, damage: bytes | None) -> None:
    first = load_certificate(("10.0.0.7",))
    (data / FILE).write_bytes(first.pem[: len(first.pem) // 2] if damage is None else damage)
    made = load_certificate(("10.0.0.7",))
    assert made.fingerprint != first.fingerprint
    assert load_certificate(("10.0.0.7",)) == made


def test_without_room_for_it_the_certificate_lasts_as_long_as_the_page(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path, content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(certificate, "write_whole", refuse)
    with serving(lan=True) as table:
        assert table.server.encrypted is not None
        assert ssl.get_server_certificate(("127.0.0.1", table.encrypted_port))
    assert not (data / FILE).exists()


def test_a_machine_that_changes_its_network_serves_a_certificate_for_it(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = table.server.encrypted
    monkeypatch.setattr(site, "find_address", lambda: "192.168.77.1")
    after = table.server.encrypted
    assert before is not None
    assert after is not None
    assert after.fingerprint != before.fingerprint
    assert after.address.startswith("https://192.168.77.1:")
    pem = ssl.get_server_certificate(("127.0.0.1", table.encrypted_port))
    assert b"192.168.77.1" in str(x509.load_pem_x509_certificate(pem.encode()).extensions).encode()


def test_handshakes_that_never_end_shut_nobody_out(table: Table) -> None:
    idle = [table.open_socket(port=table.encrypted_port) for _ in range(200)]
    plain = table.open_socket(port=table.encrypted_port)
    plain.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
    assert plain.recv(100) == b"", "without TLS there is no answer"
    assert table.ask(with_token(table, "/healthz"), encrypted=True)[0].status == 200
    assert idle[0].recv(100) == b"", "the oldest has given way"
    for each in (*idle, plain):
        each.close()


@pytest.mark.long
def test_a_flood_of_connections_that_never_agree_on_keys_leaves_the_page_alone(table: Table) -> None:
    flood = subprocess.Popen(
        [sys.executable, "-c", FLOOD, str(table.encrypted_port), "1500"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    try:
        assert flood.stdout is not None
        assert int(flood.stdout.readline()) == 1500
        assert len(os.listdir("/proc/self/fd")) < 1000
        for encrypted in (False, True):
            assert table.ask(with_token(table, "/healthz"), encrypted=encrypted)[0].status == 200
    finally:
        flood.kill()
        flood.communicate()


def test_a_second_port_that_is_taken_is_named() -> None:
    with serving() as taken, pytest.raises(MissingError, match=str(taken.port)):
        Server(lambda deliver: lambda: None, Served(taken.port - 1, lan=True))
    with serving(lan=True) as table:
        assert table.ask(with_token(table, "/healthz"), encrypted=True)[0].status == 200
