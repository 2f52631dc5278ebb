"""A connection to an MQTT 5 broker, which comes back by itself: what tables and collector have in common."""

from __future__ import annotations

import os
import ssl
import sys
import threading
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
from companion.sentences import Sentence, msgid
from companion.stopping import check

PORTS = {"mqtt": 1883, "mqtts": 8883}
PASSWORD = "COMPANION_BROKER_PASSWORD"
QOS = 1
KEEP_ALIVE_S = 30
RETRY_S = (1, 30)
"""Pauses between two attempts to connect: the first, and the longest."""
FATAL = frozenset(
    {
        msgid("Bad user name or password"),
        msgid("Not authorized"),
        msgid("Banned"),
        msgid("Client identifier not valid"),
        msgid("Unsupported protocol version"),
    }
)

NO_ADDRESS = msgid(
    "A broker is given as mqtt://localhost or mqtts://localhost, with its own name and perhaps a port."
)
UNREACHABLE = msgid("The broker {broker} cannot be reached ({why}): trying again; nothing is lost.")
UNTRUSTED = msgid(
    "The certificate of the broker {broker} is not trusted ({why}): name its authority with --ca."
)
REFUSED = msgid(
    "The broker {broker} refuses this ({why}): check user, password, rights, and that it speaks MQTT 5."
)
NO_ANSWER = msgid("the connection was lost")
CA_FOR_NOTHING = msgid("--ca needs a broker with TLS: mqtts.")
NO_CA = msgid("The certificates in '{file}' cannot be used ({why}).")


class Ended(Exception):
    """The connection was ended by another thread."""


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
            (parts.hostname or "").encode("idna")  # as it is looked up
        except (ValueError, KeyError):
            raise InputError(NO_ADDRESS) from None
        if not parts.hostname or parts.path.strip("/") or parts.query or parts.fragment:
            raise InputError(NO_ADDRESS)
        user = None if parts.username is None else unquote(parts.username)
        password = os.environ.get(PASSWORD) if parts.password is None else unquote(parts.password)
        return cls(parts.hostname, port, parts.scheme == "mqtts", user, password)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


class Connection:
    """A connection until `close`. One thread at a time calls it, but any thread `end`; `report` is called
    with each new trouble, and with None when nothing is in the way any more, on another thread.
    """

    def __init__(
        self,
        address: Address,
        report: Callable[[Sentence | None], None],
        authority: Path | None,
        client: paho.Client,
    ) -> None:
        """authority: a file with the certificates that are trusted in place of the system's. Raises
        InputError for one that cannot be used."""
        self.address = address
        self._report = report
        self._trouble: Sentence | None = None
        self._fatal: CompanionError | Ended | None = None
        self._changed = threading.Condition()
        self._is_connected = False
        self._client = client
        if address.user is not None:
            client.username_pw_set(address.user, address.password)
        if address.is_encrypted:
            client.tls_set_context(_make_tls_context(authority))
        client.reconnect_delay_set(*RETRY_S)
        client.on_connect, client.on_connect_fail = self._answered, self._failed
        client.on_disconnect = self._disconnected

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def check(self) -> None:
        """Raises MissingError where the connection never comes back, Ended after `end`, KeyboardInterrupt
        where a signal asks to end."""
        check()
        if self._fatal is not None:
            raise self._fatal

    def end(self) -> None:
        """Have the thread that uses the connection stop at its next `check`."""
        self._fail(Ended())

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _begin(self, **options: Any) -> None:
        """Connect for the first time; options: of paho's `connect_async`."""
        self._client.connect_async(self.address.host, self.address.port, KEEP_ALIVE_S, **options)
        self._client.loop_start()

    def _connected(self) -> None:
        """Called with each connection."""
        raise NotImplementedError

    def _lost(self) -> None:
        """Called where a connection was lost."""
        self._report_change(Sentence(UNREACHABLE, {"broker": str(self.address), "why": NO_ANSWER}))

    def _answered(
        self, _client: paho.Client, _data: Any, _flags: Any, reason: ReasonCode, _more: Properties | None
    ) -> None:
        if reason.is_failure:
            self._refuse(reason)
        else:
            self._is_connected = True
            self._connected()

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
        was, self._is_connected = self._is_connected, False
        if was and reason.is_failure:
            self._lost()

    def _refuse(self, reason: ReasonCode) -> None:
        why = reason.getName()
        if why in FATAL:
            self._fail(MissingError(REFUSED, broker=str(self.address), why=why))
        else:
            self._report_change(Sentence(UNREACHABLE, {"broker": str(self.address), "why": why}))

    def _fail(self, error: CompanionError | Ended) -> None:
        with self._changed:
            self._fatal = error
            self._changed.notify_all()

    def _report_change(self, trouble: Sentence | None) -> None:
        if trouble != self._trouble and self._fatal is None:
            self._trouble = trouble
            self._report(trouble)


def make_client(name: str = "", *, manual_ack: bool = False) -> paho.Client:
    """A client of MQTT 5; name: under which the broker knows it, "" for one of the broker's choice."""
    return paho.Client(
        CallbackAPIVersion.VERSION2, client_id=name, protocol=paho.MQTTv5, manual_ack=manual_ack
    )


def _make_tls_context(authority: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=authority)
    except (OSError, ValueError) as error:  # ssl.SSLError too, and a path that is none
        why = getattr(error, "strerror", None) or error
        raise InputError(NO_CA, file=authority, why=why) from error
