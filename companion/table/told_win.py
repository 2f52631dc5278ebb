"""A win as people tell it, made into events: what the game does not know is filled in.

Of a hand that was followed only the win is entered. Of one of which nothing was recorded, draws and discards
that nobody saw are put before it until the table stands as told. Only `apply` says what may happen, and
what a win is in which situation: courses are tried until one leads to what was told. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product

from companion.errors import EventError
from companion.rules import Score, Source, score
from companion.rules.win import ScoreRequest
from companion.table import messages
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    HandDrawn,
    HandStarted,
    IndicatorTurned,
    ReadyDeclared,
    Won,
)
from companion.table.moves import read_tile
from companion.table.state import HandState, Laid, Phase, State, changed
from companion.table.wins import Chance, find_chance, list_known_melds, make_request
from companion.tiles import Meld, MeldKind, Suit, Tile, format_tiles, parse_meld

STEPS_MAX = 400
"""More than a hand of any game has draws and discards."""
PLAIN_DISCARDS = 8
"""After so many a win is none of those of the first round."""


@dataclass(frozen=True, slots=True)
class ToldWin:
    """What people say of a win.

    source: None where the game is to know it; discarder: whose tile it was, or whose kong was robbed.
    tile: the winning tile, None where it is not known. tiles: every tile that the winner shows, melds and
    flowers among them or not. melds, flowers: as far as people told them apart. situation, fortune: of a hand
    that was not followed.
    """

    seat: int
    source: Source | None = None
    discarder: int | None = None
    tile: Tile | None = None
    tiles: tuple[Tile, ...] = ()
    melds: tuple[Meld, ...] = ()
    flowers: tuple[Tile, ...] = ()
    situation: frozenset[str] = frozenset()
    fortune: Tile | None = None


@dataclass(frozen=True, slots=True)
class EnteredWin:
    """A win that the rules agree with. events: to be entered, in order. after: the state that they lead to.
    score: as it is booked, and `request` what the rules were asked."""

    events: tuple[Event, ...]
    after: State
    score: Score
    request: ScoreRequest

    def compare(self) -> Score:
        """The score, with what other house rules would give."""
        return score(self.request)


def find_known_chance(state: State, seat: int) -> Chance | None:
    """On what that seat may win as the game stands, where the hand was followed; None where people say it."""
    if state.hand is None or is_untold(state):
        return None
    try:
        return find_chance(state, state.hand, seat)
    except EventError:
        return None


def is_untold(state: State) -> bool:
    """Whether nothing of the hand in play has been recorded, or the next one has not begun."""
    hand = state.hand
    if hand is None or (hand.phase is Phase.OVER and hand.offer is None):
        return True
    if hand.phase is Phase.OVER:
        return False
    return not (hand.discards or hand.claims or any(player.concealed for player in hand.players))


def enter_win(state: State, told: ToldWin) -> EnteredWin:
    """The win as it is booked. EventError says why it is none, or cannot have come about so."""
    chance = find_known_chance(state, told.seat)
    if chance is not None and told.source in (None, chance.source):
        return _win_on(state, state, (), chance, told)
    if state.hand is not None and state.hand.phase is Phase.OVER and state.hand.offer is not None:
        state = _settle(state)
    source = told.source or Source.SELF_DRAW
    first: EventError | None = None
    wrong: EventError | None = None
    for way in _list_ways(told):
        try:
            writer = _Writer(state, told.fortune)
            _lead_to_win(writer, told, source, way)
            assert writer.state.hand is not None
            found = find_chance(writer.state, writer.state.hand, told.seat)
            entered = _win_on(state, writer.state, tuple(writer.events), found, told)
        except EventError as error:
            first = first or error
            continue
        if entered.request.situation == told.situation:
            return entered
        wrong = wrong or EventError(messages.NOT_SO)
    raise wrong or first or EventError(messages.NOT_SO)


def enter_drawn(state: State, fortune: Tile | None = None) -> tuple[Event, ...]:
    """The events of a hand that nobody won: what nobody recorded of it, to the last tile, and the draw.

    EventError where it cannot be one.
    """
    writer = _Writer(state, fortune)
    for _ in range(STEPS_MAX):
        if writer.has_begun:
            try:
                writer.do(HandDrawn())
            except EventError:
                pass
            else:
                return tuple(writer.events)
        writer.go_on()
    raise EventError(messages.NOT_SO)


def _settle(state: State) -> State:
    """The state in which the last hand's last tile is won on no more."""
    assert state.hand is not None
    return changed(state, hand=changed(state.hand, offer=None))


@dataclass(frozen=True, slots=True)
class _Way:
    """One way in which a hand may have gone: how many discards there were at least, whether to the last tile,
    whether the winner had called ready, and whether the winning tile replaced that of a kong."""

    discards: int
    last: bool
    ready: bool
    replaced: bool


def _list_ways(told: ToldWin) -> Iterator[_Way]:
    """The likeliest first; where no circumstance is told, only a plain one and the very first turns."""
    special = (False, True) if told.situation else (False,)
    for replaced, ready, last, discards in product(special, special, special, (PLAIN_DISCARDS, 1, 0)):
        yield _Way(discards, last, ready, replaced)


class _Writer:
    """Events, as they are put down one after the other."""

    def __init__(self, state: State, fortune: Tile | None) -> None:
        self.state = state
        self.events: list[Event] = []
        self._fortune = fortune

    @property
    def hand(self) -> HandState:
        assert self.state.hand is not None
        return self.state.hand

    def do(self, event: Event) -> None:
        self.state = apply(self.state, event)
        self.events.append(event)

    def go_on(self) -> None:
        """What happens next where nobody does anything of note."""
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


def _lead_to_win(writer: _Writer, told: ToldWin, source: Source, way: _Way) -> None:
    """Put down what happened before the win."""
    seat, steps = told.seat, STEPS_MAX
    house = writer.state.house

    def until(holds: Callable[[], bool]) -> None:
        nonlocal steps
        while not holds():
            steps -= 1
            if not steps:
                raise EventError(messages.NOT_SO)
            writer.go_on()

    until(lambda: writer.has_begun)
    laid = writer.hand.players[seat].melds
    has_kong = any(meld.kind in (MeldKind.KONG_CONCEALED, MeldKind.KONG_ADDED) for meld in told.melds)
    late = told.flowers[-1:] if way.replaced and not has_kong else ()
    _set_out_flowers(writer, seat, told.flowers[: len(told.flowers) - len(late)])
    others = [each for each in house.seats if each != seat]
    givers = sorted(others, key=lambda each: (seat - each) % 4)
    kongs: list[Meld] = []
    for number, meld in enumerate(_list_new_melds(laid, told.melds)):
        if meld.kind is MeldKind.KONG_CONCEALED:
            kongs.append(meld)
            continue
        from_seats = [each for each in others if house.following[each] == seat]
        if meld.kind is not MeldKind.CHOW:
            from_seats = [givers[number % len(givers)]]
        until(partial(writer.offered_by, from_seats))
        if meld.kind is MeldKind.KONG_ADDED:
            kongs.append(meld)
            meld = Meld(meld.tiles[:3], MeldKind.PUNG)
        writer.do(Claimed(seat=seat, meld=str(meld)))
        if meld.kind is MeldKind.KONG_DISCARD:
            writer.do(Drawn(seat=seat))
        writer.go_on()
    ready = way.ready
    for meld in kongs[: -1 if way.replaced else None]:
        until(lambda: writer.drew(seat))
        _lay_kong(writer, seat, meld)
        writer.go_on()
    until(lambda: writer.hand.discards >= way.discards)
    if ready:
        until(lambda: writer.discards(seat))
        writer.do(ReadyDeclared(seat=seat))
        writer.go_on()
    if way.replaced:
        until(lambda: writer.drew(seat))
        _set_out_flowers(writer, seat, late)
        for meld in kongs[-1:]:
            _lay_kong(writer, seat, meld)
    if source is Source.SELF_DRAW:
        until(lambda: writer.drew(seat) and not (way.last and writer.hand.wall.live_left))
        return
    giver = told.discarder
    if giver is None or giver == seat:
        raise EventError(messages.NOT_SO)
    if told.tile is None:
        raise EventError(messages.NAME_TILE)
    if source is Source.DISCARD:
        until(lambda: writer.discards(giver) and not (way.last and writer.hand.wall.live_left))
        writer.do(Discarded(seat=giver, tile=told.tile.code))
        return
    until(lambda: writer.offered_by([each for each in house.seats if each != giver]))
    writer.do(Claimed(seat=giver, meld=f"p{format_tiles((told.tile,) * 3)}"))
    writer.go_on()
    until(lambda: writer.drew(giver))
    writer.do(AddedKong(seat=giver, tile=told.tile.code))


def _list_new_melds(laid: Sequence[Laid], melds: Sequence[Meld]) -> list[Meld]:
    """The melds that the game does not know yet."""
    known = [each.meld for each in laid]
    new = []
    for meld in melds:
        if meld in known:
            known.remove(meld)
        else:
            new.append(meld)
    return new


def _set_out_flowers(writer: _Writer, seat: int, flowers: Sequence[Tile]) -> None:
    """Those that do not lie there yet; each is replaced."""
    out = list(writer.hand.players[seat].flowers)
    for flower in flowers:
        if flower in out:
            out.remove(flower)
        elif writer.state.house.flowers:
            writer.do(FlowerSetOut(seat=seat, tile=flower.code))
            writer.do(Drawn(seat=seat))


def _lay_kong(writer: _Writer, seat: int, meld: Meld) -> None:
    tile = meld.tiles[0].code
    added = meld.kind is MeldKind.KONG_ADDED
    writer.do(AddedKong(seat=seat, tile=tile) if added else ConcealedKong(seat=seat, tile=tile))
    writer.do(Drawn(seat=seat))


def _win_on(
    start: State, before: State, events: tuple[Event, ...], chance: Chance, told: ToldWin
) -> EnteredWin:
    """The win in the state `before`, to which `events` led."""
    assert before.hand is not None
    event = _make_won(before, before.hand, chance, told)
    after = apply(before, event)
    assert after.hand is not None
    result = after.hand.results[-1]
    player = after.hand.players[told.seat]
    tile = result.tile if chance.tile is None and not chance.by_flowers else chance.tile
    concealed = player.concealed
    if len(after.hand.results) > 1 and tile is not None:  # which of several winners the first holds
        concealed = (*concealed, tile)
    hand = before.hand
    request = result.request or make_request(
        before, hand, changed(chance, tile=tile), concealed, list_known_melds(player)
    )
    return EnteredWin((*events, event), after, result.score, request)


def _make_won(state: State, hand: HandState, chance: Chance, told: ToldWin) -> Won:
    """The event, with what the game does not know of the winner's tiles."""
    player = hand.players[told.seat]
    if chance.by_flowers or not told.tiles:
        return Won(seat=told.seat)
    kongs = tuple(
        str(meld)
        for meld in _list_new_melds(player.melds, told.melds)
        if meld.kind is MeldKind.KONG_CONCEALED
    )[: sum(laid.meld is None for laid in player.melds)]
    count = player.count + (chance.source is not Source.SELF_DRAW)
    shown = _take_melds_out(told, player.melds, kongs, count)
    flowers = Suit.FLOWERS if state.house.flowers else None
    shown = [tile for tile in shown if tile.suit is not flowers]
    for tile in shown:
        read_tile(state.house, tile.code)
    named = told.tile.code if chance.tile is None and told.tile in shown and told.tile else None
    return Won(seat=told.seat, hand=format_tiles(shown), tile=named, kongs=kongs)


def _take_melds_out(told: ToldWin, laid: Sequence[Laid], kongs: Sequence[str], count: int) -> list[Tile]:
    """The concealed tiles among those that are shown, `count` of them where the melds are shown too."""
    shown = [tile for tile in told.tiles if tile.suit is not Suit.FLOWERS]
    if len(shown) == count:
        return shown
    melds = [each.meld for each in laid if each.meld is not None]
    for tile in [tile for meld in (*melds, *map(parse_meld, kongs)) for tile in meld.tiles]:
        if tile in shown:
            shown.remove(tile)
    return shown
