"""The connection of one table, which says that the table is there; messages are sent one after the other."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.errors import MissingError
from companion.foreign import Undecodable, decode_as
from companion.publish.connection import QOS, REFUSED, Address, Connection, make_client
from companion.publish.topics import VERSION, Again, Alive, Message, TableTopics, encode_alive
from companion.sentences import Sentence, msgid

POLL_S = 0.2
"""Between two looks whether a signal asks to end."""
ALIVE_EVERY_S = 20.0
"""How often a table says that it is there."""
GONE_AFTER_S = 3 * ALIVE_EVERY_S
"""How long another program may say nothing until it counts as gone: after a power cut the broker may know no
last will of it."""
PROGRAM_BYTES = 8
TAKEN = msgid("Another program publishes as this table, or did until a moment ago: waiting until it is gone.")


class Broker(Connection):
    """A connection for one table, until `close`.

    connections: how often the table was announced so far; is_announced: whether it is now.
    """

    def __init__(
        self,
        address: Address,
        topics: TableTopics,
        report: Callable[[Sentence | None], None],
        authority: Path | None = None,
    ) -> None:
        """Begins to connect. Raises InputError as `Connection` does."""
        super().__init__(address, report, authority, make_client())
        self.topics = topics
        self.connections = 0
        self._acknowledged: set[int] = set()
        self._asked: dict[str, int] = {}
        self._program = secrets.token_hex(PROGRAM_BYTES)
        self.is_announced = False
        self._said_s = 0.0
        self._other_s: float | None = None  # when another program last said that it is this table
        self._last_subscription = 0
        client = self._client
        client.will_set(topics.alive, encode_alive(False, self._program), QOS, retain=True)
        client.on_publish, client.on_subscribe = self._published, self._subscribed
        client.on_message = self._received
        self._begin()

    def send(self, message: Message) -> None:
        """Send it and wait until the broker has it, however long that takes. Raises as `check` does."""
        self._wait_for(lambda: self.is_announced)
        number = self._client.publish(message.topic, message.payload, QOS, message.retained).mid
        self._wait_for(lambda: number in self._acknowledged)
        self._acknowledged.remove(number)

    def check(self) -> None:
        """Say that the table is there, where that is due. Raises as `Connection.check` does."""
        super().check()
        now_s, other_s = time.monotonic(), self._other_s  # read once: it changes in the connection's thread
        if other_s is not None and now_s - other_s > GONE_AFTER_S:
            self._other_s = None
            self._announce()
        elif self.is_announced and now_s - self._said_s > ALIVE_EVERY_S:
            self._say_alive()

    def take_asked(self, game: str) -> int | None:
        """The number of the entry from which the club has asked for that game again; None where it has not
        since the last call."""
        with self._changed:
            return self._asked.pop(game, None)

    def close(self) -> None:
        """Say that the table is gone, if the broker is there, and disconnect."""
        if self.is_announced:
            self._client.publish(self.topics.alive, encode_alive(False, self._program), QOS, retain=True)
        super().close()

    def _wait_for(self, holds: Callable[[], bool]) -> None:
        while True:
            self.check()
            with self._changed:
                if self._changed.wait_for(lambda: holds() or self._fatal is not None, POLL_S) and holds():
                    return

    def _connected(self) -> None:
        self._other_s = None
        self._client.subscribe(self.topics.again, QOS)
        self._client.subscribe(self.topics.alive, QOS)
        # The broker answers in order: what it retained is here before the answer to a second subscription.
        self._last_subscription = self._client.subscribe(self.topics.alive, QOS)[1] or 0

    def _lost(self) -> None:
        self.is_announced = False
        super()._lost()

    def _subscribed(
        self, _client: paho.Client, _data: Any, number: int, _reasons: Any, _more: Properties | None
    ) -> None:
        if number == self._last_subscription and self._other_s is None:
            self._announce()

    def _received(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        payload = bytes(message.payload)
        if message.topic == self.topics.again:
            self._note_asked(payload)
        else:
            self._note_alive(payload)

    def _note_asked(self, payload: bytes) -> None:
        try:
            asked = decode_as(payload, Again)
        except Undecodable:
            return
        if asked.version == VERSION:
            with self._changed:
                # A table plays one game: of other games nothing is kept.
                self._asked = {asked.game: min(asked.first, self._asked.get(asked.game, asked.first))}

    def _note_alive(self, payload: bytes) -> None:
        """Whether another program is this table, perhaps the last run of this one. Of two that say so at the
        same time, the one with the higher number stays."""
        try:
            alive = decode_as(payload, Alive)
        except Undecodable:
            return
        if alive.program == self._program:
            return
        if not alive.alive:
            if self._other_s is not None:
                self._other_s = None
                self._announce()
            elif self.is_announced:
                self._say_alive()  # the other one's farewell is not the table's
        elif self.is_announced and alive.program < self._program:
            self._say_alive()
        else:
            self._other_s, self.is_announced = time.monotonic(), False
            self._report_change(Sentence(TAKEN))

    def _say_alive(self) -> None:
        self._said_s = time.monotonic()
        self._client.publish(self.topics.alive, encode_alive(True, self._program), QOS, retain=True)

    def _announce(self) -> None:
        self._say_alive()
        self._report_change(None)
        with self._changed:
            self.connections += 1
            self.is_announced = True
            self._changed.notify_all()

    def _published(
        self, _client: paho.Client, _data: Any, number: int, reason: ReasonCode, _more: Properties | None
    ) -> None:
        if reason.is_failure:  # it will not be sent again
            self._fail(MissingError(REFUSED, broker=str(self.address), why=reason.getName()))
            return
        with self._changed:
            self._acknowledged.add(number)
            self._changed.notify_all()
