"""What happens when the display goes away under the window: the X server ends, or the connection to it.

Xlib then ends the process by C's `exit`, which tears libraries down while threads of ours still use them:
a reading in another thread would end in tracebacks or a crash. What a person did is on the disk by then.
"""

from __future__ import annotations

import ctypes
import os

GONE = b"companion: The display is gone, so the window is closed. What was entered is kept.\n"
BROKEN = 3
"""Exit status where something that is needed is missing or broken."""

_Handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)


@_Handler
def _end_at_once(_: int | None) -> int:
    """Called by Xlib when its connection is lost; must not return (XSetIOErrorHandler(3))."""
    os.write(2, GONE)
    os._exit(BROKEN)


def end_without_display() -> None:
    """End the process with one sentence as soon as its X display is lost; elsewhere nothing changes."""
    try:
        ctypes.CDLL("libX11.so.6").XSetIOErrorHandler(_end_at_once)
    except (OSError, AttributeError):
        return  # no X11 here
