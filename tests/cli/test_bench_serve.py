"""`companion bench serve` in small: every figure is there."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.slow


def test_figures_of_the_served_page(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lab.bench.served.PAUSE_S", 0.01)
    flags = ("--runs", "1", "--viewers", "3", "--events", "5", "--hands", "1")
    document = call("bench", "serve", *flags, "--json").document
    assert [each["what"] for each in document["figures"]] == [
        "from disk to page, p50", "from disk to page, p99", "from disk to page, longest",
    ]  # fmt: skip
    assert all(each["median"] > 0 for each in document["figures"])
