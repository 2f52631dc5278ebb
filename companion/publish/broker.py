"""The connection to an MQTT 5 broker, which comes back by itself; messages are sent one after the other."""

from __future__ import annotations

import os
import secrets
import ssl
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
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
from companion.publish.topics import Alive, Message, TableTopics, encode_alive
from companion.sentences import Sentence
from companion.stopping import check

PORTS = {"mqtt": 1883, "mqtts": 8883}
PASSWORD = "COMPANION_BROKER_PASSWORD"
QOS = 1
KEEP_ALIVE_S = 30
ALIVE_EVERY_S = 20.0
"""How often a table says that it is there."""
GONE_AFTER_S = 3 * ALIVE_EVERY_S
"""How long another program may say nothing until it counts as gone: after a power cut the broker may know no
last will of it."""
RETRY_S = (1, 30)
"""Pauses between two attempts to connect: the first, and the longest."""
POLL_S = 0.2
"""Between two looks whether a signal asks to end."""
PROGRAM_BYTES = 8
FATAL = frozenset(
    {
        "Bad user name or password",
        "Not authorized",
        "Banned",
        "Client identifier not valid",
        "Unsupported protocol version",
    }
)

NO_ADDRESS = (
    "A broker is given as mqtt://localhost or mqtts://localhost, with its own name and perhaps a port."
)
UNREACHABLE = "The broker {broker} cannot be reached ({why}): trying again; nothing is lost."
UNTRUSTED = "The certificate of the broker {broker} is not trusted ({why}): name its authority with --ca."
REFUSED = "The broker {broker} refuses this ({why}): check user, password, rights, and that it speaks MQTT 5."
TAKEN = "Another program publishes as this table, or did until a moment ago: waiting until it is gone."
NO_ANSWER = "the connection was lost"
CA_FOR_NOTHING = "--ca needs a broker with TLS: mqtts."
NO_CA = "The certificates in '{file}' cannot be used ({why})."


@dataclass(frozen=True, slots=True)
class Address:
    """Where a broker is. The password is not shown."""

    host: str
    port: int
    is_encrypted: bool
    user: str | None = None
    password: str | None = field(default=None, repr=False)

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

    connections: how often the table was announced so far; is_announced: whether it is now.
    """

    def __init__(
        self,
        address: Address,
        topics: TableTopics,
        report: Callable[[Sentence | None], None],
        authority: Path | None = None,
    ) -> None:
        """Begins to connect. authority: a file with the certificates that are trusted in place of the
        system's. Raises InputError for one that cannot be used."""
        self.address, self.topics = address, topics
        self.connections = 0
        self._report = report
        self._trouble: Sentence | None = None
        self._fatal: CompanionError | None = None
        self._changed = threading.Condition()
        self._acknowledged: set[int] = set()
        self._program = secrets.token_hex(PROGRAM_BYTES)
        self.is_announced = False
        self._said_s = 0.0
        self._other_s: float | None = None  # when another program last said that it is this table
        self._last_subscription = 0
        self._client = client = paho.Client(CallbackAPIVersion.VERSION2, protocol=paho.MQTTv5)
        if address.user is not None:
            client.username_pw_set(address.user, address.password)
        if address.is_encrypted:
            client.tls_set_context(_make_tls_context(authority))
        client.will_set(topics.alive, encode_alive(False, self._program), QOS, retain=True)
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
        self._wait_for(lambda: self.is_announced)
        number = self._client.publish(message.topic, message.payload, QOS, message.retained).mid
        self._wait_for(lambda: number in self._acknowledged)
        self._acknowledged.remove(number)

    def check(self) -> None:
        """Say that the table is there, where that is due. Raises MissingError where the connection never
        comes back, KeyboardInterrupt as `send` does."""
        check()
        if self._fatal is not None:
            raise self._fatal
        now_s = time.monotonic()
        if self._other_s is not None and now_s - self._other_s > GONE_AFTER_S:
            self._other_s = None
            self._announce()
        elif self.is_announced and now_s - self._said_s > ALIVE_EVERY_S:
            self._say_alive()

    def close(self) -> None:
        """Say that the table is gone, if the broker is there, and disconnect."""
        if self.is_announced:
            self._client.publish(self.topics.alive, encode_alive(False, self._program), QOS, retain=True)
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
        self._other_s = None
        client.subscribe(self.topics.alive, QOS)
        # The broker answers in order: what it retained is here before the answer to a second subscription.
        self._last_subscription = client.subscribe(self.topics.alive, QOS)[1] or 0

    def _subscribed(
        self, _client: paho.Client, _data: Any, number: int, _reasons: Any, _more: Properties | None
    ) -> None:
        if number == self._last_subscription and self._other_s is None:
            self._announce()

    def _received(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        """Whether another program is this table, perhaps the last run of this one. Of two that say so at the
        same time, the one with the higher number stays."""
        try:
            alive = decode_as(bytes(message.payload), Alive)
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

    def _failed(self, _client: paho.Client, _data: Any) -> None:
        error = sys.exception()  # paho calls this where it handles it
        if isinstance(error, ssl.SSLCertVerificationError):
            self._fail(MissingError(UNTRUSTED, broker=str(self.address), why=error.verify_message))
            return
        why = name_reason(error) if isinstance(error, OSError) else NO_ANSWER
        self._report_change(Sentence(UNREACHABLE, {"broker": str(self.address), "why": why}))

    def _disconnected(
        self, _client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Properties | None
    ) -> None:
        was, self.is_announced = self.is_announced, False
        if was and reason.is_failure:
            self._report_change(Sentence(UNREACHABLE, {"broker": str(self.address), "why": NO_ANSWER}))

    def _published(
        self, _client: paho.Client, _data: Any, number: int, reason: ReasonCode, _more: Properties | None
    ) -> None:
        if reason.is_failure:  # it will not be sent again
            self._fail(MissingError(REFUSED, broker=str(self.address), why=reason.getName()))
            return
        with self._changed:
            self._acknowledged.add(number)
            self._changed.notify_all()

    def _refuse(self, reason: ReasonCode) -> None:
        why = reason.getName()
        if why in FATAL:
            self._fail(MissingError(REFUSED, broker=str(self.address), why=why))
        else:
            self._report_change(Sentence(UNREACHABLE, {"broker": str(self.address), "why": why}))

    def _fail(self, error: CompanionError) -> None:
        with self._changed:
            self._fatal = error
            self._changed.notify_all()

    def _report_change(self, trouble: Sentence | None) -> None:
        if trouble != self._trouble and self._fatal is None:
            self._trouble = trouble
            self._report(trouble)


def _make_tls_context(authority: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority)
    except OSError as error:  # ssl.SSLError too
        raise InputError(NO_CA, file=authority, why=error.strerror or error) from error
