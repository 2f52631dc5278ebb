"""Finds quantities in what people read that are written without separators."""

from __future__ import annotations

import re
from collections.abc import Iterable

PLAIN = re.compile(r"(?<![\d.,:#-])\d{4,}(?![\d-])")
DAY = re.compile(r"\b20\d\d-\d\d-\d\d(-\d{4})?\b|\b20\d\d\b")


def find_plain_numbers(texts: Iterable[str]) -> list[str]:
    """The texts with a number from 1000 on without separators, but for days and years."""
    return [text for text in texts if PLAIN.search(DAY.sub("", text))]
