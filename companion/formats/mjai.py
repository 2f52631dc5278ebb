"""A game as lines of mjai, the JSON of programs for riichi, and read back.

The types and fields are those of gimite's mjai protocol; seats are its actors. What mjai cannot say is in the
field `companion`: the event (table/EVENTS.md) that the line stands for. A line of the type `companion` has
nothing else. So a game that was written here is read back exactly, with corrections applied. What follows
from the rules, such as deltas, is compared with the rules.

Source: https://gimite.net/pukiwiki/index.php?Mjai%20%E9%BA%BB%E9%9B%80AI%E5%AF%BE%E6%88%A6%E3%82%B5%E3%83%BC%E3%83%90
and lib/mjai/action.rb of https://github.com/gimite/mjai.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from companion.errors import EventError, quote
from companion.foreign import Undecodable, decode_as, decode_by
from companion.formats import messages
from companion.game.exchange import ImportedGame, import_events, name_line
from companion.game.messages import NOTHING_IMPORTED
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Claimed,
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    Event,
    GameEnded,
    GameStarted,
    HandDrawn,
    HandShown,
    HandStarted,
    Seat,
    Won,
    apply_corrections,
    decode_text,
)
from companion.table.state import State
from companion.tiles import KINDS, Meld, MeldKind, Tile, format_tiles, parse_meld, parse_tiles

VERSION = 1
"""Version of the extensions, which start_game names; it is raised when a line changes its meaning."""
UNSEEN = "?"
HONOURS = dict(zip("ESWNPFC", (tile.code for tile in KINDS if tile.suit == "z"), strict=True))
CODES = {tile.code: tile.code for tile in KINDS if tile.suit != "z"} | HONOURS
"""Codes of this program by those of mjai, which has letters for honours and no flowers."""
PAIS = {code: pai for pai, code in CODES.items()}
WINDS = "ESWN"
Pai = Annotated[str, Meta(pattern="^([1-9][mps]|[ESWNPFC]|[1-8]f)$")]
PaiOrUnseen = Annotated[str, Meta(pattern=r"^([1-9][mps]|[ESWNPFC]|[1-8]f|\?)$")]
Hand = tuple[PaiOrUnseen, ...]
Number = Annotated[int, Meta(ge=-(2**53), le=2**53)]
Numbers = tuple[Number, Number, Number, Number]
EXHAUSTED = "fanpai"
"""What mjai calls a hand that ends because the wall is used up."""


class _Line(
    Struct,
    frozen=True,
    kw_only=True,
    tag_field="type",
    tag=lambda name: "".join(f"_{c.lower()}" if c.isupper() else c for c in name)[1:],
):
    """A line. Fields that may be left out are UNSET; fields of other programs are skipped."""


class StartGame(_Line, frozen=True, kw_only=True):
    names: tuple[str, ...] | UnsetType = UNSET
    companion: GameStarted | UnsetType = UNSET
    companion_version: int | UnsetType = UNSET


class StartKyoku(_Line, frozen=True, kw_only=True):
    """honba: how often the dealer has dealt in a row before. kyotaku, dora_marker: mjai demands them."""

    bakaze: Literal["E", "S", "W", "N"] | UnsetType = UNSET
    kyoku: Number | UnsetType = UNSET
    honba: Number | UnsetType = UNSET
    kyotaku: Literal[0] = 0
    oya: Seat
    dora_marker: Literal["?"] = "?"
    scores: Numbers | UnsetType = UNSET
    tehais: tuple[Hand, Hand, Hand, Hand]
    companion: HandStarted | UnsetType = UNSET


class Tsumo(_Line, frozen=True, kw_only=True):
    actor: Seat
    pai: PaiOrUnseen


class Dahai(_Line, frozen=True, kw_only=True):
    actor: Seat
    pai: PaiOrUnseen
    tsumogiri: bool | UnsetType = UNSET


class _Claim(_Line, frozen=True, kw_only=True):
    actor: Seat
    target: Seat | UnsetType = UNSET
    pai: Pai
    consumed: tuple[Pai, ...]


class Chi(_Claim, frozen=True, kw_only=True):
    pass


class Pon(_Claim, frozen=True, kw_only=True):
    pass


class Daiminkan(_Claim, frozen=True, kw_only=True):
    pass


class Ankan(_Line, frozen=True, kw_only=True):
    actor: Seat
    consumed: tuple[PaiOrUnseen, PaiOrUnseen, PaiOrUnseen, PaiOrUnseen]


class Kakan(_Line, frozen=True, kw_only=True):
    actor: Seat
    pai: Pai
    consumed: tuple[Pai, ...] | UnsetType = UNSET


class Hora(_Line, frozen=True, kw_only=True):
    """target: the winner for a self-draw. hora_tehais: the concealed tiles without the winning one. yakus:
    ids of the rows with their value. deltas, scores: by seat."""

    actor: Seat
    target: Seat | UnsetType = UNSET
    pai: PaiOrUnseen | UnsetType = UNSET
    hora_tehais: Hand | UnsetType = UNSET
    yakus: tuple[tuple[str, Number], ...] | UnsetType = UNSET
    deltas: Numbers | UnsetType = UNSET
    scores: Numbers | UnsetType = UNSET
    companion: Won | UnsetType = UNSET


class Ryukyoku(_Line, frozen=True, kw_only=True):
    reason: str | UnsetType = UNSET
    deltas: Numbers | UnsetType = UNSET
    scores: Numbers | UnsetType = UNSET
    companion: HandDrawn | UnsetType = UNSET


class EndKyoku(_Line, frozen=True, kw_only=True):
    pass


class EndGame(_Line, frozen=True, kw_only=True):
    """companion: where people ended the game; by the rules it ends without an event."""

    companion: GameEnded | UnsetType = UNSET


class Companion(_Line, frozen=True, kw_only=True):
    """An event that mjai has no type for."""

    companion: Event


Line = (
    StartGame | StartKyoku | Tsumo | Dahai | Chi | Pon | Daiminkan | Ankan | Kakan | Hora | Ryukyoku
    | EndKyoku | EndGame | Companion
)  # fmt: skip
CLAIMS: dict[MeldKind, type[Chi | Pon | Daiminkan]] = {
    MeldKind.CHOW: Chi, MeldKind.PUNG: Pon, MeldKind.KONG_DISCARD: Daiminkan,
}  # fmt: skip
MELDS: dict[type[Line], MeldKind] = {line: kind for kind, line in CLAIMS.items()}
_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def encode_mjai(events: Iterable[Event]) -> Iterator[bytes]:
    """The lines of a game, each with its end. EventError if the events cannot have happened."""
    for line in make_lines(events):
        yield msgspec.json.encode(line) + b"\n"


def make_lines(events: Iterable[Event]) -> Iterator[Line]:
    """The lines of a game, as values; corrections are applied first."""
    log = apply_corrections(events)
    state: State | None = None
    ended = unfinished = False
    dealing: tuple[State, HandStarted] | None = None
    for event, following in zip_longest(log, log[1:]):
        before, state = state, apply(state, event)
        if before is None:
            yield _begin(event)
            continue
        if unfinished and not before.playing and not isinstance(event, Won | HandShown):
            unfinished = False
            yield EndKyoku()
        match event:
            case HandStarted() if isinstance(following, Dealt):
                dealing = (state, event)
            case Dealt() if dealing is not None:
                yield from _deal(*dealing, event)
                dealing = None
            case GameEnded():
                ended = True
                yield EndGame(companion=event)
            case _:
                yield _describe(before, event, state)
        unfinished = unfinished or state.playing
    if state is not None and unfinished and not state.playing:
        yield EndKyoku()
    if state is not None and state.over and not ended:
        yield EndGame()


def _begin(event: Event) -> StartGame:
    assert isinstance(event, GameStarted)
    return StartGame(names=event.names, companion=event, companion_version=VERSION)


def _deal(state: State, start: HandStarted, dealt: Dealt) -> tuple[StartKyoku, Tsumo]:
    """The deal without the dealer's last tile, and the dealer's draw of it."""
    deal, dealer, size = state.deal, start.dealer, state.house.rules.hand_size
    unseen = [(UNSEEN,) * size if seat in state.house.seats else () for seat in range(4)]
    hands = [
        unseen[seat] if tiles is None else _write_tiles(parse_tiles(tiles))
        for seat, tiles in enumerate(dealt.hands)
    ]
    last = UNSEEN
    if dealt.hands[dealer]:
        *rest, last = hands[dealer]
        hands[dealer] = tuple(rest)
    a, b, c, d = hands
    kyoku = StartKyoku(
        bakaze=WINDS[deal.wind % len(WINDS)],  # type: ignore[arg-type]
        kyoku=len(deal.dealt) + 1,
        honba=deal.streak - state.house.rules.streak_default,
        oya=dealer,
        scores=state.balances,
        tehais=(a, b, c, d),
        companion=start,
    )
    return kyoku, Tsumo(actor=dealer, pai=last)


def _describe(before: State, event: Event, after: State) -> Line:
    """The line of any other event."""
    hand = before.hand
    offer = None if hand is None else hand.offer
    match event:
        case Drawn():
            return Tsumo(actor=event.seat, pai=_write_code(event.tile))
        case Discarded():
            drawn = hand.drawn if hand is not None and hand.drew else None
            is_drawn = drawn is not None and drawn.code == event.tile
            return Dahai(actor=event.seat, pai=_write_code(event.tile), tsumogiri=is_drawn)
        case Claimed() if offer is not None and offer.tile is not None:
            meld = parse_meld(event.meld)
            rest = list(meld.tiles)
            if offer.tile in rest:
                rest.remove(offer.tile)
                return CLAIMS[meld.kind](
                    actor=event.seat,
                    target=offer.seat,
                    pai=PAIS[offer.tile.code],
                    consumed=_write_tiles(rest),
                )
        case ConcealedKong():
            a, b, c, d = [_write_code(event.tile)] * 4
            return Ankan(actor=event.seat, consumed=(a, b, c, d))
        case AddedKong():
            pai = PAIS[event.tile]
            return Kakan(actor=event.seat, pai=pai, consumed=(pai,) * 3)
        case Won():
            return _describe_win(before, event, after)
        case HandDrawn():
            reason = EXHAUSTED if event.declined_by is None else UNSET
            return Ryukyoku(
                reason=reason, deltas=_subtract(before, after), scores=after.balances, companion=event
            )
    return Companion(companion=event)


def _describe_win(before: State, event: Won, after: State) -> Hora:
    assert after.hand is not None
    result = next(each for each in after.hand.results if each.winner == event.seat)
    concealed = sorted(after.hand.players[event.seat].concealed)
    if result.tile in concealed:
        concealed.remove(result.tile)
    return Hora(
        actor=event.seat,
        target=event.seat if result.discarder is None else result.discarder,
        pai=_write_code(None if result.tile is None else result.tile.code),
        hora_tehais=() if result.stated else _write_tiles(concealed),
        yakus=tuple((line.id, line.value) for line in result.score.lines),
        deltas=_subtract(before, after),
        scores=after.balances,
        companion=event,
    )


def _subtract(before: State, after: State) -> Numbers:
    """What each seat got by an event."""
    a, b, c, d = (after.points[person] - before.points[person] for person in after.seated)
    return a, b, c, d


def _write_code(code: str | None) -> str:
    return UNSEEN if code is None else PAIS[code]


def _write_tiles(tiles: Iterable[Tile]) -> tuple[str, ...]:
    return tuple(PAIS[tile.code] for tile in tiles)


class AnyLine(Struct, frozen=True):
    """A line of any mjai log."""

    type: str


def is_mjai(line: bytes) -> bool:
    """Whether the first line of a file says that it is mjai."""
    try:
        decode_as(line, AnyLine)
    except Undecodable:
        return False
    return True


def read_mjai(lines: Iterable[bytes]) -> ImportedGame:
    """The game in such lines. InputError as in `decode_mjai`, and if there is none."""
    return import_events(event for _, event in decode_mjai(lines))


def decode_mjai(lines: Iterable[bytes]) -> Iterator[tuple[int, Event]]:
    """The events of such lines, each with the number of its line; blank lines are skipped.

    InputError, which names the line, where it is not as this program writes it, or not as the rules have it.
    """
    state: State | None = None
    dealing: tuple[StartKyoku, HandStarted] | None = None
    for number, each in enumerate(lines, start=1):
        with name_line(number, NOTHING_IMPORTED):
            text = decode_text(each)
            if not text:
                continue
            line = _decode_line(text)
            event = _read_event(line, state) if dealing is None else _read_deal(dealing[0], line)
            if event is None:
                continue
            before, state = state, apply(state, event)
            if dealing is not None and before is not None and isinstance(event, Dealt):
                kyoku, draw = _deal(before, dealing[1], event)
                _compare(dealing[0], kyoku)
                _compare(line, draw)
                dealing = None
            elif isinstance(line, StartKyoku) and isinstance(event, HandStarted):
                dealing = line, event
            elif before is None:
                _compare(line, _begin(event))
            else:
                _compare(line, _describe(before, event, state))
        yield number, event
    if dealing is not None:
        with name_line(number, NOTHING_IMPORTED):
            raise EventError(messages.NO_DEAL, seat=dealing[0].oya)


def _decode_line(text: str) -> Line:
    try:
        return decode_by(_decoder.decode, text)
    except Undecodable as problem:
        raise EventError(messages.NO_MJAI, line=quote(text), problem=problem.why) from None


def _read_event(line: Line, state: State | None) -> Event | None:
    """The event of a line; None for the end of a hand, or of a game that the rules end."""
    if isinstance(line, StartGame) != (state is None):
        raise EventError(messages.OTHER_START if state else messages.NO_START)
    match line:
        case StartGame():
            if line.companion is UNSET:
                raise EventError(messages.NO_START)
            if line.companion_version is not UNSET and line.companion_version > VERSION:
                raise EventError(messages.NEWER_MJAI, given=line.companion_version, known=VERSION)
            return line.companion
        case EndKyoku() | EndGame(companion=msgspec.UNSET):
            return None
        case StartKyoku(companion=msgspec.UNSET):
            return HandStarted(dealer=line.oya)
        case Hora(companion=msgspec.UNSET):
            return Won(seat=line.actor)
        case Ryukyoku(companion=msgspec.UNSET):
            return HandDrawn()
        case Tsumo():
            return Drawn(seat=line.actor, tile=_read_pai(line.pai))
        case Dahai():
            return Discarded(seat=line.actor, tile=_read_pai(line.pai))
        case Chi() | Pon() | Daiminkan():
            tiles = tuple(Tile.parse(CODES[pai]) for pai in (line.pai, *line.consumed))
            return Claimed(seat=line.actor, meld=str(Meld(kind=MELDS[type(line)], tiles=tiles)))
        case Ankan():
            return ConcealedKong(seat=line.actor, tile=_read_pai(line.consumed[0]))
        case Kakan():
            return AddedKong(seat=line.actor, tile=CODES[line.pai])
    companion = line.companion
    return None if companion is UNSET else companion


def _read_deal(kyoku: StartKyoku, line: Line) -> Dealt:
    """The deal of a start_kyoku and of the line after it, the dealer's draw."""
    if not isinstance(line, Tsumo) or line.actor != kyoku.oya:
        raise EventError(messages.NO_DEAL, seat=kyoku.oya)
    hands = list(kyoku.tehais)
    hands[kyoku.oya] += (line.pai,)
    a, b, c, d = map(_read_hand, hands)
    return Dealt(hands=(a, b, c, d))


def _read_hand(pais: Sequence[str]) -> str | None:
    """The tiles of a hand in notation; None for one that nobody saw."""
    if set(pais) <= {UNSEEN}:
        return None
    if UNSEEN in pais:
        raise EventError(messages.PARTLY_SEEN)
    return format_tiles(Tile.parse(CODES[pai]) for pai in pais)


def _read_pai(pai: str) -> str | None:
    return None if pai == UNSEEN else CODES[pai]


def _compare(given: Line, right: Line) -> None:
    """Refuse a line in which a field is different from what follows from the rules."""
    if type(given) is not type(right):
        return
    for field in given.__struct_fields__:
        is_given, is_right = getattr(given, field), getattr(right, field)
        if is_given is not UNSET and is_given != is_right:
            raise EventError(
                messages.OTHER_FIELD,
                field=field,
                given=quote(msgspec.to_builtins(is_given)),
                right=quote(msgspec.to_builtins(is_right)),
            )
