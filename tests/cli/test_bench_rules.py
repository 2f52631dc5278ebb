"""`companion bench rules` reports every figure, those of whole commands too."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.mark.slow
def test_the_benchmark_reports_hands_and_commands(call: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("HANDS", 10), ("RUN_S", 0), ("STARTS", 1), ("BATCH", 10), ("BATCHES", 1)):
        monkeypatch.setattr(f"lab.bench.rules.{name}", few)
    figures = call("bench", "rules", "--runs", 1, "--json").document["figures"]
    assert all(figure["median"] > 0 for figure in figures)
    what = {figure["what"] for figure in figures}
    assert {"full scoring", "scoring with other house options"} <= what
    batches = [(each["what"], each["unit"]) for each in figures if "--batch" in each["what"]]
    assert batches == [
        ("companion score --batch --no-alternatives", "s"),
        ("companion score --batch --no-alternatives", "times json.loads"),
        ("companion score --batch --no-alternatives", "s"),
        ("companion score --batch --no-alternatives", "times json.loads"),
        ("companion score --batch", "s"),
        ("companion score --batch", "times json.loads"),
    ]
    assert sum("left out" in figure["of"] for figure in figures) == 2
