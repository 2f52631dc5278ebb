"""The C library, built with sanitizers: the same vectors and the same answers as in Python."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firmware_bridge.emulator import trials
from firmware_bridge.framing import stuff, wrap
from firmware_bridge.handshake import Welcome
from tests.firmware_bridge.boards import SOURCE
from tests.firmware_bridge.codecs import differences, in_c, in_python

Vector = dict[str, Any]
LIBRARY = ("mjb_frame.c", "mjb_message.c", "mjb_session.c", "mjb_dice.c")


@pytest.mark.slow
def test_the_library_is_c99_and_needs_no_heap(built: Path) -> None:
    """All that it asks of a board's C library are four functions that copy, fill and compare memory."""
    objects = [built / f"{Path(source).stem}.o" for source in LIBRARY]
    for source, compiled in zip(LIBRARY, objects, strict=True):
        strict = (
            "-std=c99",
            "-pedantic",
            "-Wall",
            "-Wextra",
            "-Wconversion",
            "-Werror",
            "-Os",
            "-ffreestanding",
        )
        subprocess.run(["gcc", *strict, "-c", SOURCE / source, "-o", compiled], check=True)
    symbols = [
        line.split()
        for line in subprocess.run(
            ["nm", *objects], capture_output=True, text=True, check=True
        ).stdout.splitlines()
        if line.strip() and not line.endswith(":")
    ]
    defined = {each[-1] for each in symbols if each[-2] != "U"}
    needed = {each[-1] for each in symbols if each[-2] == "U"} - defined
    assert needed <= {"memcpy", "memset", "memmove", "memcmp", "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail"}


def test_both_sides_agree_on_every_vector(built: Path, message_vector: Vector) -> None:
    (line,) = in_c(built, bytes.fromhex(message_vector["wire"]))
    fields, wire, session, seq = line.split("\t")
    assert json.loads(fields) == message_vector["fields"]
    assert wire == message_vector["wire"]
    assert (int(session), int(seq)) == (message_vector["session"], message_vector["seq"])


def test_both_sides_pass_over_newer_fields(built: Path, longer_vector: Vector) -> None:
    (line,) = in_c(built, bytes.fromhex(longer_vector["wire"]))
    assert json.loads(line.split("\t")[0]) == longer_vector["fields"]


def test_both_sides_refuse_the_same_fields(built: Path, malformed_vector: Vector) -> None:
    assert in_c(built, bytes.fromhex(malformed_vector["wire"])) == [f"malformed {malformed_vector['type']}"]


def test_both_sides_find_the_same_damage(built: Path, damage_vector: Vector) -> None:
    assert in_c(built, bytes.fromhex(damage_vector["wire"])) == [f"damage {damage_vector['damage']}"]


def test_both_sides_find_the_same_cobs(built: Path, cobs_vector: Vector) -> None:
    wire = bytes.fromhex(cobs_vector["stuffed"]) + b"\0"
    assert in_c(built, wire) == in_python(wire)


TYPES = (
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    0x10,
    0x11,
    0x20,
    0x21,
    0x22,
    0x23,
    0x24,
    0x25,
    0x40,
    0x41,
    0x42,
    0x43,
    0x4F,
    0x60,
)


def test_both_sides_agree_on_thousands_of_payloads_and_much_garbage(built: Path) -> None:
    """Payloads of small numbers reach the edges of the ranges; every tenth frame is damaged."""
    rng = random.Random(20)
    wire = bytearray(b"\0")
    for _ in range(6_000):
        size = rng.choice((1, 2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 16, 30, 31, 122))
        payload = bytes(rng.choice((0, 0, 1, 2, 3, 5, 6, 17, 18, 83, 84, 144, 145, 255)) for _ in range(size))
        kind = rng.choice(TYPES)
        if kind == Welcome.TYPE:
            payload = trials.make_near_welcome(rng)
        frame = bytearray(wrap(bytes((kind, rng.randrange(256), rng.randrange(256))) + payload))
        if rng.randrange(10) == 0:
            frame[rng.randrange(len(frame))] = rng.randrange(256)
        wire += frame
        if rng.randrange(50) == 0:
            wire += rng.randbytes(rng.randrange(300))
    assert differences(built, bytes(wire)) == []
    here = in_python(bytes(wire))
    assert sum(line.startswith("{") for line in here) > 1_000
    assert sum(line.startswith("malformed") for line in here) > 1_000
    assert sum(line.startswith("damage") for line in here) > 300


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=140))
def test_both_sides_agree_on_any_bytes(built: Path, data: bytes) -> None:
    wire = data + b"\0" + stuff(data[:128]) + b"\0"
    assert in_c(built, wire) == in_python(wire)
