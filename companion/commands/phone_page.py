"""The page on which a phone becomes the camera of a command, as of `companion track phone`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from companion.commands.output import print_json, print_line, print_message

if TYPE_CHECKING:
    from companion.cameras.phone import PhonePictures
    from companion.live.running import RunningGame

OPEN = "Open this link on the phone and touch 'Use this phone as the camera':"
WARNS = "Its browser warns once. Continue if the certificate's SHA-256 fingerprint is this one:"
NO_NETWORK = "This computer is in no network, so no phone can open the page: connect it to your Wi-Fi."


@contextmanager
def serve_phone(game: RunningGame, phone: PhonePictures, as_json: bool) -> Iterator[None]:
    """Serve the page of that game to the network, encrypted, until the block ends, and print its link.
    MissingError where it cannot be served."""
    from companion.serve.server import Served, Server
    from companion.serve.sources import follow

    server = Server(follow(game, also_unkept=True), Served(port=0, lan=True), phone)
    try:
        encrypted = server.encrypted
        assert encrypted is not None
        link = encrypted.camera_address
        if not server.in_network:
            print_message(NO_NETWORK)
        if as_json:
            print_json({"t": 0.0, "page": {"address": link, "fingerprint": encrypted.fingerprint}})
        else:
            for line in (OPEN, link, WARNS, encrypted.fingerprint):
                print_line(line)
            if sys.stdout.isatty():
                _draw_code(link)
        yield
    finally:
        server.close()


def _draw_code(link: str) -> None:
    import segno

    segno.make(link, error="l", boost_error=False, micro=False).terminal(compact=True)
