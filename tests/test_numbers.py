"""Quantities are written one way, by one function."""

from __future__ import annotations

import ast
from decimal import Decimal
from pathlib import Path

import pytest

import companion
from companion.sentences import Sentence, write_number
from companion.words import Language, Words

PACKAGE = Path(companion.__file__).parent
OWN = PACKAGE / "sentences.py"


@pytest.mark.parametrize(
    ("value", "written", "signed"),
    [(0, "0", "0"), (7, "7", "+7"), (1460, "1,460", "+1,460"), (-1460, "−1,460", "−1,460")],
)
def test_a_number_has_separators_and_its_sign(value: int, written: str, signed: str) -> None:
    assert write_number(value) == written
    assert write_number(value, signed=True) == signed


def test_decimals_are_rounded_and_zero_has_no_sign() -> None:
    assert write_number(-1234.56, places=1) == "−1,234.6"
    assert write_number(-0.04, signed=True, places=1) == "0.0"
    assert write_number(Decimal("1E+3")) == "1,000"
    assert write_number(10**30).count(",") == 10


@pytest.mark.parametrize("language", Language)
def test_sentences_write_their_numbers_so(language: Language) -> None:
    said = Sentence("{count} points", {"count": 1460})
    assert "1,460" in Words(language).say(said)
    assert str(said) == "1,460 points"
    assert "2026" in Words(language)("{count} points", count="2026")


def test_nothing_else_writes_separators() -> None:
    written = []
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            spec = node.format_spec if isinstance(node, ast.FormattedValue) else None
            if isinstance(spec, ast.JoinedStr) and path != OWN:
                parts = (each.value for each in spec.values if isinstance(each, ast.Constant))
                if any("," in str(part) for part in parts):
                    written.append(f"{path.relative_to(PACKAGE)}:{node.lineno}")
    assert written == []
