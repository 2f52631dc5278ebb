"""A state as a JSON value, for `companion replay` and programs that ask where a game stands."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from msgspec import to_builtins

from companion.table.state import HandResult, HandState, LedgerEntry, Player, State
from companion.table.wall import WallPlace
from companion.tiles import Tile, format_tiles

Json = dict[str, Any]


def state_json(state: State) -> Json:
    """Where the game stands. Tiles are codes, points are by seat; hidden tiles are counted only.

    `hand` is null before the first hand. In it `left` counts the live wall, `dead` the dead wall,
    `before_sea` what is drawn before the sea, if there is one; places are null where the dice are
    not known. `offer` is the tile that others may take. `ledger` lists payments by
    person, in the order of `names`.
    """
    deal = state.deal
    return {
        "rules": state.house.rules.name,
        "names": list(state.names),
        "seated": list(state.seated),
        "points": list(state.balances),
        "stakes": to_builtins(state.house.stakes),
        "dealer": deal.dealer,
        "streak": deal.streak,
        "round": deal.wind + 1,
        "hands": state.hands,
        "over": state.over,
        "hand": None if state.hand is None else hand_json(state.hand),
        "ledger": [entry_json(entry) for entry in state.ledger],
    }


def hand_json(hand: HandState) -> Json:
    """The hand in play, or the last one."""
    wall, offer = hand.wall, hand.offer
    return {
        "phase": hand.phase.value,
        "dealer": hand.deal.dealer,
        "streak": hand.deal.streak,
        "round_wind": hand.deal.round_wind.code,
        "dice": None if hand.dice is None else list(hand.dice),
        "turn": hand.turn,
        "drawn": None if hand.drawn is None else hand.drawn.code,
        "left": wall.live_left,
        "before_sea": wall.before_sea if wall.rule.sea else None,
        "dead": wall.dead_left,
        "next": _place(wall.next_place),
        "replacement": _place(wall.replacement_place),
        "indicator": None if hand.indicator is None else hand.indicator.code,
        "fortune": None if hand.fortune is None else hand.fortune.code,
        "offer": None
        if offer is None
        else {
            "kind": offer.kind.value,
            "seat": offer.seat,
            "tile": None if offer.tile is None else offer.tile.code,
        },
        "calls": [call.value for call in hand.calls],
        "discards": hand.discards,
        "players": [player_json(player) for player in hand.players],
        "results": [result_json(result) for result in hand.results],
    }


def player_json(player: Player) -> Json:
    """What lies before one player. `count`: of concealed tiles; `concealed`: those of them that are known.

    `river`: the discards tile by tile; one that nobody saw is null there and in `missed`, and "?" in
    `discards`.
    """
    return {
        "concealed": format_tiles(sorted(player.concealed)),
        "count": player.count,
        "melds": ["K????" if laid.meld is None else str(laid.meld) for laid in player.melds],
        "sources": [laid.source for laid in player.melds],
        "flowers": format_tiles(player.flowers),
        "discards": _format_river(player.discards),
        "river": [None if tile is None else tile.code for tile in player.discards],
        "ready": player.ready,
        "void": player.void,
        "missed": [None if tile is None else tile.code for tile in player.missed],
        "gambits": player.gambits,
    }


def result_json(result: HandResult) -> Json:
    """A win and what it is worth."""
    score = result.score
    return {
        "winner": result.winner,
        "source": result.source.value,
        "from": result.discarder,
        "tile": None if result.tile is None else result.tile.code,
        "value": score.value,
        "unit": score.unit,
        "payments": list(score.payments),
        "lines": [{"id": x.id, "name": x.name, "count": x.count, "value": x.value} for x in score.lines],
    }


def entry_json(entry: LedgerEntry) -> Json:
    """One payment of the ledger."""
    return {
        "hand": entry.hand,
        "reason": entry.reason.value,
        "points": list(entry.points),
        "seat": entry.seat,
        "why": entry.why,
        "cancels": entry.cancels,
    }


def _format_river(discards: Iterable[Tile | None]) -> str:
    """The discards as text, "?" for each that nobody saw."""
    runs = groupby(discards, key=lambda tile: tile is None)
    return "".join(
        "?" * len(list(run)) if unseen else format_tiles(tile for tile in run if tile) for unseen, run in runs
    )


def _place(place: WallPlace | None) -> Json | None:
    if place is None:
        return None
    return {"side": place.side, "stack": place.stack, "layer": place.layer.value}
