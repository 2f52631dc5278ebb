"""Corrections as a person enters them: another event in a place, or another end of a hand; and what each
changes. Pure.

A correction of how a hand ended may change who deals next. The hands after it were dealt as they were dealt:
where the rules would now have another dealer, the correction records that the table had this one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from msgspec.structs import replace as changed

from companion.errors import EventError
from companion.rules import Source
from companion.sheets.hands import Correction, Sheet, SheetHand, Step, list_steps, make_sheet
from companion.table import events
from companion.table.events import Corrected, DealSet, Event, GameStarted, PointsMoved, Wind, Won
from companion.table.state import Laid, Points, State
from companion.table.unrecorded import ReportedWin, enter_drawn, enter_wins
from companion.table.wins import find_chance, list_known_melds, make_request
from companion.tiles import Tile, parse_meld, parse_tiles


@dataclass(frozen=True, slots=True)
class HandChange:
    """A hand whose payment or end changes: before and after; None if it was not played."""

    before: SheetHand | None
    after: SheetHand | None

    @property
    def number(self) -> int:
        """The hand's number in the game."""
        hand = self.after or self.before
        return hand.number if hand else 0


@dataclass(frozen=True, slots=True)
class Change:
    """hands: those that differ, in order. before, after: the points of each person at the end. people: who
    plays. kept_deal: whether who dealt the next hand was kept as it was, though the rules say otherwise now.
    """

    hands: tuple[HandChange, ...]
    before: Points
    after: Points
    people: tuple[int, ...]
    kept_deal: bool = False


def compare_sheets(before: Sheet, after: Sheet, *, kept_deal: bool = False) -> Change:
    """What differs from the one sheet of a game to the other."""
    changes = []
    for at in range(max(len(before.hands), len(after.hands))):
        was, now = (sheet.hands[at] if at < len(sheet.hands) else None for sheet in (before, after))
        if was is None or now is None or _tell(was) != _tell(now):
            changes.append(HandChange(was, now))
    return Change(tuple(changes), before.state.points, after.state.points, after.people, kept_deal)


def make_sheet_without(sheet: Sheet, correction: Correction) -> Sheet:
    """The sheet as it would be had that correction not been made; the others stay.

    EventError if a later correction makes no sense without it.
    """
    return make_sheet(leave_out(sheet.log, correction))


def leave_out(log: Sequence[Event], correction: Correction) -> tuple[Event, ...]:
    """The log in which that correction repeats what was believed before; numbers stay as they are."""
    made = log[correction.at - 1]
    assert isinstance(made, Corrected)
    first, *rest = correction.was
    back = Corrected(number=made.number, upto=made.upto, right=first, more=tuple(rest))
    return *log[: correction.at - 1], back, *log[correction.at :]


def _tell(hand: SheetHand) -> tuple[object, ...]:
    """What people would call the same hand."""
    wins = tuple((win.winner, win.giver, win.score.value, win.concealed, win.melds) for win in hand.wins)
    return hand.points, hand.dealer, hand.streak, hand.drawn, hand.abandoned, wins


ENDS = (events.Won, events.HandDrawn, events.HandAbandoned)
UNSEEN_MAX = 1
"""Maximum number of known tiles in a hand of which only the win was recorded: the winning tile."""


@dataclass(frozen=True, slots=True)
class Planned:
    """A correction that the game takes, and what it changes. sheet: as it is with it."""

    correction: Corrected
    sheet: Sheet
    change: Change


@dataclass(frozen=True, slots=True)
class HandEnd:
    """How a hand ended, and what nobody saw right before that, as places in its events: from `start` to
    `last`. before: the state before that."""

    start: int
    last: int
    before: State


def find_end(hand: SheetHand) -> HandEnd:
    """The end of a hand that is over, with all that was made up or not seen before it: with another end,
    that went otherwise too."""
    steps = list_steps(hand)
    ends = [at for at, step in enumerate(steps) if isinstance(step.event, ENDS)]
    if is_made_up(step.event for step in steps):
        start = _skip_kongs(hand, steps)
        return HandEnd(start, ends[-1], steps[start - 1].state if start else hand.before)
    start = _find_call(steps, ends[0])
    while _is_unseen(steps[start - 1].event):
        start -= 1
    return HandEnd(start, ends[-1], steps[start - 1].state)


def _find_call(steps: Sequence[Step], end: int) -> int:
    """Where the calls begin that led to that end: with another one they were otherwise too."""
    while end and isinstance(steps[end - 1].event, events.Called | events.WinPassed):
        end -= 1
    return end


def _skip_kongs(hand: SheetHand, steps: Sequence[Step]) -> int:
    """Where a hand that is made up goes on after the kongs that were entered one by one: those of players who
    did not win."""
    winners = {win.winner for win in hand.wins}
    start = 0
    for at, step in enumerate(steps):
        seat = _find_kong(step.event)
        if seat is not None and step.state.seated[seat] not in winners:
            start = at + 1
    if start and isinstance(steps[start].event, events.Drawn):
        start += 1
    return start


def _find_kong(event: Event) -> int | None:
    """Whose kong it is, if it is one."""
    if isinstance(event, events.ConcealedKong | events.AddedKong):
        return event.seat
    is_kong = isinstance(event, events.Claimed) and parse_meld(event.meld).kind.is_kong
    return event.seat if is_kong else None  # type: ignore[union-attr]


def _is_unseen(event: Event) -> bool:
    return isinstance(event, events.Drawn | events.Discarded) and event.tile is None


def find_reported_win(hand: SheetHand) -> ReportedWin | None:
    """The win of a hand without other records, as it was reported; None for any other hand."""
    steps = list_steps(hand)
    if len(hand.wins) != 1 or not is_made_up(step.event for step in steps):
        return None
    at = next(at for at, step in enumerate(steps) if isinstance(step.event, events.Won))
    before, won = steps[at - 1].state, steps[at].event
    after = steps[at].state.hand
    assert isinstance(won, events.Won)
    assert before.hand is not None
    assert after is not None
    player, result = after.players[won.seat], after.results[-1]
    chance = find_chance(before, before.hand, won.seat)
    melds = list_known_melds(player)
    request = make_request(
        before, before.hand, changed(chance, tile=result.tile), player.concealed, melds, won.circumstances
    )
    laid = tuple(tile for meld in melds for tile in meld.tiles)
    return ReportedWin(
        seat=won.seat,
        source=result.source,
        discarder=result.discarder,
        tile=result.tile,
        tiles=() if won.stated else (*player.concealed, *laid),
        melds=melds,
        flowers=player.flowers,
        situation=request.situation,
        discards=request.discards,
        fortune=after.fortune,
        gambits=request.gambits,
        kongs_in_row=request.consecutive_kongs,
        claimed_from=_find_giver(player.melds),
        stated=won.stated,
    )


def _find_giver(melds: Sequence[Laid]) -> int | None:
    """Whose discards all claimed melds were made of; None if that is not one player."""
    givers = {laid.source for laid in melds if laid.source is not None}
    return givers.pop() if len(givers) == 1 else None


def tell_drawn(hand: SheetHand) -> bool:
    """Whether nothing but its end was recorded of a hand that nobody won."""
    return hand.drawn and is_made_up(step.event for step in list_steps(hand))


def with_winner(reported: ReportedWin, seat: int) -> ReportedWin:
    """Won by another player; a tile that was that player's own was drawn."""
    own = reported.discarder == seat
    return replace(
        reported,
        seat=seat,
        discarder=None if own else reported.discarder,
        source=Source.SELF_DRAW if own else reported.source,
        claimed_from=None if reported.claimed_from == seat else reported.claimed_from,
    )


def with_giver(reported: ReportedWin, giver: int | None) -> ReportedWin:
    """Won on the tile of that seat; None: drawn."""
    if giver is None:
        return replace(reported, source=Source.SELF_DRAW, discarder=None)
    source = reported.source if reported.source is Source.ROBBED_KONG else Source.DISCARD
    return replace(reported, source=source, discarder=giver, tile=reported.tile or reported.tiles[-1])


def with_reported_tile(reported: ReportedWin, at: int, code: str) -> ReportedWin:
    """With another tile in that place of `list_concealed`, or, counted on from there, of the flowers."""
    concealed = list(list_concealed(reported))
    if at >= len(concealed):
        flowers = list(reported.flowers)
        flowers[at - len(concealed)] = Tile.parse(code)
        return replace(reported, flowers=tuple(sorted(flowers)))
    was, concealed[at] = concealed[at], Tile.parse(code)
    laid = tuple(tile for meld in reported.melds for tile in meld.tiles)
    won = reported.tile
    if won == was and at == len(concealed) - 1:
        won = concealed[at]
    return replace(reported, tiles=(*concealed, *laid), tile=won)


def list_concealed(reported: ReportedWin) -> tuple[Tile, ...]:
    """The concealed tiles in order, the winning one last."""
    laid = [tile for meld in reported.melds for tile in meld.tiles]
    concealed = sorted(reported.tiles)
    for tile in laid:
        concealed.remove(tile)
    if reported.tile in concealed:
        concealed.remove(reported.tile)
        concealed.append(reported.tile)
    return tuple(concealed)


def plan_step(sheet: Sheet, place: int, steps: Sequence[Step], at: int, right: Event | None) -> Planned:
    """Replace step `at` of that hand by `right`, or remove it. EventError explains why that is not
    possible."""
    number = steps[at].number
    rights = tuple(
        event
        for i, step in enumerate(steps)
        if step.number == number and (event := right if i == at else step.event) is not None
    )
    hand, first = sheet.hands[place], number
    is_end = isinstance(steps[at].event, ENDS) and not hand.abandoned
    if is_end and right is not None:
        first = steps[_find_call(steps, at)].number
    refused: EventError | None = None
    for begin in dict.fromkeys((number, first)):  # as it was called for, or without the call
        for kept in ((), *((each,) for each in _list_kept_deals(sheet, place) if is_end)):
            try:
                return _plan(
                    sheet, begin, number if begin < number else None, (*rights, *kept), kept_deal=bool(kept)
                )
            except EventError as error:
                refused = refused if kept else error
    assert refused is not None
    raise refused


def plan_end(sheet: Sheet, place: int, reported: Sequence[ReportedWin]) -> Planned:
    """Have that hand won as reported, all on one tile, or by nobody. EventError says why that is not possible
    so."""
    hand = sheet.hands[place]
    end = find_end(hand)
    first, last = hand.events[end.start][0], hand.events[end.last][0]
    earlier = [event for number, event in hand.events[: end.start] if number == first]
    later = [event for number, event in hand.events[end.last + 1 :] if number == last]
    later = [event for event in later if not isinstance(event, DealSet)]
    refused: EventError | None = None
    for made in _enter_again(end.before, reported, hand):
        begun = made if end.start else (hand.events[0][1], *made[1:])
        rights = (*earlier, *begun, *later)
        for more in ((), *((kept,) for kept in _list_kept_deals(sheet, place))):
            try:
                planned = _plan(sheet, first, last, (*rights, *more), kept_deal=bool(more))
            except EventError as error:
                refused = refused or error
                continue
            if not more or _is_dealt_alike(sheet, planned.sheet, place + 1):
                return planned
    assert refused is not None
    raise refused


def _enter_again(
    before: State, reported: Sequence[ReportedWin], hand: SheetHand
) -> Iterator[tuple[Event, ...]]:
    """How it may have come about, from that state on. EventError if it cannot."""
    if not reported:
        fortune = None if hand.after.hand is None else hand.after.hand.fortune
        yield enter_drawn(before, fortune)
        return
    try:
        yield _list_events(before, reported)
    except EventError:
        if not any(each.situation for each in reported):
            raise
        plain = [replace(each, situation=frozenset(), gambits=0, kongs_in_row=0) for each in reported]
        yield _list_events(before, plain)


def _list_events(before: State, reported: Sequence[ReportedWin]) -> tuple[Event, ...]:
    return tuple(event for win in enter_wins(before, reported) for event in win.events)


def _plan(
    sheet: Sheet, number: int, upto: int | None, rights: tuple[Event, ...], *, kept_deal: bool
) -> Planned:
    right, more = (rights[0], rights[1:]) if rights else (None, ())
    last = upto if upto is not None and upto > number else None
    correction = Corrected(number=number, right=right, more=more, upto=last)
    corrected = make_sheet((*sheet.log, correction), sheet)
    return Planned(correction, corrected, compare_sheets(sheet, corrected, kept_deal=kept_deal))


def _list_kept_deals(sheet: Sheet, place: int) -> tuple[DealSet, ...]:
    """That the table dealt the hand after this one as it did, with and without saying the round."""
    if place + 1 >= len(sheet.hands):
        return ()
    deal = sheet.hands[place].after.deal
    kept = DealSet(dealer=deal.dealer, streak=deal.streak)
    return kept, changed(kept, round_wind=tuple(Wind)[deal.wind % len(Wind)])


def _is_dealt_alike(one: Sheet, other: Sheet, place: int) -> bool:
    """Whether that hand has the same dealer in the same round in both."""
    hands = [sheet.hands[place] for sheet in (one, other) if place < len(sheet.hands)]
    return len({(hand.dealer, hand.streak, hand.round_wind) for hand in hands}) <= 1


def is_made_up(hand: Iterable[Event]) -> bool:
    """Whether no tile but the one that was won on is known of what happened before the end, and nothing else
    was entered."""
    known = 0
    for event in hand:
        match event:
            case events.Won() | events.HandDrawn() | events.HandAbandoned():
                break
            case events.PointsMoved() | events.EntryCancelled() | events.CurrencyAgreed():
                return False
            case events.SeatsChanged() | events.DealSet():
                return False
            case events.Dealt(hands=hands) if any(hands):
                return False
            case events.Drawn(tile=str()):
                return False
            case events.Discarded(tile=str()):
                known += 1
            case events.Called() | events.WinPassed() | events.FalseWin() | events.HandVoided():
                return False
    return known <= UNSEEN_MAX


def can_be_fixed(event: Event) -> bool:
    """Whether it may be replaced or taken out: everything but the game's beginning."""
    return not isinstance(event, GameStarted | Corrected)


def find_seat(event: Event) -> int | None:
    """Who did it; None where it is nobody's."""
    return getattr(event, "seat", None)


def find_tile(event: Event) -> str | None:
    """The one tile that it is about; None without one, or if it was not seen."""
    tile = getattr(event, "tile", None)
    return tile if isinstance(tile, str) else None


def has_tile(event: Event) -> bool:
    """Whether it is about one tile, seen or not. A win's is that of the discard or the draw before it."""
    return hasattr(event, "tile") and (not isinstance(event, Won) or event.tile is not None)


def list_hand(event: Event) -> tuple[str, ...]:
    """The concealed tiles that a player showed with it."""
    hand = getattr(event, "hand", None)
    return tuple(tile.code for tile in parse_tiles(hand)) if isinstance(hand, str) else ()


def with_seat(event: Event, seat: int) -> Event:
    """Of another player."""
    return changed(event, seat=seat)


def with_tile(event: Event, code: str) -> Event:
    """With another tile."""
    return changed(event, tile=code)


def with_hand_tile(event: Event, at: int, code: str) -> Event:
    """With another tile in that place of the hand that was shown."""
    codes = list(list_hand(event))
    codes[at] = code
    return changed(event, hand="".join(codes))


def with_points(event: Event, giver: int, taker: int, points: int) -> Event:
    """Where points were moved by hand: this many more from one seat to the other."""
    assert isinstance(event, PointsMoved)
    moved = list(event.points)
    moved[giver] -= points
    moved[taker] += points
    a, b, c, d = moved
    return changed(event, points=(a, b, c, d))
