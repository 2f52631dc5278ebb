"""`companion serve`: the running game as a page for phones and television."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import print_json, print_line
from companion.errors import MissingError
from companion.stopping import until_stopped, wait_readable

PAUSE_S = 1.0
"""Pause between two checks of the server."""


def serve(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="The kept game; by default always the one played last."),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=65534,
            help="The port, and with --lan the next one; 0 takes any free ones.",
        ),
    ] = 8360,
    lan: Annotated[
        bool,
        typer.Option("--lan", help="Also for other devices in this network, by a link that holds a token."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show a game that is being played on phones and television, in a browser.

    Prints the address and serves until Ctrl-C; with --lan also the encrypted address, which a phone's camera
    needs, and the fingerprint of its certificate. The game may be played in the window or followed by
    companion track meanwhile: it is only watched. Nobody sees tiles that a player could not see.
    """
    from companion.serve.messages import ENDED_BY_ITSELF
    from companion.serve.server import Server
    from companion.serve.site import Served
    from companion.serve.sources import watch_kept

    with until_stopped():
        server = Server(watch_kept(game), Served(port, lan))
        try:
            encrypted = server.encrypted
            if as_json:
                document = {"address": server.address, "token": server.token}
                print_json(document | ({} if encrypted is None else {"encrypted": asdict(encrypted)}))
            else:
                print_line(server.address)
                if encrypted is not None:
                    print_line(encrypted.address)
                    print_line(f"SHA-256 {encrypted.fingerprint}")
            while server.is_running:
                wait_readable(None, PAUSE_S)
            raise MissingError(ENDED_BY_ITSELF)
        finally:
            server.close()
