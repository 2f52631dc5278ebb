"""`companion publish`: a kept game, sent to the MQTT broker of a club while it is played."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from companion.commands.inputs import AsJson
from companion.commands.output import print_json, print_line, print_message
from companion.errors import InputError
from companion.stopping import until_stopped

ACCEPTS_AGAIN = "The broker {broker} accepts this table's messages again."


def publish(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The kept game.")],
    broker: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="mqtt://[USER@]HOST[:PORT], or mqtts:// for TLS; the password is taken from"
            " COMPANION_BROKER_PASSWORD.",
        ),
    ],
    club: Annotated[str, typer.Option(metavar="NAME", help="The club, as part of the topics.")],
    table: Annotated[str, typer.Option(metavar="NAME", help="This table, as part of the topics.")],
    ca: Annotated[
        Path | None,
        typer.Option("--ca", metavar="FILE", help="With mqtts: the certificate of the authority to trust."),
    ] = None,
    home_assistant: Annotated[
        bool, typer.Option("--home-assistant", help="Also describe the table to Home Assistant.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Send a kept game to an MQTT 5 broker while it is played, until Ctrl-C.

    Each entry goes out once, in order, under mahjong/CLUB/TABLE/events; the newest state and whether the
    table is there are retained under state and alive. After a cut or a restart it goes on where it stopped.
    The game may be played in the window or followed by companion track meanwhile: it is only watched.
    """
    from companion.game import shelf
    from companion.publish.broker import Broker
    from companion.publish.connection import CA_FOR_NOTHING, Address
    from companion.publish.home_assistant import describe_table
    from companion.publish.publisher import publish as send
    from companion.publish.sources import WatchedSource
    from companion.publish.topics import TableTopics
    from companion.sentences import Sentence

    path = shelf.find(game)
    topics, address = TableTopics(club, table), Address.parse(broker)
    if ca is not None and not address.is_encrypted:
        raise InputError(CA_FOR_NOTHING)

    def report(trouble: Sentence | None) -> None:
        print_message(str(trouble) if trouble else ACCEPTS_AGAIN.format(broker=address))

    def caught_up(name: str, number: int) -> None:
        if as_json:
            print_json({"sent": number})
        else:
            print_line(f"{name}: {number} entries sent to {topics.events}")

    with until_stopped(), Broker(address, topics, report, ca) as connection:
        if home_assistant:
            for message in describe_table(topics):
                connection.send(message)
        send(WatchedSource(path), connection, caught_up, report)
