"""What happens when the display goes away under the window: the X server ends, or the connection to it.

Xlib then ends the process by C's `exit`, which tears libraries down while threads of ours still use them:
a reading in another thread would end in tracebacks or a crash. What a person did is written first.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable

GONE = "companion: The display is gone, so the window is closed. What was entered {kept}.\n"
BROKEN = 3
"""Exit status where something that is needed is missing or broken."""

_Handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
_handlers: list[object] = []
"""What Xlib may call must not be collected."""


def end_without_display(finish: Callable[[], bool]) -> None:
    """End the process with one sentence as soon as its X display is lost; elsewhere nothing changes.

    finish: waits for what is being written, and says whether all is on the disk.
    """

    @_Handler
    def end(_: int | None) -> int:
        """Called by Xlib when its connection is lost; must not return (XSetIOErrorHandler(3))."""
        kept = "is kept" if finish() else "last is not kept"
        os.write(2, GONE.format(kept=kept).encode())
        os._exit(BROKEN)

    try:
        ctypes.CDLL("libX11.so.6").XSetIOErrorHandler(end)
    except (OSError, AttributeError):
        return  # no X11 here
    _handlers.append(end)
