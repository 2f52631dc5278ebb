"""Requests for the tests of rules."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.rules import RuleSet

GOLDEN = Path(__file__).parent.parent / "golden"


@pytest.fixture(scope="session")
def golden() -> Callable[..., dict[str, Any]]:
    """The request of a worked example by its id, with changes."""
    lines = [
        line for file in GOLDEN.glob("*.jsonl") for line in file.read_text(encoding="utf-8").splitlines()
    ]
    cases = {case["id"]: case["request"] for case in map(json.loads, lines)}
    return lambda id, /, **changes: cases[id] | changes


@pytest.fixture
def only(monkeypatch: pytest.MonkeyPatch) -> Callable[[RuleSet], None]:
    """Puts one rule set in the place of all that there are."""

    def put(rules: RuleSet) -> None:
        for module in ("registry", "kinds", "profile"):
            monkeypatch.setattr(f"companion.rules.{module}.RULE_SETS", {rules.name: rules})

    return put
