"""What the codecs in C and in Python say to the same bytes, in the same words."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from firmware_bridge.codec import Decoder, Malformed, encode
from firmware_bridge.framing import Damage
from firmware_bridge.plain import to_plain
from tests.programs import LIMIT_S


def in_c(built: Path, wire: bytes) -> list[str]:
    """What the C codec finds in `wire`, one line for each piece."""
    printed = subprocess.run(
        [built / "vectors"], input=wire.hex(" ").encode(), capture_output=True, check=True, timeout=LIMIT_S
    )
    assert printed.stderr == b""
    return printed.stdout.decode().splitlines()


def in_python(wire: bytes) -> list[str]:
    """The same from the Python codec, in the same words."""
    lines = []
    for found in Decoder().feed(wire):
        if isinstance(found, Damage):
            lines.append(f"damage {found.name}")
        elif isinstance(found.message, Malformed):
            lines.append(f"malformed {found.message.type}")
        else:
            plain = json.dumps(to_plain(found.message), ensure_ascii=False, separators=(",", ":"))
            lines.append(f"{plain}\t{encode(found).hex()}\t{found.session}\t{found.seq}")
    return lines


def differences(built: Path, wire: bytes) -> list[tuple[str, str]]:
    """The pieces of `wire` to which C and Python say different things.

    A host may refuse a text that cannot be printed, which Python does and C does not: that is no difference.
    """
    there, here = in_c(built, wire), in_python(wire)
    assert len(there) == len(here)
    pairs = zip(there, here, strict=True)
    return [(c, python) for c, python in pairs if c != python and not _refused_by_hosts(c, python)]


def _refused_by_hosts(c: str, python: str) -> bool:
    if python != "malformed 2" or not c.startswith('{"message":"Welcome"'):
        return False
    welcome = json.loads(c.split("\t")[0])
    return not "".join(welcome[name] for name in ("serial", "model", "firmware")).isprintable()
