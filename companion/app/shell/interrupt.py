"""Ctrl-C at the terminal that the window was opened from."""

from __future__ import annotations

import signal
import threading

INTERRUPTED = 130
"""The exit status of a program that Ctrl-C ended."""


class Interrupt:
    """From now on, and until the program ends, the first Ctrl-C closes the window, and no other is heeded.

    Python would raise KeyboardInterrupt wherever it is: between two steps of the window, or while the last
    write is waited for.
    """

    def __init__(self) -> None:
        self.came = False
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, self._note)

    def _note(self, *_: object) -> None:
        self.came = True
        # A handler of ours would go before Python has ended, and a signal that came then would kill it.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
