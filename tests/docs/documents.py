"""The documents that people read first, and their fenced blocks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
DOCUMENTS = (
    REPOSITORY / "README.md",
    *sorted((REPOSITORY / "docs").glob("*.md")),
    REPOSITORY / "firmware_bridge" / "README.md",
    REPOSITORY / "models" / "MODEL_CARD.md",
    REPOSITORY / "docs" / "archive" / "training-rounds.md",
)
UNTESTED = "no-test:"
"""Stands behind ```sh, with the reason, where a command cannot run in a test."""
FENCE = re.compile(r"^```(\w*) ?([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block. `note`: what follows the language; `printed`: the text block directly below it."""

    language: str
    note: str
    code: str
    line: int
    printed: str | None

    @property
    def is_run(self) -> bool:
        return self.language == "sh" and not self.note.startswith(UNTESTED)


def name_of(document: Path) -> str:
    return str(document.relative_to(REPOSITORY))


def find_blocks(document: Path) -> list[Block]:
    """The fenced blocks of a document, in order."""
    text = document.read_text(encoding="utf-8")
    fences = list(FENCE.finditer(text))
    found = []
    for fence, after in zip_longest(fences, fences[1:]):
        below = after is not None and after[1] == "text" and not text[fence.end() : after.start()].strip()
        printed = after[3] if below and after is not None else None
        line = text.count("\n", 0, fence.start()) + 1
        found.append(Block(fence[1], fence[2], fence[3], line, printed))
    return found
