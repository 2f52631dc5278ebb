"""The events of a game in words, and what lies before a player as text."""

from __future__ import annotations

from collections.abc import Sequence

from companion.commands.output import format_worth
from companion.live import event_words
from companion.rules import RULE_SETS
from companion.rules.reckoning import converts, describe_worth
from companion.table.events import Event, GameStarted, SeatsChanged
from companion.table.ledger import LedgerEntry
from companion.table.places import Layer, Place
from companion.table.state import HandResult, HandState, Player, State
from companion.tiles import format_tiles

LAYERS = {Layer.UPPER: "↑", Layer.LOWER: "↓"}
ROUNDS = ("East", "South", "West", "North")
NOT_RECORDED = "nobody recorded this hand: what comes before its end is made up"


def describe_event(event: Event, after: State) -> str:
    """What happened, in one sentence without its stop; `after` is the state that it led to."""
    said = str(event_words.describe_event(event, after, value=_describe_value))
    return said + (describe_seating(after) if isinstance(event, (GameStarted, SeatsChanged)) else "")


def describe_win(result: HandResult) -> str:
    """Who won, on whose tile, and what it is worth."""
    return str(event_words.describe_win(result, event_words.SEATS, _describe_value))


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


def format_sure(p: float) -> str:
    """How sure something is, in whole percent, never more than it is."""
    return f"{int(100 * p)}% sure"


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


def _describe_value(result: HandResult) -> str:
    """What a win is worth, and for which rows."""
    score = result.score
    counted = [line for line in score.lines if not converts(RULE_SETS[score.rules], line.id)]
    rows = ", ".join(f"{line.name} {format_worth(line.value, score.unit)}" for line in counted)
    return str(describe_worth(score)) + (f" ({rows})" if rows else "")
