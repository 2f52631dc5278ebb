"""Sends a kept game to a broker while another program plays it. The game itself is the queue: what could not
be sent yet is still in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.errors import CompanionError
from companion.game.watching import PlayedSoFar, WatchedGame
from companion.publish.broker import Broker
from companion.publish.sent import keep_sent, read_sent
from companion.publish.topics import Message, encode_entry, encode_state, identify_game
from companion.sentences import Sentence
from companion.stopping import wait_readable

POLL_S = 0.1
"""Pause between two checks of the game's file."""


def publish(
    path: Path,
    broker: Broker,
    caught_up: Callable[[int], None],
    report: Callable[[Sentence], None],
) -> None:
    """Send every entry of the kept game in the file `path`, those to come too, and the newest state, until a
    signal ends it. caught_up: called with the number of the last entry whenever all are sent; report: called
    with each new trouble with the game. Raises MissingError where the broker never takes them."""
    watched = WatchedGame(path)
    newest: PlayedSoFar | None = None
    state_sent = 0, 0
    trouble: Sentence | None = None
    through = 0
    while True:
        broker.check()
        try:
            newest = watched.poll() or newest
            trouble = None
            before, through = through, send_entries(watched, broker)
            if newest is not None and state_sent != (through, broker.connections):
                state_sent = through, broker.connections
                game = identify_game(watched.entries)
                broker.send(Message(broker.place.state, encode_state(game, newest, through), retained=True))
            if through != before:
                caught_up(through)
        except CompanionError as problem:
            broker.check()
            if problem.sentence != trouble:
                trouble = problem.sentence
                report(trouble)
        wait_readable(None, POLL_S)


def send_entries(watched: WatchedGame, broker: Broker) -> int:
    """Send the entries that were not sent to this broker for this table, or that the club asks for again; the
    number of the last one. Raises what `Broker.send` does, and OSError where it cannot be kept how far they
    were sent."""
    if not watched.entries:
        return 0
    game = identify_game(watched.entries)
    place = broker.place
    destination = f"{broker.address}/{place.club}/{place.table}/{game}"
    sent, asked = read_sent(destination), broker.take_asked(game)
    for entry in watched.entries[sent if asked is None else min(sent, asked - 1) :]:
        broker.send(Message(place.events, encode_entry(game, watched.path.stem, entry)))
        keep_sent(destination, entry.number)
    return watched.entries[-1].number
