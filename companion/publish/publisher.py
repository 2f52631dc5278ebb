"""Sends a kept game to a broker while it is played. The game itself is the queue: what could not be sent yet
is still in it.
"""

from __future__ import annotations

from collections.abc import Callable

from companion.game.watching import PlayedSoFar
from companion.publish.broker import Broker
from companion.publish.sent import Sent
from companion.publish.sources import Source
from companion.publish.topics import Message, encode_entry, encode_state, identify_game
from companion.sentences import Sentence
from companion.sheets.hands import Sheet, make_sheet
from companion.stopping import wait_readable

POLL_S = 0.1
"""Pause between two checks of the game."""


def publish(
    source: Source,
    broker: Broker,
    caught_up: Callable[[str, int], None],
    report: Callable[[Sentence], None],
) -> None:
    """Send every entry of the games of the source, those to come and those that the club asks for again too,
    and the newest state, until a signal or `Broker.end` ends it.

    caught_up: called with the game's name and the number of its last entry whenever all are sent; report:
    called with each new trouble with the game. Raises MissingError where the broker never takes them, Ended
    after `Broker.end`, OSError where it cannot be kept how far they were sent.
    """
    sent: Sent | None = None
    state_sent: tuple[str, int, int] | None = None
    played_sent: PlayedSoFar | None = None
    sheet: Sheet | None = None
    trouble: Sentence | None = None
    while True:
        broker.check()
        kept = source.read()
        if kept.trouble is not None and kept.trouble != trouble:
            report(kept.trouble)
        trouble = kept.trouble
        if kept.entries and kept.played is not None:
            name, game, number = kept.played.name, identify_game(kept.entries), kept.entries[-1].number
            destination = f"{broker.address}/{broker.topics.club}/{broker.topics.table}/{game}"
            is_another = sent is None or sent.destination != destination
            if sent is None or is_another:
                sent = Sent(destination)
            asked = broker.take_asked(game)
            due = kept.entries[sent.number if asked is None else min(sent.number, asked - 1) :]
            for entry in due:
                broker.send(Message(broker.topics.events, encode_entry(game, name, entry)))
                sent.keep(entry.number)
            if due or is_another:
                caught_up(name, number)
            state = game, number, broker.connections
            if state != state_sent or kept.played is not played_sent:
                state_sent, played_sent = state, kept.played
                sheet = make_sheet(kept.played.events, sheet)
                content = encode_state(game, kept.played, sheet, number)
                broker.send(Message(broker.topics.state, content, retained=True))
        wait_readable(None, POLL_S)
