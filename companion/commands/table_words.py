"""The events of a game in words, and what lies before a player as text."""

from __future__ import annotations

from collections.abc import Sequence

from companion.commands.output import MULTIPLIER, format_worth
from companion.rules import Source
from companion.table import events
from companion.table.events import Event
from companion.table.ledger import LedgerEntry
from companion.table.places import Layer, Place
from companion.table.state import HandResult, HandState, Phase, Player, State
from companion.tiles import format_tiles

LAYERS = {Layer.UPPER: "↑", Layer.LOWER: "↓"}
ROUNDS = ("East", "South", "West", "North")


def describe_event(event: Event, after: State) -> str:
    """What happened, in one sentence without its stop; `after` is the state that it led to."""
    match event:
        case events.GameStarted():
            return f"{after.house.rules.title} is played" + describe_seating(after)
        case events.HandStarted():
            dice = "unseen dice" if event.dice is None else "dice " + " ".join(map(str, event.dice))
            return f"seat {event.dealer} deals, {dice}" + _describe_break(after)
        case events.Dealt():
            return "the first tiles are taken"
        case events.IndicatorTurned():
            return f"{event.tile} is turned over, and {event.tile} is the Fortune"
        case events.FlowerSetOut():
            return f"seat {event.seat} sets out {event.tile}"
        case events.Drawn():
            return f"seat {event.seat} draws {event.tile or 'a tile'}{_describe_source(after)}"
        case events.Discarded():
            tile = event.tile or "a tile that nobody saw"
            return f"seat {event.seat} discards {tile}{_describe_gambit(event, after)}"
        case events.Called():
            return f"seat {event.seat} calls {event.call.value}"
        case events.WinPassed():
            return f"seat {event.seat} passes up a win"
        case events.Claimed():
            return f"seat {event.seat} claims {event.meld}{_describe_giver(event, after)}"
        case events.ConcealedKong():
            return f"seat {event.seat} lays a concealed kong" + (f" of {event.tile}" if event.tile else "")
        case events.AddedKong():
            return f"seat {event.seat} adds {event.tile} to a pung"
        case events.ReadyDeclared():
            return f"seat {event.seat} calls ready"
        case events.Won():
            return describe_win(_find_last_result(after))
        case events.FalseWin():
            return f"seat {event.seat} declares a false win"
        case events.HandVoided():
            return f"the hand of seat {event.seat} is dead{_format_reason(event.why)}"
        case events.HandDrawn():
            declined = event.declined_by
            return "nobody wins" if declined is None else f"seat {declined} leaves the last tile: nobody wins"
        case events.HandAbandoned():
            return f"the hand does not count{_format_reason(event.why)}"
        case events.HandShown():
            return f"seat {event.seat} shows {event.hand}"
        case events.PointsMoved():
            return f"points move{_format_reason(event.why)}"
        case events.EntryCancelled():
            return f"payment {event.entry} is taken back{_format_reason(event.why)}"
        case events.SeatsChanged():
            return "the people change seats" + describe_seating(after)
        case events.DealSet():
            return f"seat {after.deal.dealer} deals next{_format_reason(event.why)}"
        case events.GameEnded():
            return f"the game is ended{_format_reason(event.why)}"
        case events.Corrected():
            return f"event {event.number} is corrected{_format_reason(event.why)}"


def describe_win(result: HandResult) -> str:
    """Who won, on whose tile, and what it is worth."""
    source = {
        Source.SELF_DRAW: "by self-draw",
        Source.DISCARD: f"on the discard of seat {result.discarder}",
        Source.ROBBED_KONG: f"by robbing the kong of seat {result.discarder}",
    }[result.source]
    score, tile = result.score, "" if result.tile is None else f" with {result.tile}"
    value = format_worth(score.value, score.unit) + ("" if score.unit == MULTIPLIER else f" {score.unit}")
    rows = ", ".join(f"{line.name} {format_worth(line.value, score.unit)}" for line in score.lines)
    return f"seat {result.winner} wins{tile} {source}: {value}" + (f" ({rows})" if rows else "")


def describe_payment(entry: LedgerEntry, seated: Sequence[int]) -> str:
    """Who pays and who gets how much by an entry of the ledger; `seated` is who sits where."""
    points = [entry.points[person] for person in seated]
    pay = _join_amounts({seat: -each for seat, each in enumerate(points) if each < 0}, "pays", "pay")
    get = _join_amounts({seat: each for seat, each in enumerate(points) if each > 0}, "gets", "get")
    back = "" if entry.cancels is None else f"payment {entry.cancels} is taken back: "
    return f"{back}{pay}; {get}" if pay else "nobody pays"


def describe_sea(hand: HandState) -> str:
    """That the tiles left now are drawn without discards (HF-06), and where they stand."""
    wall = hand.wall
    stand = (
        f", from {_format_place(wall.next_place)} to {_format_place(wall.last_place)}" if wall.placed else ""
    )
    return f"the sea: the last {wall.live_left} tiles{stand}; each player draws one and discards none"


def describe_next(state: State) -> str:
    """What follows on a hand."""
    deal = state.deal
    if state.over:
        return "the game is over"
    return f"next: {_name_round(deal.wind)} round, seat {deal.dealer} deals"


def describe_seating(state: State) -> str:
    """Who sits where, after a colon; nothing where nobody has a name, and everybody sits as at first."""
    if not any(state.names) and state.seated == (0, 1, 2, 3):
        return ""
    people = (state.names[person] or f"player {person}" for person in state.seated)
    return ": " + ", ".join(f"seat {seat} {name}" for seat, name in enumerate(people))


def describe_round(hand: HandState) -> str:
    """The hand's round and dealer."""
    return f"{_name_round(hand.deal.wind)} round, seat {hand.deal.dealer} deals"


def describe_tiles(player: Player) -> str:
    """The player's tiles: concealed ones in order, melds, flowers."""
    concealed = format_tiles(sorted(player.concealed))
    hidden = f"{player.hidden} unseen" if player.hidden else ""
    melds = ["K????" if laid.meld is None else str(laid.meld) for laid in player.melds]
    return " ".join(part for part in (concealed, hidden, *melds, format_tiles(player.flowers)) if part)


def describe_wall(state: State) -> tuple[str, str]:
    """How many tiles the live wall has left, and where the next one stands; nothing between hands."""
    if state.hand is None or not state.playing:
        return "", ""
    wall = state.hand.wall
    at = _format_place(wall.replacement_place if state.hand.owed else wall.next_place)
    sea = wall.live_left - wall.before_sea
    return f"{wall.before_sea}+{sea}" if sea and wall.before_sea else str(wall.live_left), at


def format_points(points: Sequence[int]) -> str:
    """What each seat gets."""
    return " ".join(f"{each:+}" if each else "0" for each in points)


def _format_place(place: Place | None) -> str:
    return "" if place is None else f"{place.side}.{place.stack} {LAYERS[place.layer]}"


def _describe_break(state: State) -> str:
    """On which side the wall was broken, where the dice were seen."""
    place = None if state.hand is None else state.hand.wall.next_place
    return "" if place is None else f": the wall begins on the side of seat {place.side}"


def _describe_source(state: State) -> str:
    hand = state.hand
    if hand is None or not (hand.replaced or hand.phase is Phase.SEA):
        return ""
    return " as a replacement" if hand.replaced else " from the sea"


def _describe_gambit(event: events.Discarded, state: State) -> str:
    gambits = 0 if state.hand is None else state.hand.players[event.seat].gambits
    return ": a Fortune Gambit" if gambits else ""


def _describe_giver(event: events.Claimed, state: State) -> str:
    laid = [] if state.hand is None else state.hand.players[event.seat].melds
    return f" from seat {laid[-1].source}" if laid else ""


def _join_amounts(points: dict[int, int], verb: str, verbs: str) -> str:
    """What each of these seats pays or gets, those of the same amount together."""
    parts = []
    for amount in dict.fromkeys(points.values()):
        seats = [str(seat) for seat, each in points.items() if each == amount]
        if seats[1:]:
            parts.append(f"seats {', '.join(seats[:-1])} and {seats[-1]} {verbs} {amount} each")
        else:
            parts.append(f"seat {seats[0]} {verb} {amount}")
    return ", ".join(parts)


def _name_round(wind: int) -> str:
    return ROUNDS[wind % len(ROUNDS)]


def _find_last_result(state: State) -> HandResult:
    assert state.hand is not None
    return state.hand.results[-1]


def _format_reason(why: str) -> str:
    return f": {why}" if why else ""
