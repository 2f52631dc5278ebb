"""Files of windows as earlier programs wrote them, formats 1 and 2: all in one, under the names of then."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.foreign import decode_as


def separate_parts(content: bytes) -> bytes:
    """The same as JSON of format 3. Raises Undecodable; what else is wrong in it stays in it."""
    old = decode_as(content, dict[str, Any])
    parts: dict[str, Any] = {
        "score_photo": _rename_melds(old.pop("facts", None)),
        "tile_sets": {
            "used": old.pop("tile_set", None), "lesson": old.pop("lesson", {}),
        },
        "devices": old.pop("devices", {}),
    }  # fmt: skip
    return msgspec.json.encode({"parts": parts, "language": old.get("language")})


def _rename_melds(draft: Any) -> Any:
    """Laid melds were called groups."""
    hand = draft.get("hand") if isinstance(draft, dict) else None
    if isinstance(hand, dict) and "groups" in hand:
        hand["melds"] = hand.pop("groups")
    return draft
