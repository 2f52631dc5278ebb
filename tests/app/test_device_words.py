"""What is said of devices: every message and every state, in every language."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion.live.device_words import describe_link, describe_report
from companion.live.devices import Chosen, DeviceView
from companion.words import Language, Words
from companion.words.filling import SEAT_NAMES
from firmware_bridge import events, troubles
from firmware_bridge.link import LinkState
from firmware_bridge.plain import from_plain
from firmware_bridge.troubles import LinkTrouble

VECTORS = Path(__file__).resolve().parents[2] / "firmware_bridge" / "vectors.jsonl"


@pytest.mark.parametrize("language", Language)
def test_every_message_and_every_state_has_words(language: Language) -> None:
    """Each message of the test vectors, each sentence of the bridge: none is left in another language."""
    words = Words(language)
    latin = set("abcdefghijklmnopqrstuvwxyz")
    vectors = map(json.loads, VECTORS.read_text(encoding="utf-8").splitlines())
    said = [
        words.say(describe_report(from_plain(each["fields"]), 1, SEAT_NAMES))
        for each in vectors
        if each["kind"] == "message" and each["fields"]["message"] in vars(events)
    ]
    start = DeviceView(Chosen("port"), since=0.0)
    params = dict.fromkeys(("port", "target", "why", "version", "least", "most", "reason", "state"), "1")
    for state in LinkState:
        said.append(words.say(describe_link(replace(start, state=state), 1.0).short))
        for template in troubles.SENTENCES:
            how = describe_link(replace(start, state=state, trouble=LinkTrouble(template, **params)), 1.0)
            said += [words.say(how.short), *([words.say(how.why)] if how.why else [])]
    assert all(said)
    if language is not Language.ENGLISH:
        kept = ("USB", "usb:VVVV:PPPP", "usb:2341:0043", "serial", "dialout", "VVVV", "PPPP")
        for sentence in said:
            for word in kept:
                sentence = sentence.replace(word, "")
            assert not latin & set(sentence.lower()), sentence
