"""Which position of the game that is played the coach can be asked about, and what is missing. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.coach.effects import AskTable
from companion.coach import messages
from companion.coach.declared import DeclaredHand, follow_hand, place_hand
from companion.coach.results import Level
from companion.errors import InputError
from companion.game.deciding import Progress
from companion.sentences import Sentence
from companion.table.events import number_corrected
from companion.table.state import Phase, State

NO_HAND = Sentence("No hand is in play.")
BEFORE_PLAY = (Phase.DEAL, Phase.INDICATOR)


@dataclass(frozen=True, slots=True)
class Position:
    """question: None where nothing can be asked, and then trouble says why, or `wants_hand` that a person has
    to say what the seat holds. unnamed: the event that drew the tile that is to be named next."""

    seat: int | None = None
    question: AskTable | None = None
    trouble: Sentence | None = None
    unnamed: int | None = None
    wants_hand: bool = False


def find_position(
    progress: Progress | None, told: tuple[DeclaredHand, ...], seat: int | None, level: Level
) -> Position:
    """The position of that seat, or of the one whose tiles are known. told: hands that people told."""
    state = progress.state if progress else None
    hand = state.hand if state else None
    if progress is None or state is None or hand is None or not state.playing or hand.phase in BEFORE_PLAY:
        return Position(seat, trouble=NO_HAND)
    chosen = choose_seat(state, told, seat)
    if level is Level.LEFT:
        viewer = state.house.seats[0] if chosen is None else chosen
        return Position(chosen, AskTable(_place_told(progress, state, told, viewer), viewer, level))
    if chosen is None:
        return Position(wants_hand=True)
    if not hand.players[chosen].hidden:
        return Position(chosen, AskTable(state, chosen, level))
    own = next((each for each in reversed(told) if each.seat == chosen), None)
    held = None if own is None else follow_hand(own, number_corrected(progress.events))
    if held is None:
        return Position(chosen, wants_hand=True)
    if held.lost:
        return Position(chosen, trouble=Sentence(messages.LOST_HAND), wants_hand=True)
    try:
        placed = place_hand(state, chosen, held.tiles, held.unknown)
    except InputError as error:
        return Position(chosen, trouble=error.sentence, wants_hand=True)
    return Position(chosen, AskTable(placed, chosen, level), unnamed=held.unnamed)


def _place_told(progress: Progress, state: State, told: tuple[DeclaredHand, ...], seat: int) -> State:
    """The state with what was told of that seat, as far as it can be so."""
    own = next((each for each in reversed(told) if each.seat == seat), None)
    held = None if own is None else follow_hand(own, number_corrected(progress.events))
    if held is None or held.lost:
        return state
    try:
        return place_hand(state, seat, held.tiles, held.unknown)
    except InputError:
        return state


def choose_seat(state: State, told: tuple[DeclaredHand, ...], seat: int | None) -> int | None:
    """The seat that a person chose; else the one whose hand was told, else one whose tiles the game knows."""
    if seat is not None:
        return seat
    if told:
        return told[-1].seat
    assert state.hand is not None
    known = [each for each in state.house.seats if not state.hand.players[each].hidden]
    if state.hand.turn in known:
        return state.hand.turn
    return known[0] if known else None
