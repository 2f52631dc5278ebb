"""Where the details of faults go: the program's log file, never the terminal of whoever uses it.

Errors quote their input, addresses of cameras too: everything that is written passes `redact`.
"""

from __future__ import annotations

import logging
import traceback
from datetime import UTC, datetime

from companion import __version__, config
from companion.addresses import redact
from companion.files import check_writable, open_owner_only
from companion.foreign_text import escape, show


class LogFile(logging.Handler):
    """Appends warnings and errors to the log file, which is made with the first of them."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            error = record.exc_info[1] if record.exc_info else None
            write_details(record.getMessage(), error)
        except Exception:  # a full disk must not end the thread that had something to say
            pass


def write_details(what: str, error: BaseException | None = None) -> None:
    """Append what happened, with the traceback of the error. Raises OSError."""
    file = config.log_file()
    check_writable(file)
    with open(file, "a", encoding="utf-8", errors="backslashreplace", opener=open_owner_only) as log:
        log.write(f"--- {datetime.now(UTC).isoformat(timespec='seconds')} companion {__version__}")
        log.write(f" {show(what)}\n" if what else "\n")
        if error is not None:
            log.write(escape(redact("".join(traceback.format_exception(error))), keep="\n"))


_handler = LogFile(logging.WARNING)


def log_to_file() -> None:
    """From now on what the program's parts log goes to the log file; a second call changes nothing."""
    for name in ("companion", "firmware_bridge", "py.warnings"):
        logging.getLogger(name).addHandler(_handler)
