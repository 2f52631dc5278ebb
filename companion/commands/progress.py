"""How far a command has come: one line on stderr that is written over, where that is a terminal."""

from __future__ import annotations

import sys

from companion.foreign_text import escape

CLEAR_LINE = "\r\x1b[K"
"""Back to its beginning, and delete it (ECMA-48, EL)."""


class ProgressLine:
    """Shows nothing where stderr is no terminal. Clear it before anything else is printed."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._is_shown = False

    def show(self, text: str) -> None:
        """Show this in place of what was shown before."""
        if self._is_terminal:
            self._write(f"{CLEAR_LINE}{escape(text)}")
            self._is_shown = True

    def clear(self) -> None:
        """Show nothing any more."""
        if self._is_shown:
            self._write(CLEAR_LINE)
            self._is_shown = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def format_time(t: float) -> str:
    """Minutes and whole seconds."""
    return f"{int(t // 60)}:{int(t % 60):02}"
