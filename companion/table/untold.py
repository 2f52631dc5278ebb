"""What nobody recorded of a hand, made up: draws and discards that nobody saw, until it can end as told.

Only what is paid for, or must lie there, is made up; the circumstances of a win are told with it. Pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from companion.errors import EventError
from companion.rules import Source
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
)
from companion.table.state import HandState, Laid, Phase, State
from companion.tiles import KINDS, Meld, MeldKind, Suit, Tile, format_tiles

STEPS_MAX = 400
"""More than a hand of any game has draws and discards."""
FLOWERS = tuple(tile for tile in KINDS if tile.suit is Suit.FLOWERS)


@dataclass(frozen=True, slots=True)
class ToldWin:
    """What people say of a win.

    source: None where the game is to know it; discarder: whose tile it was, or whose kong was robbed.
    tile: the winning tile, None where it is not known. tiles: every tile that the winner shows, melds and
    flowers among them or not. melds, flowers: as far as people told them apart. The rest is of a hand that
    was not followed: situation; discards: how many there were, the winning one included, None where they were
    too many to matter; fortune: the kind that is wild; gambits, kongs_in_row: right before the win;
    claimed_from: whose discards the melds were made of, None where that changes nothing.
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


@dataclass(frozen=True, slots=True)
class ToldKong:
    """What people say of a kong. tile: None of a concealed one that nobody saw. discarder: whose tile was
    claimed for it, None of any other."""

    seat: int
    kind: MeldKind
    tile: Tile | None = None
    discarder: int | None = None


def is_untold(state: State) -> bool:
    """Whether nothing of the hand in play has been recorded but kongs, or the next one has not begun."""
    hand = state.hand
    if hand is None or (hand.phase is Phase.OVER and hand.offer is None):
        return True
    if hand.phase is Phase.OVER:
        return False
    if any(player.concealed for player in hand.players):
        return False
    return not (hand.discards or hand.claims) or _has_kongs_only(hand)


def _has_kongs_only(hand: HandState) -> bool:
    """Whether all that was seen of the hand are kongs."""
    laid = [laid for player in hand.players for laid in player.melds]
    unseen = all(tile is None for player in hand.players for tile in player.discards)
    return bool(laid) and unseen and all(each.kind.is_kong for each in laid)


def needs_fortune(state: State) -> bool:
    """Whether a person has to say which kind is wild before anything can happen in the hand."""
    if not state.house.wall.indicator_dice:
        return False
    hand = state.hand
    return not state.playing or (hand is not None and hand.phase in (Phase.DEAL, Phase.INDICATOR))


def begin_hand(state: State, fortune: Tile | None = None) -> tuple[Event, ...]:
    """The events until the first tiles are taken; none where they are. EventError where that cannot be."""
    writer = Writer(state, fortune)
    while not writer.has_begun:
        writer.go_on()
    return tuple(writer.events)


def enter_drawn(state: State, fortune: Tile | None = None, *, declined: bool = False) -> tuple[Event, ...]:
    """The events of a hand that nobody won: what nobody recorded of it, to the last tile, and the draw.

    declined: whether whose turn it was left that tile where it lay. EventError where it cannot be one.
    """
    last_tile = state.house.policy.last_tile
    if declined and not last_tile.may_decline:
        raise EventError(messages.NO_DECLINING, rules=state.house.rules.title, ruling=last_tile.ruling)
    writer = Writer(state, fortune)
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


def enter_kong(state: State, kong: ToldKong) -> tuple[Event, ...]:
    """The events of a hand of which nothing else was recorded, up to the kong and the discard after it.

    EventError where it cannot be.
    """
    writer, seat = Writer(state, None), kong.seat
    writer.until(lambda: writer.has_begun)
    if kong.tile is None:
        writer.until(lambda: writer.drew(seat))
        writer.do(ConcealedKong(seat=seat))
        writer.do(Drawn(seat=seat))
        writer.go_on()
    else:
        meld = Meld((kong.tile,) * 4, kong.kind)
        told = ToldWin(seat, melds=(meld,), claimed_from=kong.discarder)
        _lay_melds(writer, told)
    return tuple(writer.events)


class Writer:
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
        """Let the hand go on until that holds. EventError where it never does."""
        while not holds():
            self._steps -= 1
            if not self._steps:
                raise EventError(messages.NOT_SO)
            self.go_on()

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


def lead_to_win(writer: Writer, told: Sequence[ToldWin], source: Source) -> None:
    """Put down what happened before the win of the first of these, and of the others on the same tile."""
    writer.until(lambda: writer.has_begun)
    winner, flower_wins = told[0], writer.state.house.rules.flower_wins
    if not flower_wins.isdisjoint(winner.situation):
        _lay_last_flower(writer, winner, winner.seat if source is Source.SELF_DRAW else winner.discarder)
        return
    for each in (*told[1:], winner):
        _set_out_flowers(writer, each.seat, each.flowers)
        _lay_melds(writer, each)
    _bring_tile(writer, winner, source)


def _lay_last_flower(writer: Writer, told: ToldWin, layer: int | None) -> None:
    """Put down the winner's flowers but one, all but one where none is told, and the last one, which that
    player lays."""
    own = (told.flowers or FLOWERS)[: len(FLOWERS) - 1]
    last = [flower for flower in FLOWERS if flower not in own]
    if layer is None or len(last) > 1:
        raise EventError(messages.NOT_SO)
    _set_out_flowers(writer, told.seat, own)
    _lay_melds(writer, told)
    writer.until(lambda: writer.drew(layer))
    writer.do(FlowerSetOut(seat=layer, tile=last[0].code))


def _bring_tile(writer: Writer, told: ToldWin, source: Source) -> None:
    """Put down how the winning tile came."""
    seat, giver, house = told.seat, told.discarder, writer.state.house
    if source is Source.SELF_DRAW:
        writer.until(lambda: writer.drew(seat))
        return
    if giver is None or giver == seat:
        raise EventError(messages.NOT_SO)
    if told.tile is None:
        raise EventError(messages.NAME_TILE)
    if source is Source.DISCARD:
        writer.until(lambda: writer.discards(giver))
        writer.do(Discarded(seat=giver, tile=told.tile.code))
        return
    writer.until(lambda: writer.offered_by([each for each in house.seats if each != giver]))
    writer.do(Claimed(seat=giver, meld=f"p{format_tiles((told.tile,) * 3)}"))
    writer.go_on()
    writer.until(lambda: writer.drew(giver))
    writer.do(AddedKong(seat=giver, tile=told.tile.code))


def _list_hidden(writer: Writer, told: ToldWin) -> list[Meld]:
    """The kongs after which a tile was drawn, those on a discard first: what the hand goes on from."""
    laid = writer.hand.players[told.seat].melds
    kongs = [meld for meld in list_new_melds(laid, told.melds) if meld.kind.is_kong]
    for _ in range(sum(each.meld is None for each in laid)):
        hidden = next((meld for meld in kongs if meld.kind is MeldKind.KONG_CONCEALED), None)
        if hidden is not None:
            kongs.remove(hidden)
    return sorted(kongs, key=lambda meld: meld.kind is not MeldKind.KONG_DISCARD)


def _lay_melds(writer: Writer, told: ToldWin) -> None:
    """Put down the claimed chows and pungs, those of kongs too, and then the kongs."""
    new = list_new_melds(writer.hand.players[told.seat].melds, told.melds)
    kongs = _list_hidden(writer, told)
    claimed = [meld for meld in new if not meld.kind.is_kong or meld.kind is MeldKind.KONG_ADDED]
    for number, meld in enumerate(claimed):
        pung = Meld(meld.tiles[:3], MeldKind.PUNG) if meld.kind is MeldKind.KONG_ADDED else meld
        _claim(writer, told, pung, number)
        writer.go_on()
    for meld in kongs:
        _lay_kong(writer, told, meld)
        writer.go_on()


def _claim(writer: Writer, told: ToldWin, meld: Meld, number: int) -> None:
    house, seat = writer.state.house, told.seat
    others = [each for each in house.seats if each != seat]
    givers = sorted(others, key=lambda each: (seat - each) % 4)
    wanted = givers[number % len(givers)] if told.claimed_from is None else told.claimed_from
    from_seats = [wanted]
    if meld.kind is MeldKind.CHOW:
        from_seats = [each for each in others if house.following[each] == seat]
    writer.until(partial(writer.offered_by, from_seats))
    writer.do(Claimed(seat=seat, meld=str(meld)))


def _lay_kong(writer: Writer, told: ToldWin, meld: Meld) -> None:
    """Put the kong down, and draw what replaces its tile."""
    seat, tile = told.seat, meld.tiles[0].code
    if meld.kind is MeldKind.KONG_DISCARD:
        _claim(writer, told, meld, 0)
    else:
        writer.until(lambda: writer.drew(seat))
        added = meld.kind is MeldKind.KONG_ADDED
        writer.do(AddedKong(seat=seat, tile=tile) if added else ConcealedKong(seat=seat, tile=tile))
    writer.do(Drawn(seat=seat))


def _set_out_flowers(writer: Writer, seat: int, flowers: Sequence[Tile]) -> None:
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
