"""`companion club`: the games of many tables, collected from a broker into PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import print_json, print_line, print_message
from companion.errors import MissingError
from companion.stopping import until_stopped

NOT_INSTALLED = (
    "The package '{name}' is not installed. In the program's folder,"
    " .venv/bin/python -m pip install --editable '.[club]' installs what a club needs."
)
BACK = "{name} is there again."


def club(
    broker: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS; the password is taken from"
            " COMPANION_BROKER_PASSWORD.",
        ),
    ],
    database: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="postgresql://[USER@][HOST[:PORT]]/NAME; the password is taken from PGPASSWORD"
            " or ~/.pgpass.",
        ),
    ],
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="The port of the page; 0 takes a free one.")
    ] = 8370,
    ca: Annotated[
        Path | None,
        typer.Option("--ca", metavar="FILE", help="With mqtts: the certificate of the authority to trust."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Collect what the tables of a club send to an MQTT 5 broker in PostgreSQL, until Ctrl-C.

    Every game is played again by its rules: hands, wins and payments in the database are those of the table's
    score sheet. Prints the address that answers /standings, /tables and /players/NAME in JSON, to this
    machine only.
    """
    try:
        from companion.club.collector import Collecting
        from companion.club.database import Database
        from companion.club.pages import Pages
    except ModuleNotFoundError as error:
        raise MissingError(NOT_INSTALLED, name=error.name or "") from error
    from companion.publish.connection import Address
    from companion.sentences import Sentence

    def report(trouble: Sentence) -> None:
        print_message(str(trouble))

    def back(name: str) -> None:
        print_message(BACK.format(name=name))

    address = Address.parse(broker)
    with (
        until_stopped(),
        Database.parse(database) as read,
        Database.parse(database, exclusive=True) as written,
        Pages(read, port) as pages,
    ):
        if as_json:
            print_json({"address": pages.address})
        else:
            print_line(pages.address)
        Collecting(written, report, back).run(address, ca)
