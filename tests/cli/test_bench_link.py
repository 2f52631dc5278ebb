"""`companion bench link` in small: every figure is there, and all holds that must hold."""

from __future__ import annotations

import shutil
from typing import Any

import pytest

pytestmark = pytest.mark.slow

SMALL = ("--runs", "1", "--messages", "50", "--unplugs", "2", "--fuzz-bytes", "200000")


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.bench.link.RUN_S", 0.01)
    monkeypatch.setattr("lab.bench.link.ROLLS", 10)
    monkeypatch.setattr("lab.bench.link.IDLE_S", 0.3)


def test_figures_of_the_link(call: Any) -> None:
    document = call("bench", "link", *SMALL, "--json").document
    assert {each["what"] for each in document["figures"]} >= {
        "encode", "decode", "from device to table event, p50", "from device to table event, p99",
        "a bare line, p99", "idle link",
    }  # fmt: skip
    assert all(each["median"] > 0 and each["runs"] == 1 for each in document["figures"])
    assert [each["holds"] for each in document["holds"][:3]] == [True] * 3
    built = shutil.which("gcc") and shutil.which("make")
    assert document["holds"][3]["holds"] is (True if built else None), document["holds"][3]


def test_without_a_compiler_the_rest_is_measured(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    run = call("bench", "link", *SMALL)
    assert run.status == 0
    assert "not tried: garbage into codec and session in C" in run.out
    assert "FAILS" not in run.out
