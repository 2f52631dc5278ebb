"""`companion` and `python -m companion`."""

import signal

# Until all is imported there is nothing to clean up, and Python's handler would print where it stands.
signal.signal(signal.SIGINT, signal.SIG_DFL)

from companion.cli import main  # noqa: E402

if __name__ == "__main__":
    main()
