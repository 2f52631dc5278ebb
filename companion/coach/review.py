"""A review of a played hand: every decision rated by its cost in expected payment, and an evening's summary.

A decision is compared with the best choice as the coach sees the position from that seat, with what the
player could see then. Costs within the error of the estimate count as nothing; a decision without a cost is
best. Hands that nobody recorded are reconstructed from the hand shown at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct

from companion.coach import messages as words
from companion.coach.advice import Coach
from companion.coach.declared import TILES, DeclaredHand, list_known, place_hand
from companion.coach.results import Advice, Advised, Grade, Level, Mistake, RatedDecision
from companion.coach.seen import SeatView, list_own_melds, observe
from companion.coach.value.choices import find_win, list_branches
from companion.coach.value.danger import risk
from companion.coach.words.mistakes import explain
from companion.coach.words.wording import describe_chance
from companion.errors import InputError
from companion.sentences import Sentence
from companion.table.events import (
    AddedKong,
    Called,
    Claimed,
    ConcealedKong,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    ReadyDeclared,
    WinPassed,
    Won,
)
from companion.table.moves import put
from companion.table.state import OfferKind, State, changed
from companion.tiles import KINDS, KONG_TILES, Tile, parse_meld


def find_hands(states: Sequence[State], events: Sequence[Event], seat: int) -> dict[int, tuple[Tile, ...]]:
    """The concealed tiles of `seat` before events of one hand, by the event's place.

    states: before the first event and after each, one more than events. Tiles that the states contain
    themselves are not included.
    """
    found: dict[int, tuple[Tile, ...]] = {}
    last = states[-1].hand
    if last is None or last.players[seat].hidden:
        return found
    held = list(last.players[seat].concealed)
    for at in range(len(events) - 1, -1, -1):
        before = states[at].hand
        if (
            before is None
            or not before.players[seat].hidden
            or not _take_back(held, events[at], seat, states[at])
        ):
            break
        player = before.players[seat]
        if len(held) == player.count + 1 and isinstance(events[at], Won):
            _drop_winning_tile(held, states[at + 1], seat)
        if len(held) != player.count:
            break
        found[at] = tuple(sorted(held))
    return found


def _take_back(held: list[Tile], event: Event, seat: int, before: State) -> bool:
    """Undo the event's effect on the concealed tiles; False where it is not known."""
    if getattr(event, "seat", None) != seat:
        return True
    match event:
        case Drawn(tile=code):
            tile = TILES.get(code or "")
            if tile not in held:
                return False
            held.remove(tile)
        case Discarded(tile=code) | FlowerSetOut(tile=code) | AddedKong(tile=code):
            if code not in TILES:
                return False
            held.append(TILES[code])
        case ConcealedKong(tile=code):
            if code not in TILES:
                return False
            held.extend([TILES[code]] * KONG_TILES)
        case Claimed(meld=text):
            own = list(parse_meld(text).tiles)
            offer = before.hand.offer if before.hand else None
            if offer is None or offer.tile not in own:
                return False
            own.remove(offer.tile)
            held.extend(own)
    return True


def _drop_winning_tile(held: list[Tile], after: State, seat: int) -> None:
    """Take out the tile that was won on."""
    results = after.hand.results if after.hand else ()
    tile = next((each.tile for each in results if each.winner == seat), None)
    if tile in held:
        held.remove(tile)


GRADE_LIMITS = (0.10, 0.20, 0.40)
"""Costs above which a decision that was not the best has the next grade, as a share of the mean cost of
dealing in: games pay in very different amounts."""
SAFE_CHANCE = 0.03
"""A discard of an unknown hand has the best grade up to this chance to deal in."""
MIN_COST = 0.05
"""Costs below this count as nothing: they are shown as 0.0."""
ANSWERS_IF_BEST = 2
"""The number of full answers after which a choice that is the best is not examined further."""
MAX_ANSWERS = 4
MAX_TIED_ERRORS = 1.0
"""Choices whose values differ by less than this many errors of the best one count as equally good: most of
the error is the same for all choices."""
ANNOUNCEMENTS = (Called, WinPassed)


HONOUR = 27
"""The place of an honour, a kind whose suit no player collects."""


class Reviewer:
    """Rates the decisions of one table. stop: asked often; the review ends once it returns True."""

    def __init__(self, coach: Coach, stop: Callable[[], bool] = lambda: False) -> None:
        self._coach, self._stop = coach, stop

    def review_hand(
        self,
        before: State,
        steps: Sequence[tuple[int, Event, State]],
        seats: Sequence[int],
        declared: Sequence[DeclaredHand] = (),
    ) -> Iterator[RatedDecision]:
        """The decisions of these seats in one hand, in order.

        steps: each event of it with its number in the log, and the state after it; before: the state before
        the first. declared: hands that users entered while they played. A hand without a record has no
        decisions.
        """
        events = [event for _, event, _ in steps]
        if any(isinstance(event, Won) and event.circumstances is not None for event in events):
            return
        states = [before, *(state for _, _, state in steps)]
        shown = {
            seat: find_hands(states, events, seat) | _follow_declared(steps, declared, seat) for seat in seats
        }
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
                decision = self._rate(state, number, seat, did, tile, dealt_in, states[-1].calls_known)
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
        answer = next((later for later in events[at + 1 :] if not isinstance(later, ANNOUNCEMENTS)), None)
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
        calls_known: bool,
    ) -> RatedDecision | None:
        """The decision; None where there was no choice.

        calls_known: whether any player has called ready in the game by the hand's end. Where nobody has, no
        call is missed: the table may have no such calls, or nobody heard them.
        """
        hand = state.hand
        assert hand is not None
        person = hand.seated[seat]
        seen = observe(state, seat)
        if seen.player.hidden:
            return None if tile is None or not isinstance(did, Discarded) else _rate_danger(
                seen, number, person, did, tile, dealt_in
            )  # fmt: skip
        try:
            if len(list_branches(seen)) + (find_win(seen) is not None) < 2:
                return None
            advice = self._ask(seen, did, calls_known)
        except InputError:
            return None
        chosen = None if advice is None else find_choice(advice, did)
        if advice is None or chosen is None:
            return None
        best = advice.choices[0]
        cost = max(0.0, _value(best) - _value(chosen))
        if cost < MIN_COST or cost <= MAX_TIED_ERRORS * (best.value_error or 0.0):
            cost, best = 0.0, chosen
        stake = find_stake(seen)
        share = cost / stake
        grade = grade_share(share)
        bad = tuple(Grade).index(grade) >= tuple(Grade).index(Grade.INEXACT)
        mistake, why = None, None
        if bad or dealt_in:
            mistake, why = explain(seen, tile, chosen, best, cost, stake, dealt_in=dealt_in, slight=not bad)
        return RatedDecision(
            number=number, seat=seat, person=person, tile=tile, did=did, chosen=chosen, best=best, cost=cost,
            share=share, grade=grade, deal_in=chosen.deal_in or 0.0, dealt_in=dealt_in,
            mistake=mistake if bad else None, why=why, held=tuple(sorted(seen.player.concealed)),
            melds=list_own_melds(seen),
        )  # fmt: skip

    def _ask(self, seen: SeatView, did: Event | None, calls_known: bool) -> Advice | None:
        """The advice, as precise as rating that choice requires."""
        found, answers = None, 0
        for advice in self._coach.advise(seen, Level.FULL, self._stop):
            if any(each.value is None for each in advice.choices):
                continue
            if not calls_known:
                rest = tuple(each for each in advice.choices if not isinstance(each.do, ReadyDeclared))
                advice = changed(advice, choices=rest)
            found, answers = advice, answers + 1
            chosen = find_choice(advice, did)
            is_best = chosen is not None and _value(chosen) >= max(map(_value, advice.choices))
            if answers >= MAX_ANSWERS or (is_best and answers >= ANSWERS_IF_BEST):
                break
        return found


def find_choice(advice: Advice, did: Event | None) -> Advised | None:
    """The choice that the player made."""
    for each in advice.choices:
        if _is_same(each.do, did):
            return each
    return None


def find_stake(seen: SeatView) -> float:
    """The mean cost of dealing in at this table, more than 0."""
    _, cost = risk(seen, KINDS[HONOUR])
    house = seen.state.house
    return cost or house.count_at_stakes(house.rules.point)


def grade_share(share: float) -> Grade:
    """The grade of a decision by its cost as a share of the cost of dealing in; the best cost nothing."""
    return tuple(Grade)[1 + sum(share > limit for limit in GRADE_LIMITS)] if share > 0 else Grade.BEST


def grade_danger(chance: float) -> Grade:
    """The grade of a discard of an unknown hand, by its chance to deal in."""
    return grade_share(chance) if chance > SAFE_CHANCE else Grade.BEST


def pick_worst(decisions: Sequence[RatedDecision], most: int = 2) -> list[RatedDecision]:
    """The costliest mistakes, the worst first."""
    bad = [each for each in decisions if each.mistake is not None]
    return sorted(bad, key=lambda each: -each.cost)[:most]


def _rate_danger(
    seen: SeatView, number: int, person: int, did: Event, tile: Tile, dealt_in: bool
) -> RatedDecision:
    chance, cost = risk(seen, tile)
    params = {"did": tile.code, "often": describe_chance(chance)}
    return RatedDecision(
        number=number, seat=seen.seat, person=person, tile=tile, did=did, chosen=None, best=None,
        cost=chance * cost, share=chance, grade=grade_danger(chance), deal_in=chance, dealt_in=dealt_in,
        mistake=None, why=Sentence(words.DANGER_ONLY, params), held=(),
        melds=list_own_melds(seen),
    )  # fmt: skip


def _value(choice: Advised) -> float:
    return float("-inf") if choice.value is None else choice.value


def _is_same(one: Event | None, other: Event | None) -> bool:
    """Whether two events are the same action; announcements do not matter."""
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
    """The tile of a decision; `later` is what happened after it."""
    if isinstance(did, ReadyDeclared):
        discard = later[0] if later else None
        return TILES.get(discard.tile or "") if isinstance(discard, Discarded) else None
    if did is None or isinstance(did, Claimed):
        offer = state.hand.offer if state.hand else None
        return None if offer is None else offer.tile
    return TILES.get(getattr(did, "tile", None) or "")


def _list_takers(events: Sequence[Event], at: int) -> list[Won | Claimed]:
    """The players who claim the discard at that place, or win on it, in order."""
    found: list[Won | Claimed] = []
    for event in events[at + 1 :]:
        if isinstance(event, Claimed) and not found:
            return [event]
        if isinstance(event, Won):
            found.append(event)
        elif not isinstance(event, ANNOUNCEMENTS):
            break
    return found


def _deals_in(events: Sequence[Event], at: int) -> bool:
    """Whether the discard at that place is won on."""
    is_discard = at < len(events) and isinstance(events[at], Discarded)
    return is_discard and any(isinstance(x, Won) for x in _list_takers(events, at))


def _discards_one(state: State, seat: int) -> bool:
    """Whether a call of ready leaves only one discard, which is then not a decision."""
    seen = observe(state, seat)
    if seen.player.hidden:
        return False
    call = next((each for each in list_branches(seen) if isinstance(each.do, ReadyDeclared)), None)
    return call is not None and len(call.discards) == 1


def _could_win(state: State, seat: int) -> bool:
    hand = state.hand
    if hand is None or hand.offer is None or hand.offer.kind is not OfferKind.DISCARD:
        return False
    return not hand.players[seat].hidden and find_win(observe(state, seat)) is not None


def _follow_declared(
    steps: Sequence[tuple[int, Event, State]], declared: Sequence[DeclaredHand], seat: int
) -> dict[int, tuple[Tile, ...]]:
    """The tiles of the seat before events of the hand, by the event's place, as far as the user entered
    them."""
    found: dict[int, tuple[Tile, ...]] = {}
    numbered = [(number, event) for number, event, _ in steps]
    first, last = numbered[0][0] if numbered else 0, numbered[-1][0] if numbered else 0
    for each in declared:
        if each.seat == seat and first <= each.at <= last:
            known = list_known(each, numbered)
            found |= {at: known[n] for at, (n, _) in enumerate(numbered, start=1) if n in known}
    return found


def _place_shown(state: State, last: State, seat: int, tiles: tuple[Tile, ...]) -> State:
    """The state with the tiles that the seat is known to have held, from the hand shown at the end."""
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


class ReviewedHand(Struct, frozen=True):
    """The decisions of one hand, in order.

    number: of the hand, as on the score sheet; a hand that does not count shares its number with the hand
    dealt to replace it. counts: whether it counts.
    """

    number: int
    decisions: tuple[RatedDecision, ...]
    counts: bool = True


class PersonReview(Struct, frozen=True):
    """One player's evening.

    decisions: the number of rated ones; unrated: discards of unknown hands. cost: of all rated decisions
    together, in what the game is paid in. worst_hand: the number of the costliest hand that counts and its
    cost, None where nothing cost. grades, mistakes: the number of each among rated decisions, the costliest
    mistakes first; mistake_costs: the cost of each kind. deal_ins: discards that were won on, `avoidable` of
    them where a better tile was available.
    """

    person: int
    decisions: int
    unrated: int
    cost: float
    worst_hand: tuple[int, float] | None
    grades: dict[Grade, int]
    mistakes: dict[Mistake, int]
    mistake_costs: dict[Mistake, float]
    deal_ins: int
    avoidable: int

    @property
    def mean_cost(self) -> float:
        """Of a rated decision."""
        return self.cost / self.decisions if self.decisions else 0.0


def sum_up(hands: Iterable[ReviewedHand]) -> tuple[PersonReview, ...]:
    """The evening of every player who decided anything, in the order of the players."""
    own: dict[int, list[tuple[ReviewedHand, RatedDecision]]] = defaultdict(list)
    for hand in hands:
        for decision in hand.decisions:
            own[decision.person].append((hand, decision))
    return tuple(_sum_up_one(person, own[person]) for person in sorted(own))


def _sum_up_one(person: int, own: list[tuple[ReviewedHand, RatedDecision]]) -> PersonReview:
    rated = [(hand, each) for hand, each in own if each.is_rated]
    costs: dict[int, float] = defaultdict(float)
    for hand, each in rated:
        if hand.counts:
            costs[hand.number] += each.cost
    worst = max(costs.items(), key=lambda each: each[1], default=None)
    mistakes, spent = Counter[Mistake](), defaultdict[Mistake, float](float)
    for _, each in rated:
        if each.mistake is not None:
            mistakes[each.mistake] += 1
            spent[each.mistake] += each.cost
    kinds = sorted(mistakes, key=lambda kind: -spent[kind])
    return PersonReview(
        person=person,
        decisions=len(rated),
        unrated=len(own) - len(rated),
        cost=sum(each.cost for _, each in rated),
        worst_hand=worst if worst is not None and worst[1] > 0 else None,
        grades=dict(Counter(each.grade for _, each in rated)),
        mistakes={kind: mistakes[kind] for kind in kinds},
        mistake_costs={kind: spent[kind] for kind in kinds},
        deal_ins=sum(each.dealt_in for _, each in own),
        avoidable=sum(each.dealt_in and each.mistake is Mistake.DEALT_IN for _, each in rated),
    )
