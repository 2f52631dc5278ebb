"""What is said beside a practice table. No Kivy."""

from __future__ import annotations

from companion.app.practice.state import Practice
from companion.app.text import list_names
from companion.live.practice_hand import PersonMoves, Stage
from companion.sentences import msgid
from companion.table.claims import CALLS
from companion.table.events import AddedKong, Call, Claimed, ConcealedKong
from companion.table.state import Phase, State
from companion.tiles import Tile, parse_meld
from companion.words import Words

CALL_WORDS = {Call.CHOW: msgid("Chow"), Call.PUNG: msgid("Pung"), Call.KONG: msgid("Kong")}


def describe_stage(state: Practice, words: Words) -> str:
    """What the table waits for, or who plays; empty where how the hand ended is shown."""
    table = state.table
    if table is None:
        return words("Opening the game …")
    game = table.progress.state
    if table.stage is Stage.HALTED:
        return words("A move of another player was taken back: touch to let it be played again.")
    if table.stage is Stage.OVER:
        return words("The game is over.")
    if table.stage is Stage.BETWEEN:
        return "" if game.hands else words("The walls stand. Throw the dice!")
    if table.asked is not None:
        return _describe_asked(table.asked, game, words)
    if state.paused:
        return words("The table waits: touch Go on.")
    assert game.hand is not None
    if game.hand.phase in (Phase.DEAL, Phase.INDICATOR):
        return words("The tiles are dealt …")
    return words("To play: {who} …", who=words(list_names(game)[game.hand.turn]))


def _describe_asked(asked: PersonMoves, game: State, words: Words) -> str:
    hand = game.hand
    assert hand is not None
    offer = hand.offer if hand.offer is not None and hand.offer.seat != asked.seat else None
    if asked.wins:
        return words("With this tile your hand wins!")
    if asked.discards:
        is_ready = bool(hand.players[asked.seat].ready)
        if len(asked.discards) == 1 and is_ready:
            return words("You are ready: what you draw, you discard.")
        return words("Your turn: touch the tile that you discard.")
    if asked.leave is not None:
        return words("One tile is left in the wall: draw it, or leave it there?")
    giver = "" if offer is None else words(list_names(game)[offer.seat])
    return words("{who} discarded a tile that you can take.", who=giver)


def name_claim(event: Claimed, words: Words) -> tuple[str, list[str]]:
    """What it is called, and its tiles."""
    meld = parse_meld(event.meld)
    return words(CALL_WORDS[CALLS[meld.kind]]), [tile.code for tile in meld.tiles]


def name_kong(event: ConcealedKong | AddedKong, words: Words) -> tuple[str, list[str]]:
    """What it is called, and its tiles."""
    said = words("Kong") if isinstance(event, ConcealedKong) else words("Add to the pung")
    code = event.tile or ""
    return said, [code] * (4 if isinstance(event, ConcealedKong) else 1)


def sort_hand(game: State, seat: int) -> tuple[list[str], str | None]:
    """The codes of the person's tiles in order, the Fortune first, but the one drawn last; and that one."""
    hand = game.hand
    if hand is None:
        return [], None
    tiles = list(hand.players[seat].concealed)
    drawn = hand.drawn if hand.drew and hand.turn == seat and hand.drawn in tiles else None
    if drawn is not None:
        tiles.remove(drawn)
    return [tile.code for tile in _sort(tiles, hand.fortune)], drawn.code if drawn else None


def _sort(tiles: list[Tile], fortune: Tile | None) -> list[Tile]:
    return sorted(tiles, key=lambda tile: (tile is not fortune, tile.index))
