"""PROTOCOL.md says what the code does: its examples are test vectors, its numbers are the limits."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from firmware_bridge import limits
from firmware_bridge.codec import TYPES

FOLDER = Path(__file__).resolve().parents[2] / "firmware_bridge"
TEXT = (FOLDER / "PROTOCOL.md").read_text(encoding="utf-8")


def test_the_examples_are_test_vectors() -> None:
    lines = (FOLDER / "vectors.jsonl").read_text(encoding="utf-8").splitlines()
    wires = {bytes.fromhex(vector["wire"]) for vector in map(json.loads, lines) if "wire" in vector}
    examples = re.findall(r"(?<=[`\s])0[0-9a-f](?: [0-9a-f]{2}){7,} 00(?=[`\n])", TEXT)
    assert len(examples) > 20
    assert [example for example in examples if bytes.fromhex(example) not in wires] == []


def test_every_message_is_described() -> None:
    assert [f"{kind:#04x}" for kind in TYPES if f"0x{kind:02X} " not in TEXT] == []


@pytest.mark.parametrize(
    "said",
    [
        f"{limits.WIRE_BYTES_MAX} bytes",
        f"0…{limits.PAYLOAD_BYTES_MAX}",
        f"More than {limits.STUFFED_BYTES_MAX} collected",
        f"1…{limits.WINDOW_MAX}",
        f"{1000 * limits.RESEND_FIRST_S:.0f} ms",
        f"doubles up to {limits.RESEND_MAX_S:.0f} s",
        f"once in {1000 * limits.RESEND_ASKED_PAUSE_S:.0f} ms",
        f"every {1000 * limits.HELLO_EVERY_S:.0f} ms",
        f"nothing sent for {limits.HEARTBEAT_EVERY_S:.0f} s",
        f"| silence | {limits.SILENCE_MAX_S} s |",
        f"| nothing acknowledged | {limits.UNACKNOWLEDGED_MAX_S:.0f} s |",
        f"no end within {limits.SNAPSHOT_MAX_S:.0f} s asks again",
        f"flood | {limits.REFUSED_PAUSE_S:.0f} s |",
        f"| frames in a second | {limits.FRAMES_PER_SECOND_MAX} |",
        f"| bytes in a second | {limits.BYTES_PER_SECOND_MAX // 1000} 000 |",
        f"| host: unread messages | {limits.INBOX_MAX} |",
        f"| host: commands that wait | {limits.QUEUE_MAX} |",
        f"{limits.TILES_MIN}…{limits.TILES_MAX}",
        f"(0…{limits.STACKS_MAX}) and their layers (1…{limits.LAYERS_MAX};",
        f"of dice, 1…{limits.DICE_MAX}",
        f"1…{limits.SERIAL_BYTES_MAX} bytes, the same for ever",
        f"| model | 0…{limits.MODEL_BYTES_MAX} bytes",
        f"| firmware | 0…{limits.FIRMWARE_BYTES_MAX} bytes",
        f"Hz {limits.BEEP_HZ[0]}…{limits.BEEP_HZ[1]}, `u16` ms 1…{limits.BEEP_MS_MAX}",
        f"Version {limits.VERSION}.",
    ],
)
def test_the_numbers_are_the_limits(said: str) -> None:
    assert said in TEXT
