"""The connection to an MQTT 5 broker, which comes back by itself; messages are sent one after the other."""

from __future__ import annotations

import os
import secrets
import ssl
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self
from urllib.parse import unquote, urlsplit

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from companion.errors import CompanionError, InputError, MissingError
from companion.files import name_reason
from companion.foreign import Undecodable, decode_as
from companion.publish.topics import Alive, Message, Place, encode_alive
from companion.sentences import Sentence
from companion.stopping import check

PORTS = {"mqtt": 1883, "mqtts": 8883}
PASSWORD = "COMPANION_BROKER_PASSWORD"
QOS = 1
KEEP_ALIVE_S = 30
RETRY_S = (1, 30)
"""Pauses between two attempts to connect: the first, and the longest."""
POLL_S = 0.2
PROGRAM_BYTES = 8
FATAL = frozenset({"Bad user name or password", "Not authorized", "Banned", "Client identifier not valid"})

NO_ADDRESS = (
    "A broker is given as mqtt://localhost or mqtts://localhost, with its own name and perhaps a port."
)
UNREACHABLE = "The broker {broker} cannot be reached ({why}): trying again; nothing is lost."
UNTRUSTED = "The certificate of the broker {broker} is not trusted ({why}): name its authority with --ca."
REFUSED = "The broker {broker} refuses this ({why}): check user, password and rights."
TAKEN = "Another program publishes as this table, or did until a moment ago: waiting until it is gone."
NO_ANSWER = "the connection was lost"
NO_CA = "The certificates in '{file}' cannot be used ({why})."


@dataclass(frozen=True, slots=True)
class Address:
    """Where a broker is. The password is not shown."""

    host: str
    port: int
    is_encrypted: bool
    user: str | None = None
    password: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """`mqtt://[USER[:PASSWORD]@]HOST[:PORT]`, or mqtts:// for TLS; the password may be in the environment
        variable COMPANION_BROKER_PASSWORD instead. Raises InputError."""
        try:
            parts = urlsplit(text)
            port = parts.port or PORTS[parts.scheme]
        except (ValueError, KeyError):
            raise InputError(NO_ADDRESS) from None
        if not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
            raise InputError(NO_ADDRESS)
        user = None if parts.username is None else unquote(parts.username)
        password = os.environ.get(PASSWORD) if parts.password is None else unquote(parts.password)
        return cls(parts.hostname, port, parts.scheme == "mqtts", user, password)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Broker:
    """A connection for one table, until `close`. One thread at a time calls it; `report` is called with each
    new trouble, and with None when nothing is in the way any more, on another thread.

    connections: how often the table was announced so far.
    """

    def __init__(
        self,
        address: Address,
        place: Place,
        report: Callable[[Sentence | None], None],
        authority: Path | None = None,
    ) -> None:
        """Begins to connect. authority: a file with the certificates that are trusted in place of the
        system's. Raises InputError for one that cannot be used."""
        self.address, self.place = address, place
        self.connections = 0
        self._report = report
        self._trouble: Sentence | None = None
        self._fatal: CompanionError | None = None
        self._changed = threading.Condition()
        self._acknowledged: set[int] = set()
        self._program = secrets.token_hex(PROGRAM_BYTES)
        self._is_announced = self._is_taken = False
        self._last_subscription = 0
        self._client = client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        if address.user is not None:
            client.username_pw_set(address.user, address.password)
        if address.is_encrypted:
            client.tls_set_context(_trust(authority))
        client.will_set(place.alive, encode_alive(False, self._program), QOS, retain=True)
        client.reconnect_delay_set(*RETRY_S)
        client.on_connect, client.on_connect_fail = self._connected, self._failed
        client.on_disconnect, client.on_publish = self._disconnected, self._published
        client.on_subscribe, client.on_message = self._subscribed, self._received
        client.connect_async(address.host, address.port, KEEP_ALIVE_S)
        client.loop_start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def send(self, message: Message) -> None:
        """Send it and wait until the broker has it, however long that takes. Raises MissingError where it
        never will, KeyboardInterrupt where a signal asks to end."""
        self._wait_for(lambda: self._is_announced)
        number = self._client.publish(message.topic, message.payload, QOS, message.retained).mid
        self._wait_for(lambda: number in self._acknowledged)
        self._acknowledged.remove(number)

    def check(self) -> None:
        """Raises MissingError where the connection never comes back, KeyboardInterrupt as `send` does."""
        check()
        if self._fatal is not None:
            raise self._fatal

    def close(self) -> None:
        """Say that the table is gone, if the broker is there, and disconnect."""
        if self._is_announced:
            self._client.publish(self.place.alive, encode_alive(False, self._program), QOS, retain=True)
        self._client.disconnect()
        self._client.loop_stop()

    def _wait_for(self, holds: Callable[[], bool]) -> None:
        while True:
            self.check()
            with self._changed:
                if self._changed.wait_for(lambda: holds() or self._fatal is not None, POLL_S) and holds():
                    return

    def _connected(
        self, client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Properties | None
    ) -> None:
        if reason.is_failure:
            self._refuse(reason)
            return
        self._is_taken = False
        client.subscribe(self.place.alive, QOS)
        # The broker answers in order: what it retained is here before the answer to a second subscription.
        self._last_subscription = client.subscribe(self.place.alive, QOS)[1] or 0

    def _subscribed(
        self, _client: paho.Client, _data: Any, number: int, _reasons: Any, _more: Properties | None
    ) -> None:
        if number == self._last_subscription and not self._is_taken:
            self._announce()

    def _received(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        """Whether another program is this table. It may be the last run of this one, of which the broker has
        not noticed yet that it is gone."""
        try:
            alive = decode_as(bytes(message.payload), Alive)
        except Undecodable:
            return
        if alive.program == self._program:
            return
        if alive.alive:
            self._is_taken, self._is_announced = True, False
            self._say(Sentence(TAKEN))
        elif self._is_taken:
            self._is_taken = False
            self._announce()

    def _announce(self) -> None:
        self._client.publish(self.place.alive, encode_alive(True, self._program), QOS, retain=True)
        self._say(None)
        with self._changed:
            self.connections += 1
            self._is_announced = True
            self._changed.notify_all()

    def _failed(self, _client: paho.Client, _data: Any) -> None:
        error = sys.exception()  # paho calls this where it handles it
        if isinstance(error, ssl.SSLCertVerificationError):
            self._end(MissingError(UNTRUSTED, broker=str(self.address), why=error.verify_message))
            return
        why = name_reason(error) if isinstance(error, OSError) else NO_ANSWER
        self._say(Sentence(UNREACHABLE, {"broker": str(self.address), "why": why}))

    def _disconnected(
        self, _client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Properties | None
    ) -> None:
        self._is_announced = False
        if reason.is_failure:
            self._say(Sentence(UNREACHABLE, {"broker": str(self.address), "why": NO_ANSWER}))

    def _published(
        self, _client: paho.Client, _data: Any, number: int, reason: ReasonCode, _more: Properties | None
    ) -> None:
        if reason.is_failure:
            self._refuse(reason)
            return
        with self._changed:
            self._acknowledged.add(number)
            self._changed.notify_all()

    def _refuse(self, reason: ReasonCode) -> None:
        why = reason.getName()
        if why in FATAL:
            self._end(MissingError(REFUSED, broker=str(self.address), why=why))
        else:
            self._say(Sentence(UNREACHABLE, {"broker": str(self.address), "why": why}))

    def _end(self, error: CompanionError) -> None:
        with self._changed:
            self._fatal = error
            self._changed.notify_all()

    def _say(self, trouble: Sentence | None) -> None:
        if trouble != self._trouble and self._fatal is None:
            self._trouble = trouble
            self._report(trouble)


def _trust(authority: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority)
    except OSError as error:  # ssl.SSLError too
        raise InputError(NO_CA, file=authority, why=error.strerror or error) from error
