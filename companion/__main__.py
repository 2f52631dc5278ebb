"""`companion` and `python -m companion`."""

import signal
import sys

from companion import PYTHONS

if sys.version_info < PYTHONS[0]:
    oldest = ".".join(map(str, PYTHONS[0]))
    sys.exit(f"companion: Python {oldest} or newer is needed: install it, or run .venv/bin/companion.")

# Until all is imported there is nothing to clean up, and Python's handler would print where it stands.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from companion.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
