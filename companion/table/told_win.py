"""Wins as people tell them, made into events: what the game does not know is filled in.

Of a hand that was followed only the wins are entered. Of one of which nothing was recorded, what must have
happened before is made up (untold.py), and its circumstances are those that people say. Pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from companion.errors import EventError
from companion.rules import Score, Source, score
from companion.rules.win import ScoreRequest
from companion.table import messages
from companion.table.apply import apply
from companion.table.events import Circumstances, Event, Won
from companion.table.moves import read_tile
from companion.table.possible import find_own_draw
from companion.table.state import HandState, Laid, Phase, Player, State, changed
from companion.table.untold import ToldWin, Writer, is_untold, lead_to_win, list_new_melds
from companion.table.wins import Chance, find_chance, list_known_melds, make_request
from companion.tiles import Meld, MeldKind, Suit, Tile, format_tiles, parse_meld

KONG_TILES = 4


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
    if state.hand is None or is_untold(state):
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


def enter_win(state: State, told: ToldWin) -> EnteredWin:
    """The win as it is booked. EventError says why it is none, or cannot have come about so."""
    return enter_wins(state, (told,))[0]


def enter_wins(state: State, told: Sequence[ToldWin]) -> tuple[EnteredWin, ...]:
    """The wins of one hand, each with its events after those before it. All but the first are on the tile of
    the first. EventError says why one is none, or cannot have come about so."""
    first = told[0]
    for known in list_known_chances(state, first.seat):
        if first.source in (None, known.chance.source):
            return _win_all(known.before, known.draws, told, untold=False)
    if state.hand is not None and state.hand.phase is Phase.OVER and state.hand.offer is not None:
        state = _settle(state)
    writer = Writer(state, first.fortune)
    lead_to_win(writer, told, first.source or Source.SELF_DRAW)
    return _win_all(writer.state, tuple(writer.events), told, untold=is_untold(state))


def _settle(state: State) -> State:
    """The state in which the last hand's last tile is won on no more."""
    assert state.hand is not None
    return changed(state, hand=changed(state.hand, offer=None))


def _win_all(
    before: State, events: tuple[Event, ...], told: Sequence[ToldWin], *, untold: bool
) -> tuple[EnteredWin, ...]:
    """The wins in the state `before`, to which `events` led; `untold` where these are made up."""
    entered: list[EnteredWin] = []
    for each in told:
        assert before.hand is not None
        chance = find_chance(before, before.hand, each.seat)
        event = _make_won(before, before.hand, chance, each)
        if untold:
            event = changed(event, told=_tell_circumstances(each, told[0].discards))
        entered.append(_win_on(before, (*events, event), chance))
        before, events = entered[-1].after, ()
    return tuple(entered)


def _tell_circumstances(told: ToldWin, discards: int | None) -> Circumstances:
    return Circumstances(
        situation=tuple(sorted(told.situation)),
        discards=discards,
        gambits=told.gambits,
        consecutive_kongs=told.kongs_in_row,
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
        before, hand, changed(chance, tile=tile), concealed, list_known_melds(player), won.told
    )
    return EnteredWin(events, after, result.score, request)


def _make_won(state: State, hand: HandState, chance: Chance, told: ToldWin) -> Won:
    """The event, with what the game does not know of the winner's tiles."""
    player = hand.players[told.seat]
    if chance.by_flowers or not told.tiles:
        return Won(seat=told.seat)
    count = player.count + (chance.source is not Source.SELF_DRAW)
    kongs = _find_kongs(told, player, count)
    shown = _take_melds_out(told, player.melds, kongs, count)
    flowers = Suit.FLOWERS if state.house.flowers else None
    shown = [tile for tile in shown if tile.suit is not flowers]
    for tile in shown:
        read_tile(state.house, tile.code)
    named = told.tile.code if chance.tile is None and told.tile in shown and told.tile else None
    return Won(seat=told.seat, hand=format_tiles(shown), tile=named, kongs=kongs)


def count_unseen_kongs(player: Player) -> int:
    """How many concealed kongs the player has of which nobody said what they are."""
    return sum(laid.meld is None for laid in player.melds)


def _find_kongs(told: ToldWin, player: Player, count: int) -> tuple[str, ...]:
    """The concealed kongs that nobody had seen: those that are told, or else the four equal tiles among all
    that are shown, `count` of which are in the hand. EventError where they are not there."""
    unseen = count_unseen_kongs(player)
    new = list_new_melds(player.melds, told.melds)
    kongs = tuple(str(meld) for meld in new if meld.kind is MeldKind.KONG_CONCEALED)[:unseen]
    if len(kongs) == unseen:
        return kongs
    right = count + KONG_TILES * unseen
    shown = _take_melds_out(told, player.melds, (), right)
    if len(shown) != right:
        raise EventError(messages.SHOW_THE_KONG, seat=told.seat, given=len(shown), right=right)
    named = [parse_meld(kong).tiles[0] for kong in kongs]
    fours = [tile for tile, n in Counter(shown).items() if n == KONG_TILES and tile not in named]
    if len(fours) != unseen - len(kongs):
        raise EventError(messages.WHICH_HIDDEN_KONG, seat=told.seat)
    return (*kongs, *(str(Meld((tile,) * KONG_TILES, MeldKind.KONG_CONCEALED)) for tile in fours))


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
