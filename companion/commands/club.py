"""`companion club`: the games of many tables, collected from a broker into PostgreSQL."""

from __future__ import annotations

import getpass
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import print_json, print_line, print_message
from companion.errors import InputError, MissingError
from companion.stopping import until_stopped

if TYPE_CHECKING:  # a club's packages may be missing
    from companion.club.pages import Pages

VARIABLE = "COMPANION_ORGANISER_PASSWORD"
ASKED = "Password of the organiser: "
NO_PASSWORD = "{variable} has no password, and there is no terminal to ask for one."
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
        int,
        typer.Option(
            metavar="N",
            min=0,
            max=65534,
            help="The port of the pages, and with --lan the next one; 0 takes any free ones.",
        ),
    ] = 8370,
    lan: Annotated[
        bool,
        typer.Option("--lan", help="Also for other devices in this network, by a link that holds a token."),
    ] = False,
    organiser: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Who may organise; the password is taken from COMPANION_ORGANISER_PASSWORD or asked for, and"
            " kept as a hash in the database. Another password replaces it.",
        ),
    ] = None,
    ca: Annotated[
        Path | None,
        typer.Option("--ca", metavar="FILE", help="With mqtts: the certificate of the authority to trust."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Collect what the tables of a club send to an MQTT 5 broker in PostgreSQL, until Ctrl-C.

    Every game is played again by its rules: hands, wins and payments in the database are those of the table's
    score sheet. Prints the address of the club's pages, which also answers /standings, /tables and
    /players/NAME in JSON; with --lan also the encrypted address, on which an organiser signs in from another
    machine, and the fingerprint of its certificate.
    """
    try:
        from companion.club.collector import Collecting
        from companion.club.database import Database
        from companion.club.pages import Pages
        from companion.club.sign_in import keep_organiser
    except ModuleNotFoundError as error:
        raise MissingError(NOT_INSTALLED, name=error.name or "") from error
    from companion.publish.connection import Address
    from companion.sentences import Sentence
    from companion.serve.site import Served

    def report(trouble: Sentence) -> None:
        print_message(str(trouble))

    def back(name: str) -> None:
        print_message(BACK.format(name=name))

    address = Address.parse(broker)
    password = None if organiser is None else _hash_password()
    with (
        until_stopped(),
        Database.parse(database) as read,
        Database.parse(database, exclusive=True) as written,
        Pages(read, Served(port, lan)) as pages,
    ):
        _print_addresses(pages, as_json)
        collecting = Collecting(written, report, back)
        if organiser is not None and password is not None:
            collecting.prepare()
            with written.begin() as session:
                keep_organiser(session, organiser, password)
        collecting.run(address, ca)


def _hash_password() -> str:
    """What is kept of the password, which the variable has or is asked for."""
    from companion.club.sign_in import hash_password

    given = os.environ.get(VARIABLE)
    if given is None:
        if not sys.stdin.isatty():
            raise InputError(NO_PASSWORD, variable=VARIABLE)
        given = getpass.getpass(ASKED)
    return hash_password(given)


def _print_addresses(pages: Pages, as_json: bool) -> None:
    encrypted = pages.encrypted
    if as_json:
        document: dict[str, object] = {"address": pages.address}
        if encrypted is not None:
            document |= {"token": pages.token, "encrypted": asdict(encrypted)}
        print_json(document)
        return
    print_line(pages.address)
    if encrypted is not None:
        print_line(encrypted.address)
        print_line(f"SHA-256 {encrypted.fingerprint}")
