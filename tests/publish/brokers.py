"""A real Mosquitto on this machine, and what it was sent."""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
START_S = 10.0


class Mosquitto:
    """A broker that can be stopped and started again; it keeps what it has as a real one does."""

    def __init__(self, folder: Path, *settings: str) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self.port = taken.getsockname()[1]
        folder.mkdir()
        self._config = folder / "mosquitto.conf"
        lines = settings or ("allow_anonymous true",)
        self._config.write_text(
            "\n".join(
                (
                    f"listener {self.port} 127.0.0.1",
                    "persistence true",
                    f"persistence_location {folder}/",
                    "autosave_interval 1",
                    "user root",
                    *lines,
                    "",
                )
            )
        )
        self._running: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"mqtt://127.0.0.1:{self.port}"

    def start(self) -> None:
        assert MOSQUITTO is not None
        self._running = subprocess.Popen(
            [MOSQUITTO, "-c", self._config], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_until(self._answers, START_S)

    def stop(self) -> None:
        if self._running is not None:
            self._running.terminate()
            self._running.wait()
            self._running = None

    def _answers(self) -> bool:
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0


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
