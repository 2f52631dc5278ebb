"""Events that nobody recorded, filled in: unseen draws and discards until a hand can end as reported,
a reported win, and the draw that goes when its event is corrected.

Only what is paid for, or must be on the table, is filled in; a win is reported with its circumstances. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from companion.errors import EventError
from companion.rules import Score, Source, score
from companion.rules.stated import Stated
from companion.rules.win import ScoreRequest
from companion.table import messages
from companion.table.apply import apply, fold
from companion.table.events import (
    AddedKong,
    Circumstances,
    Claimed,
    ConcealedKong,
    Corrected,
    DealSet,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandDrawn,
    HandStarted,
    IndicatorTurned,
    Won,
    number_corrected,
)
from companion.table.moves import read_tile
from companion.table.possible import find_own_draw
from companion.table.state import HandState, Laid, Phase, Player, State, changed
from companion.table.wins import Chance, find_chance, list_known_melds, make_request
from companion.tiles import KINDS, KONG_TILES, Meld, MeldKind, Suit, Tile, format_tiles, parse_meld

STEPS_MAX = 400
"""More than a hand of any game has draws and discards."""
FLOWERS = tuple(tile for tile in KINDS if tile.suit is Suit.FLOWERS)


@dataclass(frozen=True, slots=True)
class ReportedWin:
    """A win as people report it.

    source: None where the game is to know it; discarder: whose tile it was, or whose kong was robbed. tile:
    the winning tile, None if unknown. tiles: every tile that the winner shows, melds and flowers
    among them or not. melds, flowers: as far as they were entered separately. The rest is for a hand that was
    not followed: situation; discards: how many there were, the winning one included, None where they were too
    many to matter; fortune: the kind that is wild; gambits, kongs_in_row: right before the win; claimed_from:
    whose discards the melds were made of, None if that changes nothing. stated: what the win is worth, where
    no tiles were entered.
    """

    seat: int
    source: Source | None = None
    discarder: int | None = None
    tile: Tile | None = None
    tiles: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    flowers: tuple[Tile, ...] = ()
    situation: frozenset[str] = frozenset()
    discards: int | None = None
    fortune: Tile | None = None
    gambits: int = 0
    kongs_in_row: int = 0
    claimed_from: int | None = None
    stated: Stated | None = None


@dataclass(frozen=True, slots=True)
class EnteredKong:
    """A kong as people report it. tile: None of a concealed one that nobody saw. discarder: whose tile was
    claimed for it, None of any other."""

    seat: int
    kind: MeldKind
    tile: Tile | None = None
    discarder: int | None = None


def has_no_record(state: State) -> bool:
    """Whether nothing of the hand in play has been recorded but kongs, or the next one has not begun. After a
    hand of which only the win was entered, the next win is of the next hand."""
    hand = state.hand
    if hand is None:
        return True
    if hand.phase is Phase.OVER:
        return hand.offer is None or _is_made_up(hand)
    if any(player.concealed for player in hand.players):
        return False
    return not (hand.discards or hand.claims) or _has_kongs_only(hand)


def _is_made_up(hand: HandState) -> bool:
    """Whether nobody saw any of the tiles that were discarded and stayed on the table."""
    discards = [tile for player in hand.players for tile in player.discards]
    return bool(discards) and all(tile is None for tile in discards)


def _has_kongs_only(hand: HandState) -> bool:
    """Whether all that was seen of the hand are kongs."""
    laid = [laid for player in hand.players for laid in player.melds]
    unseen = all(tile is None for player in hand.players for tile in player.discards)
    return bool(laid) and unseen and all(each.kind.is_kong for each in laid)


def needs_fortune(state: State) -> bool:
    """Whether a person has to enter the wild kind before anything can happen in the hand."""
    if not state.house.wall.indicator_dice:
        return False
    hand = state.hand
    return not state.playing or (hand is not None and hand.phase in (Phase.DEAL, Phase.INDICATOR))


def begin_hand(state: State, fortune: Tile | None = None) -> tuple[Event, ...]:
    """The events until the first tiles are taken; none where they are. EventError if that cannot be."""
    writer = EventWriter(state, fortune)
    while not writer.has_begun:
        writer.go_on()
    return tuple(writer.events)


def enter_drawn(state: State, fortune: Tile | None = None, *, declined: bool = False) -> tuple[Event, ...]:
    """The events of a hand that nobody won: what nobody recorded of it, to the last tile, and the draw.

    declined: whether whose turn it was left that tile where it lay. EventError if it cannot be one.
    """
    last_tile = state.house.policy.last_tile
    if declined and not last_tile.may_decline:
        raise EventError(messages.NO_DECLINING, rules=state.house.rules.title, ruling=last_tile.ruling)
    writer = EventWriter(state, fortune)
    for _ in range(STEPS_MAX):
        if writer.has_begun:
            try:
                writer.do(HandDrawn(declined_by=writer.hand.turn if declined else None))
            except EventError:
                pass
            else:
                return tuple(writer.events)
        writer.go_on()
    raise EventError(messages.NOT_SO)


def enter_kong(state: State, kong: EnteredKong) -> tuple[Event, ...]:
    """The events of a hand without other records, up to the kong and the discard after it.

    EventError if it cannot be.
    """
    writer, seat = EventWriter(state, None), kong.seat
    writer.until(lambda: writer.has_begun)
    if kong.tile is None:
        writer.until(lambda: writer.drew(seat))
        writer.do(ConcealedKong(seat=seat))
        writer.do(Drawn(seat=seat))
        writer.go_on()
    else:
        meld = Meld((kong.tile,) * 4, kong.kind)
        reported = ReportedWin(seat, melds=(meld,), claimed_from=kong.discarder)
        _lay_melds(writer, reported)
    return tuple(writer.events)


class EventWriter:
    """Events, as they are put down one after the other."""

    def __init__(self, state: State, fortune: Tile | None) -> None:
        self.state = state
        self.events: list[Event] = []
        self._fortune = fortune
        self._steps = STEPS_MAX

    @property
    def hand(self) -> HandState:
        assert self.state.hand is not None
        return self.state.hand

    def do(self, event: Event) -> None:
        self.state = apply(self.state, event)
        self.events.append(event)

    def until(self, holds: Callable[[], bool]) -> None:
        """Let the hand go on until that holds. EventError if it never does."""
        while not holds():
            self._steps -= 1
            if not self._steps:
                raise EventError(messages.NOT_SO)
            self.go_on()

    def go_on(self) -> None:
        """What happens next if nobody does anything of note."""
        if not self.state.playing:
            self.do(HandStarted(dealer=self.state.deal.dealer))
            return
        hand, phase = self.hand, self.hand.phase
        if phase is Phase.DEAL:
            self.do(Dealt())
        elif phase is Phase.INDICATOR:
            if self._fortune is None:
                raise EventError(messages.NAME_FORTUNE)
            self.do(IndicatorTurned(tile=self._fortune.code))
        elif hand.owed or phase is Phase.CLAIM:
            self.do(Drawn(seat=hand.turn))
        elif phase is Phase.SEA:
            self.do(Drawn(seat=self.state.house.following[hand.turn]))
        else:
            self.do(Discarded(seat=hand.deal.dealer if phase is Phase.FLOWERS else hand.turn))

    @property
    def has_begun(self) -> bool:
        """Whether the first tiles are taken."""
        return self.state.playing and self.hand.phase not in (Phase.DEAL, Phase.INDICATOR)

    def drew(self, seat: int) -> bool:
        """Whether it is that player's turn, with a tile drawn."""
        hand = self.hand
        phases = (Phase.TURN, Phase.SEA)
        dealt = hand.phase is Phase.FLOWERS and not hand.owed and seat == hand.deal.dealer
        return dealt or (hand.phase in phases and hand.turn == seat and hand.drew)

    def discards(self, seat: int) -> bool:
        """Whether that player discards next."""
        hand = self.hand
        dealt = hand.phase is Phase.FLOWERS and not hand.owed and seat == hand.deal.dealer
        return dealt or (hand.phase is Phase.TURN and hand.turn == seat)

    def offered_by(self, seats: Sequence[int]) -> bool:
        """Whether a discard of one of those lies on offer."""
        offer = self.hand.offer
        return self.hand.phase is Phase.CLAIM and offer is not None and offer.seat in seats


def lead_to_win(writer: EventWriter, reported: Sequence[ReportedWin], source: Source) -> None:
    """Put down what happened before the win of the first of these, and of the others on the same tile."""
    writer.until(lambda: writer.has_begun)
    winner, flower_wins = reported[0], writer.state.house.rules.flower_wins
    if not flower_wins.isdisjoint(winner.situation):
        _lay_last_flower(writer, winner, winner.seat if source is Source.SELF_DRAW else winner.discarder)
        return
    for each in (*reported[1:], winner):
        _set_out_flowers(writer, each.seat, each.flowers)
        _lay_melds(writer, each)
    _bring_tile(writer, winner, source)


def _lay_last_flower(writer: EventWriter, reported: ReportedWin, layer: int | None) -> None:
    """Put down the winner's flowers but one, all but one if none was reported, and the last one, which
    that player lays."""
    own = (reported.flowers or FLOWERS)[: len(FLOWERS) - 1]
    last = [flower for flower in FLOWERS if flower not in own]
    if layer is None or len(last) > 1:
        raise EventError(messages.NOT_SO)
    _set_out_flowers(writer, reported.seat, own)
    _lay_melds(writer, reported)
    writer.until(lambda: writer.drew(layer))
    writer.do(FlowerSetOut(seat=layer, tile=last[0].code))


def _bring_tile(writer: EventWriter, reported: ReportedWin, source: Source) -> None:
    """Put down how the winning tile came."""
    seat, giver, house = reported.seat, reported.discarder, writer.state.house
    if source is Source.SELF_DRAW:
        writer.until(lambda: writer.drew(seat))
        return
    if giver is None or giver == seat:
        raise EventError(messages.NOT_SO)
    if reported.tile is None and (reported.stated is None or source is not Source.DISCARD):
        raise EventError(messages.NAME_TILE)
    if source is Source.DISCARD:
        writer.until(lambda: writer.discards(giver))
        writer.do(Discarded(seat=giver, tile=None if reported.tile is None else reported.tile.code))
        return
    assert reported.tile is not None
    writer.until(lambda: writer.offered_by([each for each in house.seats if each != giver]))
    writer.do(Claimed(seat=giver, meld=f"p{format_tiles((reported.tile,) * 3)}"))
    writer.go_on()
    writer.until(lambda: writer.drew(giver))
    writer.do(AddedKong(seat=giver, tile=reported.tile.code))


def _list_hidden(writer: EventWriter, reported: ReportedWin) -> list[Meld]:
    """The kongs after which a tile was drawn, those on a discard first: what the hand goes on from."""
    laid = writer.hand.players[reported.seat].melds
    kongs = [meld for meld in list_new_melds(laid, reported.melds) if meld.kind.is_kong]
    for _ in range(sum(each.meld is None for each in laid)):
        hidden = next((meld for meld in kongs if meld.kind is MeldKind.KONG_CONCEALED), None)
        if hidden is not None:
            kongs.remove(hidden)
    return sorted(kongs, key=lambda meld: meld.kind is not MeldKind.KONG_DISCARD)


def _lay_melds(writer: EventWriter, reported: ReportedWin) -> None:
    """Put down the claimed chows and pungs, those of kongs too, and then the kongs."""
    new = list_new_melds(writer.hand.players[reported.seat].melds, reported.melds)
    kongs = _list_hidden(writer, reported)
    claimed = [meld for meld in new if not meld.kind.is_kong or meld.kind is MeldKind.KONG_ADDED]
    for number, meld in enumerate(claimed):
        pung = Meld(meld.tiles[:3], MeldKind.PUNG) if meld.kind is MeldKind.KONG_ADDED else meld
        _claim(writer, reported, pung, number)
        writer.go_on()
    for meld in kongs:
        _lay_kong(writer, reported, meld)
        writer.go_on()


def _claim(writer: EventWriter, reported: ReportedWin, meld: Meld, number: int) -> None:
    house, seat = writer.state.house, reported.seat
    others = [each for each in house.seats if each != seat]
    givers = sorted(others, key=lambda each: (seat - each) % 4)
    wanted = givers[number % len(givers)] if reported.claimed_from is None else reported.claimed_from
    from_seats = [wanted]
    if meld.kind is MeldKind.CHOW:
        from_seats = [each for each in others if house.following[each] == seat]
    writer.until(partial(writer.offered_by, from_seats))
    writer.do(Claimed(seat=seat, meld=str(meld)))


def _lay_kong(writer: EventWriter, reported: ReportedWin, meld: Meld) -> None:
    """Put the kong down, and draw what replaces its tile."""
    seat, tile = reported.seat, meld.tiles[0].code
    if meld.kind is MeldKind.KONG_DISCARD:
        _claim(writer, reported, meld, 0)
    else:
        writer.until(lambda: writer.drew(seat))
        added = meld.kind is MeldKind.KONG_ADDED
        writer.do(AddedKong(seat=seat, tile=tile) if added else ConcealedKong(seat=seat, tile=tile))
    writer.do(Drawn(seat=seat))


def _set_out_flowers(writer: EventWriter, seat: int, flowers: Sequence[Tile]) -> None:
    """Those that do not lie there yet; each is replaced."""
    out = list(writer.hand.players[seat].flowers)
    for flower in flowers:
        if flower in out:
            out.remove(flower)
        elif writer.state.house.flowers:
            writer.do(FlowerSetOut(seat=seat, tile=flower.code))
            writer.do(Drawn(seat=seat))


def list_new_melds(laid: Sequence[Laid], melds: Sequence[Meld]) -> list[Meld]:
    """The melds that the game does not know yet."""
    known = [each.meld for each in laid]
    new = []
    for meld in melds:
        if meld in known:
            known.remove(meld)
        else:
            new.append(meld)
    return new


@dataclass(frozen=True, slots=True)
class EnteredWin:
    """A win that the rules agree with. events: to be entered, in order. after: the state that they lead to.
    score: as it is booked, and `request` what the rules were asked."""

    events: tuple[Event, ...]
    after: State
    score: Score
    request: ScoreRequest

    def compare(self) -> Score:
        """The score, and of a win whose tiles are known what it would be under other house rules."""
        return score(self.request) if self.score.reading else self.score


@dataclass(frozen=True, slots=True)
class KnownChance:
    """A win that a player may declare in a hand that was followed, in the state `before`. draws: what leads
    there and nobody has named yet."""

    chance: Chance
    before: State
    draws: tuple[Event, ...]


def list_known_chances(state: State, seat: int) -> tuple[KnownChance, ...]:
    """On what that seat may win as the game stands: the tile that lies there, then the one that it draws
    next. Empty where the hand was not followed, and people say it."""
    if state.hand is None or has_no_record(state):
        return ()
    ways = ((state, ()), find_own_draw(state, seat))
    found = []
    for before, draws in filter(None, ways):
        assert before.hand is not None
        try:
            found.append(KnownChance(find_chance(before, before.hand, seat), before, draws))
        except EventError:
            continue
    return tuple(found)


def enter_win(state: State, reported: ReportedWin) -> EnteredWin:
    """The win as it is recorded. EventError explains why it is not a win, or not possible."""
    return enter_wins(state, (reported,))[0]


def enter_wins(state: State, reported: Sequence[ReportedWin]) -> tuple[EnteredWin, ...]:
    """The wins of one hand, each with its events after those before it. All but the first are on the tile of
    the first. EventError explains why one is not a win, or not possible."""
    return _win_all(*_lead_up(state, reported), reported)


def ask_without_tiles(state: State, reported: Sequence[ReportedWin]) -> ScoreRequest:
    """What the rules are asked of the last of these wins where its tiles are not entered: the facts alone.
    EventError where it is not possible."""
    last = reported[-1]
    before, events, unrecorded = _lead_up(state, reported)
    if len(reported) > 1:
        before = _win_all(before, events, unrecorded, reported[:-1])[-1].after
    assert before.hand is not None
    chance = find_chance(before, before.hand, last.seat)
    told = _list_circumstances(last, reported[0].discards) if unrecorded else None
    return make_request(before, before.hand, chance, (), (), told)


def _lead_up(state: State, reported: Sequence[ReportedWin]) -> tuple[State, tuple[Event, ...], bool]:
    """The state before the first of these wins, the events that lead to it, and whether these are made up."""
    first = reported[0]
    for known in list_known_chances(state, first.seat):
        if first.source in (None, known.chance.source):
            return known.before, known.draws, False
    if state.hand is not None and state.hand.phase is Phase.OVER and state.hand.offer is not None:
        state = _settle(state)
    writer = EventWriter(state, first.fortune)
    lead_to_win(writer, reported, first.source or Source.SELF_DRAW)
    return writer.state, tuple(writer.events), has_no_record(state)


def _settle(state: State) -> State:
    """The state in which the last hand's last tile is won on no more."""
    assert state.hand is not None
    return changed(state, hand=changed(state.hand, offer=None))


def _win_all(
    before: State, events: tuple[Event, ...], unrecorded: bool, reported: Sequence[ReportedWin]
) -> tuple[EnteredWin, ...]:
    """The wins in the state `before`, to which `events` led; `unrecorded` where these are made up."""
    entered: list[EnteredWin] = []
    for each in reported:
        assert before.hand is not None
        chance = find_chance(before, before.hand, each.seat)
        event = _make_won(before, before.hand, chance, each)
        if unrecorded:
            event = changed(event, circumstances=_list_circumstances(each, reported[0].discards))
        entered.append(_win_on(before, (*events, event), chance))
        before, events = entered[-1].after, ()
    return tuple(entered)


def _list_circumstances(reported: ReportedWin, discards: int | None) -> Circumstances:
    return Circumstances(
        situation=tuple(sorted(reported.situation)),
        discards=discards,
        gambits=reported.gambits,
        consecutive_kongs=reported.kongs_in_row,
    )


def _win_on(before: State, events: tuple[Event, ...], chance: Chance) -> EnteredWin:
    """The win that is the last of the events, in the state `before`, to which the others led."""
    won = events[-1]
    assert before.hand is not None
    assert isinstance(won, Won)
    after = apply(before, won)
    assert after.hand is not None
    result = after.hand.results[-1]
    player = after.hand.players[won.seat]
    tile = result.tile if chance.tile is None and not chance.by_flowers else chance.tile
    concealed = player.concealed
    if len(after.hand.results) > 1 and tile is not None:  # which of several winners the first holds
        concealed = (*concealed, tile)
    hand = before.hand
    request = result.request or make_request(
        before, hand, changed(chance, tile=tile), concealed, list_known_melds(player), won.circumstances
    )
    return EnteredWin(events, after, result.score, request)


def _make_won(state: State, hand: HandState, chance: Chance, reported: ReportedWin) -> Won:
    """The event, with what the game does not know of the winner's tiles."""
    player = hand.players[reported.seat]
    if chance.by_flowers or not reported.tiles:
        return Won(seat=reported.seat, stated=reported.stated)
    count = player.count + (chance.source is not Source.SELF_DRAW)
    kongs = _find_kongs(reported, player, count)
    shown = _take_melds_out(reported, player.melds, kongs, count)
    flowers = Suit.FLOWERS if state.house.flowers else None
    shown = [tile for tile in shown if tile.suit is not flowers]
    for tile in shown:
        read_tile(state.house, tile.code)
    named = reported.tile.code if chance.tile is None and reported.tile in shown and reported.tile else None
    return Won(seat=reported.seat, hand=format_tiles(shown), tile=named, kongs=kongs)


def count_unseen_kongs(player: Player) -> int:
    """How many concealed kongs of unknown kind the player has."""
    return sum(laid.meld is None for laid in player.melds)


def _find_kongs(reported: ReportedWin, player: Player, count: int) -> tuple[str, ...]:
    """The concealed kongs that nobody had seen: those that were reported, or else the four equal tiles among
    all that are shown, `count` of which are in the hand. EventError where they are not there."""
    unseen = count_unseen_kongs(player)
    new = list_new_melds(player.melds, reported.melds)
    kongs = tuple(str(meld) for meld in new if meld.kind is MeldKind.KONG_CONCEALED)[:unseen]
    if len(kongs) == unseen:
        return kongs
    right = count + KONG_TILES * unseen
    shown = _take_melds_out(reported, player.melds, (), right)
    if len(shown) != right:
        raise EventError(messages.SHOW_THE_KONG, seat=reported.seat, given=len(shown), right=right)
    named = [parse_meld(kong).tiles[0] for kong in kongs]
    fours = [tile for tile, n in Counter(shown).items() if n == KONG_TILES and tile not in named]
    if len(fours) != unseen - len(kongs):
        raise EventError(messages.WHICH_HIDDEN_KONG, seat=reported.seat)
    return (*kongs, *(str(Meld((tile,) * KONG_TILES, MeldKind.KONG_CONCEALED)) for tile in fours))


def _take_melds_out(
    reported: ReportedWin, laid: Sequence[Laid], kongs: Sequence[str], count: int
) -> list[Tile]:
    """The concealed tiles among those that are shown, `count` of them where the melds are shown too."""
    shown = [tile for tile in reported.tiles if tile.suit is not Suit.FLOWERS]
    if len(shown) == count:
        return shown
    melds = [each.meld for each in laid if each.meld is not None]
    for tile in [tile for meld in (*melds, *map(parse_meld, kongs)) for tile in meld.tiles]:
        if tile in shown:
            shown.remove(tile)
    return shown


def remove_event(events: Sequence[Event], number: int, why: str = "") -> Corrected:
    """The smallest correction by which that event of the log did not happen and all that followed it still
    can have: without the event alone, or without a draw of the same player right before or after it as well,
    or without the draws that nobody saw if nothing else followed. Where none fits, the first.
    """
    alone = Corrected(number=number, right=None, why=why)
    for each in (alone, *_take_out_with_draws(events, number, why)):
        try:
            fold([*events, each])
        except EventError:
            continue
        return each
    return alone


def _take_out_with_draws(events: Sequence[Event], number: int, why: str) -> Iterator[Corrected]:
    try:
        standing = number_corrected(events)
    except EventError:
        return
    places = [at for at, (each, _) in enumerate(standing) if each == number]
    if len(places) != 1:
        return
    at = places[0]
    seat = getattr(standing[at][1], "seat", None)
    for beside in (at - 1, at + 1):
        if not 0 <= beside < len(standing):
            continue
        other, draw = standing[beside]
        if isinstance(draw, Drawn) and draw.seat == seat:
            yield Corrected(number=min(number, other), right=None, why=why, upto=max(number, other))
    after = [event for _, event in standing[at + 1 :]]
    if after and all(isinstance(event, Drawn) and event.tile is None for event in after):
        yield Corrected(number=number, right=None, why=why, upto=standing[-1][0])


OPENING = (HandStarted, Dealt, IndicatorTurned, FlowerSetOut, Drawn)
"""Events of a hand before its first turn."""


def deal_anew(events: Sequence[Event], number: int, right: DealSet) -> Corrected:
    """The correction by which event `number`, a DealSet, was another one. If another seat dealt the hand that
    began after it, the unseen turns of the players from that dealer on come first, and the rest stays.
    """
    numbered = number_corrected(events)
    at = next((place for place, each in enumerate(numbered) if each[0] == number), 0)
    before = fold([event for _, event in numbered[:at]])
    later = [each for each in numbered[at:] if not isinstance(each[1], DealSet)]
    opening = _list_opening(later)
    first = next((event.dealer for _, event in opening if isinstance(event, HandStarted)), right.dealer)
    if before is None or right.dealer is None or right.dealer == first:
        return Corrected(number=number, right=right)
    rights: list[Event] = [] if before.deal.dealer == right.dealer else [right]
    for _, event in opening:
        rights.append(HandStarted(dealer=right.dealer) if isinstance(event, HandStarted) else event)
    upto = opening[-1][0]
    unseen = [event for each, event in later[len(opening) :] if each == upto]
    for event in unseen:  # they were filled in for another dealer
        first = event.seat if isinstance(event, Drawn) else first
    turn = right.dealer
    while turn != first:
        after = before.house.following[turn]
        rights += [Discarded(seat=turn), Drawn(seat=after)]
        turn = after
    return Corrected(number=number, right=rights[0], more=tuple(rights[1:]), upto=upto)


def _list_opening(numbered: Sequence[tuple[int, Event]]) -> list[tuple[int, Event]]:
    """The events of a hand up to its first turn."""
    opening: list[tuple[int, Event]] = []
    for each in numbered:
        if not isinstance(each[1], OPENING):
            break
        opening.append(each)
    return opening
