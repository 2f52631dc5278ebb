"""Sends a kept game to a broker while another program plays it. The game itself is the queue: what could not
be sent yet is still in it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.errors import CompanionError
from companion.game.watching import PlayedSoFar, WatchedGame
from companion.publish.broker import Broker
from companion.publish.sent import Sent
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
    """Send every entry of the kept game in the file `path`, those to come and those that the club asks for
    again too, and the newest state, until a signal ends it.

    caught_up: called with the number of the last entry whenever all are sent; report: called with each new
    trouble with the game. Raises MissingError where the broker never takes them, OSError where it cannot be
    kept how far they were sent.
    """
    watched = WatchedGame(path)
    newest: PlayedSoFar | None = None
    sent: Sent | None = None
    state_sent = "", 0, 0
    trouble: Sentence | None = None
    while True:
        broker.check()
        try:
            newest = watched.poll() or newest
            trouble = None
        except CompanionError as problem:
            if problem.sentence != trouble:
                trouble = problem.sentence
                report(trouble)
        if watched.entries and newest is not None:
            game = identify_game(watched.entries)
            destination = f"{broker.address}/{broker.topics.club}/{broker.topics.table}/{game}"
            if sent is None or sent.destination != destination:
                sent = Sent(destination)
            asked = broker.take_asked(game)
            due = watched.entries[sent.number if asked is None else min(sent.number, asked - 1) :]
            for entry in due:
                broker.send(Message(broker.topics.events, encode_entry(game, newest.name, entry)))
                sent.keep(entry.number)
            number = watched.entries[-1].number
            if state_sent != (game, number, broker.connections):
                if due or not state_sent[0]:
                    caught_up(number)
                state_sent = game, number, broker.connections
                content = encode_state(game, newest, number)
                broker.send(Message(broker.topics.state, content, retained=True))
        wait_readable(None, POLL_S)
