"""Worked examples of the rules as drafts of the window."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from companion.photo_hand.draft import NO_BALANCES, WinDraft
from companion.photo_hand.hand import PhotoHand
from companion.rules import RULE_SETS, Source
from companion.rules.kinds import WIND_NAMES
from companion.rules.win import DeclaredKong
from companion.tiles import MeldKind, parse_meld, parse_tiles

GOLDEN = Path(__file__).parents[1] / "golden"
SAME_NAME = (
    "rules",
    "winner",
    "dealer",
    "streak",
    "discards",
    "fortune",
    "gambits",
    "consecutive_kongs",
    "base",
    "cap",
)


def examples(game: str) -> dict[str, dict[str, Any]]:
    lines = (GOLDEN / f"{game}.jsonl").read_text(encoding="utf-8").splitlines()
    return {example["id"]: example for example in map(json.loads, lines)}


EXAMPLES = {id: example for game in RULE_SETS for id, example in examples(game).items()}


def hand_of(request: dict[str, Any]) -> PhotoHand:
    """The tiles as a person types them: melds, then the hand, then the flowers."""
    hand = PhotoHand()
    for meld in map(parse_meld, request.get("melds", ())):
        first = hand.next_id
        for tile in meld.tiles:
            hand = hand.add(tile.code)
        hand = hand.make_meld(first, meld.kind)
    for tile in parse_tiles(request["hand"]):
        hand = hand.add(tile.code)
    winning = request.get("winning_tile")
    if winning:
        hand = hand.win_with(next(tile.id for tile in hand.concealed if tile.code == winning))
    for tile in parse_tiles(request.get("flowers", "")):
        hand = hand.add(tile.code)
    return hand


def make_draft(request: dict[str, Any]) -> WinDraft:
    same = {name: request[name] for name in SAME_NAME if name in request}
    if request.get("from") is not None:
        same["discarder"] = request["from"]
    return WinDraft(
        hand=hand_of(request),
        options=tuple(sorted(request.get("options", {}).items())),
        source=Source(request["source"]),
        situation=tuple(request.get("situation", ())),
        round_wind=WIND_NAMES.index(request.get("round_wind", "east")),
        three_melds=tuple((a, b) for a, b in request.get("three_melds", ())),
        kongs_declared=tuple(
            DeclaredKong(MeldKind(kong["kind"]), kong["seat"], kong.get("from"))
            for kong in request.get("kongs_declared", ())
        ),
        balances=tuple(request.get("balances") or NO_BALANCES),
        **same,
    )
