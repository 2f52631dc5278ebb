"""`companion doctor`: what is right and what is not, with a device and without any."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.emulator import DiceCup, EmulatedDevice


def checks(document: dict[str, Any]) -> dict[str, bool]:
    return {each["what"]: each["ok"] for each in document["checks"]}


def test_all_is_well_without_any_device(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.ports.ports", tuple)
    document = call("doctor", "--json").document
    assert document["ok"]
    assert document["ports"] == []
    found = checks(document)
    assert found["models"]
    assert found["data folder"]
    assert found["fonts"]
    assert found["cameras"]
    assert "companion devices emulate" in call("doctor").out


def test_a_device_is_shown(call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.ports.ports", tuple)
    path = tmp_path / "cup"
    with EmulatedDevice(DiceCup(random.Random(1)), path):
        (port,) = call("doctor", "--port", path, "--json").document["ports"]
        assert (port["device"]["serial"], port["asked"]) == ("CUP-EMULATED", True)
        assert "CUP-EMULATED" in call("doctor", "--port", path).out


def test_what_is_missing_is_told_with_what_to_do(call: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    run = call(
        "doctor", "--json", COMPANION_MODELS=str(tmp_path), COMPANION_DATA=str(tmp_path / "file" / "below")
    )
    assert run.status == 3
    assert run.complaint == "companion: Not right: models, data folder.\n"
    wrong = {each["what"]: each["to_do"] for each in json.loads(run.out)["checks"] if not each["ok"]}
    assert "install the program again" in wrong["models"]
    assert "COMPANION_DATA" in wrong["data folder"]
