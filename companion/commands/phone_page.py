"""The page on which a phone becomes the camera of a command, as of `companion track phone`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from companion.commands.output import print_line, print_message

if TYPE_CHECKING:
    from companion.cameras.phone import PhonePictures
    from companion.live.running import RunningGame

OPEN = "Open this link on the phone and touch 'Use this phone as the camera':"
WARNS = "Its browser warns once. Continue if the certificate's SHA-256 fingerprint is this one:"
NO_NETWORK = "This computer is in no network, so no phone can open the page: connect it to your Wi-Fi."


@contextmanager
def serve_phone(game: RunningGame, phone: PhonePictures) -> Iterator[tuple[str, str]]:
    """Serve the page of that game to the network, encrypted, until the block ends: its link, and the SHA-256
    fingerprint of its certificate. MissingError where it cannot be served."""
    from companion.serve.server import Server
    from companion.serve.site import Served
    from companion.serve.sources import follow

    server = Server(follow(game, also_unkept=True), Served(port=0, lan=True), phone)
    try:
        encrypted = server.encrypted
        assert encrypted is not None
        if not server.in_network:
            print_message(NO_NETWORK)
        yield encrypted.camera_address, encrypted.fingerprint
    finally:
        server.close()


def print_link(link: str, fingerprint: str, file: TextIO) -> None:
    """How a person opens the page, with the link's QR code in a terminal."""
    for line in (OPEN, link, WARNS, fingerprint):
        print_line(line, file)
    if file.isatty():
        import segno

        segno.make(link, error="l", boost_error=False, micro=False).terminal(file, compact=True)
