"""A table as a device of Home Assistant, by its MQTT discovery
(https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery)."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from companion.publish.topics import Message, TableTopics

SENSORS = {
    "status": ("Status", "{{ value_json.said.status }}"),
    "left": ("Tiles left", "{{ value_json.state.left if value_json.state else none }}"),
}
"""Name and template of each sensor, which reads the state of the table."""


def describe_table(topics: TableTopics) -> Iterator[Message]:
    """One retained message for each sensor of the table."""
    own = re.sub(
        r"[^0-9A-Za-z_-]", lambda found: f"_{ord(found[0]):x}_", f"mahjong_{topics.club}_{topics.table}"
    )
    device = {"identifiers": [own], "name": f"Mahjong: {topics.club}, {topics.table}"}
    for key, (name, template) in SENSORS.items():
        content = {
            "name": name,
            "unique_id": f"{own}_{key}",
            "state_topic": topics.state,
            "value_template": template,
            "availability_topic": topics.alive,
            "availability_template": "{{ 'online' if value_json.alive else 'offline' }}",
            "device": device,
        }
        yield Message(f"homeassistant/sensor/{own}_{key}/config", msgspec.json.encode(content), retained=True)
