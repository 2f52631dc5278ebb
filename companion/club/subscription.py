"""The collector's connection to the broker, which keeps what was not acknowledged until it is there again."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.publish.connection import QOS, Address, Connection, make_client
from companion.publish.topics import ROOT
from companion.sentences import Sentence

TOPICS = tuple(f"{ROOT}/+/+/{what}" for what in ("events", "state", "alive"))
SESSION_S = 30 * 24 * 3600
"""For this time the broker keeps messages for a collector that is away, as far as it keeps any so long."""
UNACKNOWLEDGED_MAX = 500
"""Messages that the broker may send before the first of them is acknowledged."""
PACKET_MAX_BYTES = 2**24
"""Larger messages are not delivered; what is larger than an entry may be is refused here with a sentence."""
WAITING_MAX = 4 * UNACKNOWLEDGED_MAX
"""Beyond this, messages without acknowledgement, of which the broker may send any number, are dropped."""


@dataclass(frozen=True, slots=True)
class Arrived:
    """A message. number: of the message in the connection with the number `connection`."""

    topic: str
    payload: bytes
    qos: int
    number: int
    connection: int


class Subscription(Connection):
    """Every message of every table, until `close`. session: the name under which the broker keeps them."""

    def __init__(
        self,
        address: Address,
        session: str,
        report: Callable[[Sentence | None], None],
        authority: Path | None = None,
    ) -> None:
        """Begins to connect. Raises InputError as `Connection` does."""
        super().__init__(address, report, authority, make_client(session, manual_ack=True))
        self._arrived: deque[Arrived] = deque()
        self._connections = 0
        self._client.on_message, self._client.on_subscribe = self._received, self._subscribed
        kept = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        kept.SessionExpiryInterval = SESSION_S
        kept.ReceiveMaximum = UNACKNOWLEDGED_MAX
        kept.MaximumPacketSize = PACKET_MAX_BYTES
        self._begin(clean_start=False, properties=kept)

    def take(self, most: int, timeout_s: float, gather_s: float) -> Sequence[Arrived]:
        """The next messages, those together that come within `gather_s` of the first; none after the timeout.
        Raises as `check`."""
        self.check()
        with self._changed:
            self._changed.wait_for(lambda: self._arrived or self._fatal is not None, timeout_s)
            if self._arrived:
                self._changed.wait_for(lambda: len(self._arrived) >= most, gather_s)
            return [self._arrived.popleft() for _ in range(min(most, len(self._arrived)))]

    def acknowledge(self, messages: Sequence[Arrived]) -> None:
        """The broker need not keep these any longer. Those of an earlier connection come again anyway."""
        for each in messages:
            if each.qos and each.connection == self._connections:
                self._client.ack(each.number, each.qos)

    def send(self, topic: str, payload: bytes) -> None:
        """Send it if the broker is there."""
        self._client.publish(topic, payload, QOS)

    def _connected(self) -> None:
        with self._changed:
            self._connections += 1
            self._arrived.clear()
        self._client.subscribe([(topic, QOS) for topic in TOPICS])

    def _subscribed(
        self,
        _client: paho.Client,
        _data: Any,
        _number: int,
        reasons: Sequence[ReasonCode],
        _more: Properties | None,
    ) -> None:
        refusals = [each for each in reasons if each.is_failure]
        if refusals:
            self._refuse(refusals[0])
        else:
            self._report_change(None)

    def _received(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        with self._changed:
            if message.qos == 0 and len(self._arrived) >= WAITING_MAX:
                return
            self._arrived.append(
                Arrived(message.topic, bytes(message.payload), message.qos, message.mid, self._connections)
            )
            self._changed.notify_all()
