"""Every decision of a hand rated by what it cost in expected payment, as KaTrain colours moves.

A decision is compared with the best choice as the coach sees the position from that seat, with what the
player could see then. Costs within the error of the reckoning count as nothing; what cost nothing is best.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum

from msgspec import Struct

from companion.coach import review_words as words
from companion.coach.advice import Advice, Advised, Coach, Level
from companion.coach.amounts import round_percent
from companion.coach.choices import find_win, list_branches
from companion.coach.danger import risk
from companion.coach.hindsight import find_hands
from companion.coach.mistakes import Mistake, explain
from companion.coach.seen import Seen, list_own_melds, look
from companion.coach.told_hand import ToldHand, list_known, place_hand
from companion.errors import InputError
from companion.sentences import Sentence
from companion.table.events import (
    AddedKong,
    Called,
    Claimed,
    ConcealedKong,
    Discarded,
    Event,
    ReadyDeclared,
    WinPassed,
    Won,
)
from companion.table.moves import put
from companion.table.state import OfferKind, State, changed
from companion.tiles import KINDS, Meld, Tile

TILES = {kind.code: kind for kind in KINDS}
SHARES = (0.10, 0.20, 0.40)
"""Costs from which a decision that was not the best has the next grade, as a share of what dealing in costs
on the average in the game: games pay in very different amounts."""
SAFE = 0.03
"""Up to this chance to deal in a discard of a hand that is not known has the best grade."""
LEAST = 0.05
"""Costs below this count as nothing: a person reads them as 0.0."""
ENOUGH_ANSWERS = 2
"""After so many full answers a choice that is the best is not looked into further."""
MOST_ANSWERS = 4
ERRORS = 1.0
"""Choices whose values differ by less than so many times what the best one's may be off by count as equally
good: most of that is off alike for all choices."""
TALK = (Called, WinPassed)


HONOUR = 27
"""The place among the kinds of one of which nobody collects a suit."""


class Grade(StrEnum):
    """How good a decision was, the best first."""

    BEST = words.BEST
    FINE = words.FINE
    INEXACT = words.INEXACT
    POOR = words.POOR
    BLUNDER = words.BLUNDER


class Decision(Struct, frozen=True):
    """What a player did at event `number`, and what it cost.

    A call of ready is one, and the discard after it another where more than one leaves the hand ready.

    person: who sat in `seat`, as numbered at the start of the game. tile: what it is about: the discard, that
    after a call, the tile on offer, the kong's; None where nobody saw it. did: the event, None for leaving
    the tile on offer.
    chosen, best: as the coach values them; both None where the player's tiles are not known, and then cost is
    that of the danger alone, beside a tile that is safe. cost: in what the game is paid in, at least 0, and
    0 where the grade is the best: then best is chosen.
    share: of what dealing in costs. deal_in: its chance. dealt_in: whether somebody won on it. held, melds:
    the player's concealed tiles and melds before it; nothing held where the tiles are not known.
    """

    number: int
    seat: int
    person: int
    tile: Tile | None
    did: Event | None
    chosen: Advised | None
    best: Advised | None
    cost: float
    share: float
    grade: Grade
    deal_in: float
    dealt_in: bool
    mistake: Mistake | None
    why: Sentence | None
    held: tuple[Tile, ...]
    melds: tuple[Meld, ...]

    @property
    def is_rated(self) -> bool:
        """Whether the player's tiles are known."""
        return self.chosen is not None


class Reviewer:
    """Rates the decisions of one table. stop: asked often; once it says so, the review ends where it is."""

    def __init__(self, coach: Coach, stop: Callable[[], bool] = lambda: False) -> None:
        self._coach, self._stop = coach, stop

    def review_hand(
        self,
        before: State,
        steps: Sequence[tuple[int, Event, State]],
        seats: Sequence[int],
        told: Sequence[ToldHand] = (),
    ) -> Iterator[Decision]:
        """The decisions of these seats in one hand, in order.

        steps: each event of it with its number in the log, and the state after it; before: the state before
        the first. told: hands that people told while they played. A hand that nobody recorded
        has no decisions.
        """
        events = [event for _, event, _ in steps]
        if any(isinstance(event, Won) and event.told is not None for event in events):
            return
        states = [before, *(state for _, _, state in steps)]
        shown = {seat: find_hands(states, events, seat) | _follow_told(steps, told, seat) for seat in seats}
        for at, (number, event, _) in enumerate(steps):
            for seat, did, state in self._find_choices(states, events, at, seats):
                if self._stop():
                    return
                if seat in shown and at in shown[seat]:
                    state = _place_shown(state, states[-1], seat, shown[seat][at])
                dealt_in = seat == getattr(event, "seat", None) and _deals_in(events, at)
                if isinstance(did, ReadyDeclared):
                    dealt_in = _discards_one(state, seat) and _deals_in(events, at + 1)
                tile = _find_tile(state, did, events[at + 1 :])
                decision = self._rate(state, number, seat, did, tile, dealt_in, states[-1].calls_told)
                if decision is not None:
                    yield decision

    def _find_choices(
        self, states: Sequence[State], events: Sequence[Event], at: int, seats: Sequence[int]
    ) -> Iterator[tuple[int, Event | None, State]]:
        """Who decides by this event, what, and in which state."""
        event, state = events[at], states[at]
        if isinstance(event, Discarded | ConcealedKong | AddedKong | ReadyDeclared) and event.seat in seats:
            yield event.seat, event, state
        if not isinstance(event, Discarded):
            return
        offered = states[at + 1]
        answer = next((later for later in events[at + 1 :] if not isinstance(later, TALK)), None)
        takers = [later.seat for later in _list_takers(events, at)]
        for seat in seats:
            if seat == event.seat or seat not in offered.house.seats:
                continue
            if isinstance(answer, Claimed) and seat == answer.seat:
                yield seat, answer, offered
            elif seat not in takers and (not takers or _could_win(offered, seat)):
                yield seat, None, offered

    def _rate(
        self,
        state: State,
        number: int,
        seat: int,
        did: Event | None,
        tile: Tile | None,
        dealt_in: bool,
        calls_told: bool,
    ) -> Decision | None:
        """The decision; None where there was nothing to choose.

        calls_told: whether anybody has called ready in the game by the hand's end. Where nobody has, none is
        missed: the table may have no such calls, or nobody heard them.
        """
        hand = state.hand
        assert hand is not None
        person = hand.seated[seat]
        seen = look(state, seat)
        if seen.player.hidden:
            return None if tile is None or not isinstance(did, Discarded) else _rate_danger(
                seen, number, person, did, tile, dealt_in
            )  # fmt: skip
        try:
            if len(list_branches(seen)) + (find_win(seen) is not None) < 2:
                return None
            advice = self._ask(seen, did, calls_told)
        except InputError:
            return None
        chosen = None if advice is None else find_choice(advice, did)
        if advice is None or chosen is None:
            return None
        best = advice.choices[0]
        cost = max(0.0, _value(best) - _value(chosen))
        if cost < LEAST or cost <= ERRORS * (best.value_error or 0.0):
            cost, best = 0.0, chosen
        stake = find_stake(seen)
        share = cost / stake
        grade = grade_share(share)
        bad = tuple(Grade).index(grade) >= tuple(Grade).index(Grade.INEXACT)
        mistake, why = None, None
        if bad or dealt_in:
            mistake, why = explain(seen, tile, chosen, best, cost, stake, dealt_in=dealt_in, slight=not bad)
        return Decision(
            number=number, seat=seat, person=person, tile=tile, did=did, chosen=chosen, best=best, cost=cost,
            share=share, grade=grade, deal_in=chosen.deal_in or 0.0, dealt_in=dealt_in,
            mistake=mistake if bad else None, why=why, held=tuple(sorted(seen.player.concealed)),
            melds=list_own_melds(seen),
        )  # fmt: skip

    def _ask(self, seen: Seen, did: Event | None, calls_told: bool) -> Advice | None:
        """The advice, as good as it has to be to rate that choice."""
        found, answers = None, 0
        for advice in self._coach.advise(seen, Level.FULL, self._stop):
            if any(each.value is None for each in advice.choices):
                continue
            if not calls_told:
                rest = tuple(each for each in advice.choices if not isinstance(each.do, ReadyDeclared))
                advice = changed(advice, choices=rest)
            found, answers = advice, answers + 1
            chosen = find_choice(advice, did)
            is_best = chosen is not None and _value(chosen) >= max(map(_value, advice.choices))
            if answers >= MOST_ANSWERS or (is_best and answers >= ENOUGH_ANSWERS):
                break
        return found


def find_choice(advice: Advice, did: Event | None) -> Advised | None:
    """The choice that was taken."""
    for each in advice.choices:
        if _is_same(each.do, did):
            return each
    return None


def find_stake(seen: Seen) -> float:
    """What dealing in costs on the average at this table, more than 0."""
    _, cost = risk(seen, KINDS[HONOUR])
    house = seen.state.house
    return cost or house.count_at_stakes(house.rules.point)


def grade_share(share: float) -> Grade:
    """The grade of a decision that cost that share of what dealing in costs; the best cost nothing."""
    return tuple(Grade)[1 + sum(share > limit for limit in SHARES)] if share > 0 else Grade.BEST


def grade_danger(chance: float) -> Grade:
    """The grade of a discard of a hand that is not known, by its chance to deal in."""
    return grade_share(chance) if chance > SAFE else Grade.BEST


def pick_worst(decisions: Sequence[Decision], most: int = 2) -> list[Decision]:
    """The costliest mistakes, the worst first."""
    bad = [each for each in decisions if each.mistake is not None]
    return sorted(bad, key=lambda each: -each.cost)[:most]


def _rate_danger(seen: Seen, number: int, person: int, did: Event, tile: Tile, dealt_in: bool) -> Decision:
    chance, cost = risk(seen, tile)
    percent = {"did": tile.code, "percent": round_percent(chance)}
    return Decision(
        number=number, seat=seen.seat, person=person, tile=tile, did=did, chosen=None, best=None,
        cost=chance * cost, share=chance, grade=grade_danger(chance), deal_in=chance, dealt_in=dealt_in,
        mistake=None, why=Sentence(words.DANGER_ONLY, percent), held=(),
        melds=list_own_melds(seen),
    )  # fmt: skip


def _value(choice: Advised) -> float:
    return float("-inf") if choice.value is None else choice.value


def _is_same(one: Event | None, other: Event | None) -> bool:
    """Whether two events are the same thing to do; what a player says of it beside counts for nothing."""
    match one, other:
        case (None, None) | (Won(), Won()) | (ReadyDeclared(), ReadyDeclared()):
            return True
        case (Discarded(tile=a), Discarded(tile=b)) | (AddedKong(tile=a), AddedKong(tile=b)):
            return a == b
        case (ConcealedKong(tile=a), ConcealedKong(tile=b)):
            return a == b
        case (Claimed(meld=a), Claimed(meld=b)):
            return a == b
    return False


def _find_tile(state: State, did: Event | None, later: Sequence[Event]) -> Tile | None:
    """What a decision is about; `later` is what happened after it."""
    if isinstance(did, ReadyDeclared):
        discard = later[0] if later else None
        return TILES.get(discard.tile or "") if isinstance(discard, Discarded) else None
    if did is None or isinstance(did, Claimed):
        offer = state.hand.offer if state.hand else None
        return None if offer is None else offer.tile
    return TILES.get(getattr(did, "tile", None) or "")


def _list_takers(events: Sequence[Event], at: int) -> list[Won | Claimed]:
    """Who takes the discard at that place, in order."""
    found: list[Won | Claimed] = []
    for event in events[at + 1 :]:
        if isinstance(event, Claimed) and not found:
            return [event]
        if isinstance(event, Won):
            found.append(event)
        elif not isinstance(event, TALK):
            break
    return found


def _deals_in(events: Sequence[Event], at: int) -> bool:
    """Whether the discard at that place is won on."""
    is_discard = at < len(events) and isinstance(events[at], Discarded)
    return is_discard and any(isinstance(x, Won) for x in _list_takers(events, at))


def _discards_one(state: State, seat: int) -> bool:
    """Whether a call of ready leaves but one discard, which is then no decision of its own."""
    seen = look(state, seat)
    if seen.player.hidden:
        return False
    call = next((each for each in list_branches(seen) if isinstance(each.do, ReadyDeclared)), None)
    return call is not None and len(call.discards) == 1


def _could_win(state: State, seat: int) -> bool:
    hand = state.hand
    if hand is None or hand.offer is None or hand.offer.kind is not OfferKind.DISCARD:
        return False
    return not hand.players[seat].hidden and find_win(look(state, seat)) is not None


def _follow_told(
    steps: Sequence[tuple[int, Event, State]], told: Sequence[ToldHand], seat: int
) -> dict[int, tuple[Tile, ...]]:
    """The tiles of the seat before events of the hand, by the event's place, as far as they were told."""
    found: dict[int, tuple[Tile, ...]] = {}
    numbered = [(number, event) for number, event, _ in steps]
    first, last = numbered[0][0] if numbered else 0, numbered[-1][0] if numbered else 0
    for each in told:
        if each.seat == seat and first <= each.at <= last:
            known = list_known(each, numbered)
            found |= {at: known[n] for at, (n, _) in enumerate(numbered, start=1) if n in known}
    return found


def _place_shown(state: State, last: State, seat: int, tiles: tuple[Tile, ...]) -> State:
    """The state with the tiles that the seat is known to have held, by the hand that it showed in the end."""
    hand, end = state.hand, last.hand
    assert hand is not None
    assert end is not None
    player = hand.players[seat]
    melds = tuple(
        later if laid.meld is None else laid
        for laid, later in zip(player.melds, end.players[seat].melds, strict=False)
    )
    known = changed(hand, players=put(hand, seat, changed(player, melds=melds)))
    try:
        return place_hand(changed(state, hand=known), seat, tiles)
    except InputError:
        return state
