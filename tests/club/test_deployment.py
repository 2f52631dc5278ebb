"""The files for a club in containers: every image has a version, and Mosquitto accepts its configuration."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import IO

import pytest

from lab.club.servers import HOST, MOSQUITTO, find_free_port
from tests.publish.brokers import Subscriber

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy/club"


def test_every_image_has_a_version() -> None:
    images = re.findall(r"image: (\S+)", (FOLDER / "compose.yaml").read_text())
    images += re.findall(r"^FROM (\S+)", (FOLDER / "Dockerfile").read_text(), re.MULTILINE)
    assert len(images) == 4
    assert all(re.fullmatch(r"[a-z-]+:\d+\.\d+[-.\w]*", each) for each in images), images


def test_the_rights_are_those_of_the_document() -> None:
    (documented,) = re.findall(
        r"^```text\n(user .*?)^```", (ROOT / "docs/club.md").read_text(encoding="utf-8"), re.M | re.S
    )
    lines = (FOLDER / "rights").read_text().splitlines()
    assert [line for line in lines if line and line[0] != "#"] == documented.splitlines()


@pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")
def test_mosquitto_starts_with_this_configuration(tmp_path: Path) -> None:
    port, encrypted = find_free_port(), find_free_port()
    certificate = tmp_path / "broker_certificate"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost",
         "-keyout", tmp_path / "broker_key", "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    (tmp_path / "broker_passwords").touch()
    config = (FOLDER / "mosquitto.conf").read_text()
    for old, new in (
        ("/run/secrets", str(tmp_path)),
        ("/mosquitto/config", str(FOLDER)),
        ("/mosquitto/data", str(tmp_path)),
        ("listener 1883", f"listener {port} {HOST}"),
        ("listener 8883", f"listener {encrypted} {HOST}"),
        ("allow_anonymous false", "allow_anonymous true\nuser root"),
    ):
        assert old in config
        config = config.replace(old, new)
    (tmp_path / "mosquitto.conf").write_text(config)
    with subprocess.Popen([MOSQUITTO, "-c", tmp_path / "mosquitto.conf"], stderr=subprocess.PIPE) as broker:
        try:
            assert broker.stderr is not None
            wait_for_line(broker.stderr, b"running")
            Subscriber(port).close()
        finally:
            broker.terminate()


def wait_for_line(lines: IO[bytes], word: bytes) -> None:
    said = []
    for line in lines:
        said.append(line)
        if word in line:
            return
    raise AssertionError(said)
