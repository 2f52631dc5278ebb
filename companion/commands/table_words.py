"""The facts of a game as a person would tell them, and what lies before a player as text."""

from __future__ import annotations

from collections.abc import Sequence

from companion.commands.output import MULTIPLIER, worth
from companion.rules import Source
from companion.table import events
from companion.table.events import Event
from companion.table.places import Layer
from companion.table.state import Hand, Player, Result, State
from companion.tiles import format_tiles

LAYERS = {Layer.UPPER: "↑", Layer.LOWER: "↓"}
ROUNDS = ("East", "South", "West", "North")


def told(event: Event, after: State) -> str:
    """What happened, in one sentence without its stop; `after` is the state that it led to."""
    match event:
        case events.GameStarted():
            return f"{after.house.rules.title} is played"
        case events.HandStarted():
            dice = "unseen dice" if event.dice is None else "dice " + " ".join(map(str, event.dice))
            return f"seat {event.dealer} deals, {dice}"
        case events.Dealt():
            return "the first tiles are taken"
        case events.IndicatorTurned():
            return f"{event.tile} is turned over, and {event.tile} is the Fortune"
        case events.FlowerSetOut():
            return f"seat {event.seat} sets out {event.tile}"
        case events.Drawn():
            replaces = " in its place" if after.hand is not None and after.hand.replaced else ""
            return f"seat {event.seat} draws {event.tile or 'a tile'}{replaces}"
        case events.Discarded():
            return f"seat {event.seat} discards {event.tile}"
        case events.Called():
            return f"seat {event.seat} calls {event.call.value}"
        case events.WinPassed():
            return f"seat {event.seat} passes up a win"
        case events.Claimed():
            return f"seat {event.seat} claims {event.meld}"
        case events.ConcealedKong():
            return f"seat {event.seat} lays a concealed kong" + (f" of {event.tile}" if event.tile else "")
        case events.AddedKong():
            return f"seat {event.seat} adds {event.tile} to a pung"
        case events.ReadyDeclared():
            return f"seat {event.seat} calls ready"
        case events.Won():
            return won(_last_result(after))
        case events.FalseWin():
            return f"seat {event.seat} declares a win that is none"
        case events.HandVoided():
            return f"the hand of seat {event.seat} is dead{_why(event.why)}"
        case events.HandDrawn():
            return "nobody wins"
        case events.HandAbandoned():
            return f"the hand does not count{_why(event.why)}"
        case events.HandShown():
            return f"seat {event.seat} shows {event.hand}"
        case events.PointsMoved():
            return f"points move{_why(event.why)}"
        case events.EntryCancelled():
            return f"payment {event.entry} is taken back{_why(event.why)}"
        case events.SeatsChanged():
            return "the seats change: " + " ".join(map(str, event.order))
        case events.DealSet():
            return f"seat {after.deal.dealer} deals next{_why(event.why)}"
        case events.GameEnded():
            return f"the game is ended{_why(event.why)}"
        case events.Corrected():
            return f"event {event.number} is corrected{_why(event.why)}"


def won(result: Result) -> str:
    """Who won, on whose tile, and what it is worth."""
    source = {
        Source.SELF_DRAW: "by self-draw",
        Source.DISCARD: f"on the discard of seat {result.discarder}",
        Source.ROBBED_KONG: f"by robbing the kong of seat {result.discarder}",
    }[result.source]
    score = result.score
    value = worth(score.value, score.unit) + ("" if score.unit == MULTIPLIER else f" {score.unit}")
    rows = ", ".join(line.name for line in score.lines)
    return f"seat {result.winner} wins {source}: {value}" + (f" ({rows})" if rows else "")


def round_of(hand: Hand) -> str:
    """The hand's round and dealer."""
    return f"{ROUNDS[hand.deal.wind % len(ROUNDS)]} round, seat {hand.deal.dealer} deals"


def tiles_of(player: Player) -> str:
    """The player's tiles: concealed ones in order, melds, flowers."""
    concealed = format_tiles(sorted(player.concealed))
    hidden = f"{player.hidden} unseen" if player.hidden else ""
    melds = ["K????" if laid.meld is None else str(laid.meld) for laid in player.melds]
    return " ".join(part for part in (concealed, hidden, *melds, format_tiles(player.flowers)) if part)


def wall_of(state: State) -> tuple[str, str]:
    """How many tiles the live wall has left, and where the next one stands; nothing between hands."""
    if state.hand is None or not state.playing:
        return "", ""
    wall = state.hand.wall
    place = wall.next_place
    at = "" if place is None else f"{place.side}.{place.stack} {LAYERS[place.layer]}"
    return str(wall.live_left), at


def signed(points: Sequence[int]) -> str:
    """What each seat gets."""
    return " ".join(f"{each:+}" if each else "0" for each in points)


def _last_result(state: State) -> Result:
    assert state.hand is not None
    return state.hand.results[-1]


def _why(why: str) -> str:
    return f": {why}" if why else ""
