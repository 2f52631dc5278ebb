"""What a real Mosquitto on this machine was sent."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

from lab.club.servers import MOSQUITTO, Mosquitto

__all__ = ["MOSQUITTO", "Mosquitto", "Subscriber", "wait_until"]

START_S = 10.0


class Subscriber:
    """Everything that was sent below `mahjong/` and `homeassistant/` since; comes back with the broker."""

    def __init__(self, port: int, name: str = "club") -> None:
        self._lock = threading.Lock()
        self._messages: list[tuple[str, Any, bool]] = []
        self._ready = threading.Event()
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id=name, protocol=paho.MQTTv5)
        self._client.on_connect = self._subscribe
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = self._take
        self._client.reconnect_delay_set(1, 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert self._ready.wait(START_S)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def send(self, topic: str, payload: bytes, retain: bool = False) -> None:
        self._client.publish(topic, payload, 1, retain).wait_for_publish(START_S)

    def sent(self, end: str) -> list[Any]:
        """The messages of the topics that end so, in order."""
        with self._lock:
            return [content for topic, content, _ in self._messages if topic.endswith(end)]

    def _subscribe(self, client: paho.Client, *_: Any) -> None:
        client.subscribe([("mahjong/#", 1), ("homeassistant/#", 1)])

    def _take(self, _client: paho.Client, _data: Any, message: paho.MQTTMessage) -> None:
        try:
            content = json.loads(message.payload)
        except ValueError:
            content = None
        with self._lock:
            self._messages.append((message.topic, content, message.retain))


def wait_until(holds: Callable[[], object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)
