"""Shown hands that the camera sees badly: the rules narrow down their tiles."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from msgspec.structs import replace as changed

from companion.coach.play.simulation import PlayedHand, play
from companion.following.decoder import Decoder
from companion.following.endings import GAP_COST, find_shown, list_hands
from companion.following.notices import Asked, Notice, Stated
from companion.following.quarters import Quarters
from companion.following.scene import Reaches, Scene
from companion.following.tracks import Face, Track
from companion.table.apply import fold
from companion.table.events import (
    ConcealedKong,
    Dealt,
    Discarded,
    Drawn,
    GameStarted,
    HandStarted,
    Won,
    number_corrected,
)
from companion.table.knowledge import event_as_seen
from companion.table.moves import TILES
from companion.table.state import State
from companion.tiles import UNKNOWN, Tile
from lab.bench.followed_films import reduce_event
from lab.bench.laid_hands import CLEAR, Customs, lay_hand, make_sights

HAND = ("2m", "3m", "4m", "6m", "7m", "8m", "3p", "4p", "5p", "5s", "5s", "7s", "8s", "9s")
"""Sorted, as most people lay it."""
SHOWN_MIN = 10


def deal(rules: str = "hebei") -> State:
    state = fold([GameStarted(rules=rules), HandStarted(dealer=0), Dealt()])
    assert state is not None
    return state


def read(code: str | None, second: str = "", p: float = 0.998) -> Face | None:
    return None if code is None else Face(((code, p), *(((second, 1 - p),) if second else ())))


def list_codes(faces: Sequence[Face | None], loose: int = 0) -> list[tuple[str, ...]]:
    """The hands that seat 0 may show, the likeliest first."""
    state = deal()
    assert state.hand is not None
    return [each.codes for each in list_hands(state, state.hand.players[0], faces, loose)]


def test_a_hand_that_reads_as_a_winning_one_is_that_one() -> None:
    assert list_codes([read(code) for code in HAND])[0] == HAND


@pytest.mark.parametrize("hidden", [{1}, {3, 9}, {4, 7, 12}])
def test_tiles_that_were_not_read_are_what_completes_the_hand_in_order(hidden: set[int]) -> None:
    faces = [read(None if at in hidden else code) for at, code in enumerate(HAND)]
    assert list_codes(faces)[0] == HAND


def test_a_tile_of_no_known_place_completes_the_hand() -> None:
    found = list_codes([read(code) for code in HAND if code != "4m"], loose=1)
    assert {codes[-1] for codes in found[:2]} == {"1m", "4m"}


def test_a_tile_that_spoils_the_hand_is_the_other_kind_that_it_may_be() -> None:
    faces = [read("9p", "6m", 0.8) if code == "6m" else read(code) for code in HAND]
    assert list_codes(faces)[0] == HAND


def test_of_two_hands_that_win_the_one_in_order_is_likelier() -> None:
    """6m 7m 8m reads as 6m 7m 5m, which wins too, but people sort their tiles."""
    faces = [read("5m", "8m", 0.7) if code == "8m" else read(code) for code in HAND]
    assert list_codes(faces)[0] == HAND


def test_a_kind_of_which_no_copy_is_left_is_not_guessed() -> None:
    state = deal()
    assert state.hand is not None
    known = bytearray(state.hand.known)
    known[TILES["4m"].index] = 4
    hand = changed(state.hand, known=bytes(known))
    state = changed(state, hand=hand)
    faces = [read(None if code == "4m" else code) for code in HAND]
    assert all(each.codes[2] != "4m" for each in list_hands(state, hand.players[0], faces))


def test_the_tile_on_offer_may_be_the_last_copy_that_makes_the_hand() -> None:
    """Two lie in the rivers, one of them on offer, and two are in the hand."""
    discards = (Discarded(seat=0, tile="9s"), Drawn(seat=1), Discarded(seat=1, tile="9s"))
    state = fold([GameStarted(rules="hebei"), HandStarted(dealer=0), Dealt(), *discards])
    assert state is not None
    assert state.hand is not None
    won = (*HAND[:11], "9s", "9s", "9s")
    faces, player = [read(code) for code in won], state.hand.players[0]
    assert next(each.codes for each in list_hands(state, player, faces, offered="9s")) == won
    assert all(each.codes != won for each in list_hands(state, player, faces))


@pytest.mark.parametrize("hidden", [1, 6, 11])
def test_a_tile_that_was_not_found_lies_in_the_gap(hidden: int) -> None:
    """The tile drawn last lies apart from the others at the right."""
    places = [-170.0 + 26.5 * at for at in range(13)] + [190.0]
    tracks = [
        Track(at, u, -345.0, 0.0, Face(((code, 0.998),)), False, 1.0, 9.0, 0.5)
        for at, (u, code) in enumerate(zip(places, HAND, strict=True))
        if at != hidden
    ]
    state = deal()
    assert state.hand is not None
    scene = Scene.of(9.0, {each.number: each for each in tracks}, tracks, [], Quarters(), Reaches())
    found = [each for each in find_shown(scene, state.hand, 0, tracks) if each.has_winning_tile]
    shown = min(found, key=lambda each: each.cost)
    assert [None if each is None else each.number for each in shown.row] == [
        None if at == hidden else at for at in range(14)
    ]
    assert all(each.cost >= shown.cost + GAP_COST for each in found if each.row != shown.row)


def test_a_hand_that_cannot_win_has_no_name() -> None:
    state = deal()
    assert state.hand is not None
    orphan = [read(code) for code in ("1z", "2z", "3z", "4z", *HAND[4:])]
    assert list_hands(state, state.hand.players[0], orphan) == []


def test_a_hidden_kong_is_not_of_a_kind_that_the_hand_has() -> None:
    state = deal("hefei")
    assert state.hand is not None
    codes = ("2m", "2m", "2m", "6m", "7m", "8m", "5s", "5s", "3m", "4m", "5m")
    for kongs, is_possible in ((("5p",), True), (("5m",), False), (("5p", "5p"), False)):
        named = list_hands(state, state.hand.players[0], [read(code) for code in codes], kongs=kongs)
        assert any(each.codes == codes for each in named) == is_possible, kongs


def test_no_hand_of_five_tiles_of_a_kind_is_tried() -> None:
    state = deal("hefei")
    assert state.hand is not None
    faces = [read(code) for code in ("2m", "2m", "2m", "3m", "6m", "7m", "8m", "5s", "5s", None, None)]
    named = list_hands(state, state.hand.players[0], faces, kongs=("5p",))
    assert named
    assert all(each.codes.count("2m") <= 4 for each in named)


Spoiled = dict[int, str | float | None]


def find_win(rules: str, seed: int) -> PlayedHand:
    """The first hand of some game that somebody wins with at least ten concealed tiles."""
    hands = play(GameStarted(rules=rules), 40, random.Random(seed))
    return next(each for each in hands if len(find_shown_tiles(each)) >= SHOWN_MIN)


def find_shown_tiles(played: PlayedHand) -> tuple[Tile, ...]:
    """The tiles that the winner shows; none where nobody wins."""
    hand = played.after.hand
    assert hand is not None
    return hand.players[hand.results[-1].winner].concealed if hand.results else ()


CUSTOMS = Customs(untidy=1.0, quick=0.0)


def follow(
    played: PlayedHand, spoil: Spoiled, seed: int, customs: Customs = CUSTOMS
) -> tuple[Decoder, list[Notice]]:
    """Follow the hand, the winner's tiles of these places, from the left, being seen so: as another kind,
    or as none, only after so many seconds, or never."""
    rng = random.Random(seed)
    laid = lay_hand(played, customs, rng, 0.0)
    last_s = max(each.since for each in laid.lying)
    row = [each for each in laid.lying if each.since == last_s]
    for at, how in spoil.items():
        if how is None:
            laid.lying.remove(row[at])
        elif isinstance(how, str):
            row[at].code = how
        else:
            row[at].since += how
    decoder, notices = Decoder([played.start]), list[Notice]()
    for sight in make_sights(laid, CLEAR, rng, 0.0, 0):
        notices += decoder.follow(sight)
    return decoder, notices


def true_win(played: PlayedHand) -> Won:
    states = [played.before, *(step.state for step in played.steps)]
    at = next(i for i, step in enumerate(played.steps) if isinstance(step.event, Won))
    won = reduce_event(event_as_seen(states[at], played.steps[at].event, None))
    assert isinstance(won, Won)
    return won


def list_wins(decoder: Decoder) -> list[Won]:
    events = [reduce_event(event) for _, event in number_corrected(decoder.log)]
    return [event for event in events if isinstance(event, Won)]


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "seed"),
    [("hefei", 24), ("hebei", 23), ("hebei", 36), ("taiwanese", 6), ("hong_kong", 14), ("hong_kong", 28)],
)
def test_a_hidden_kong_that_its_winner_turns_up_is_the_one_that_was_laid_down(rules: str, seed: int) -> None:
    """Turned up, its tiles lie some millimetres from where they lay face down."""
    played = find_kong_win(rules, seed)
    decoder, _ = follow(played, {}, seed, replace(CUSTOMS, faces_up=0))
    assert list_wins(decoder) == [true_win(played)]
    kongs = [event for _, event in number_corrected(decoder.log) if isinstance(event, ConcealedKong)]
    assert [kong.seat for kong in kongs] == [played.after.hand.results[0].winner]  # type: ignore[union-attr]


def find_kong_win(rules: str, seed: int) -> PlayedHand:
    """The first hand of some game whose winner has declared a concealed kong, and nobody else."""
    for played in play(GameStarted(rules=rules), 40, random.Random(seed)):
        hand = played.after.hand
        kongs = [step.event.seat for step in played.steps if isinstance(step.event, ConcealedKong)]
        if hand is not None and hand.results and kongs == [hand.results[0].winner]:
            return played
    raise AssertionError(f"seed {seed} has no such hand of {rules}")


SPOILED: tuple[Spoiled, ...] = ({2: UNKNOWN, 5: UNKNOWN}, {1: None, 4: 4.0})


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("rules", ["hebei", "hong_kong"])
def test_a_win_is_stated_though_tiles_of_the_hand_are_unread_or_found_late_or_never(rules: str) -> None:
    played = find_win(rules, 2)
    for seed, spoil in enumerate(SPOILED):
        decoder, _ = follow(played, spoil, seed)
        assert [each.seat for each in list_wins(decoder)] == [true_win(played).seat]


@pytest.mark.slow
def test_a_tile_that_is_found_late_puts_the_hand_right() -> None:
    played = find_win("hebei", 2)
    decoder, _ = follow(played, {1: 4.0}, 1)
    assert list_wins(decoder) == [true_win(played)]


@pytest.mark.slow
def test_a_person_is_asked_once_what_a_doubtful_hand_holds() -> None:
    played = find_win("hebei", 2)
    _, notices = follow(played, {2: UNKNOWN, 5: None, 6: None}, 1)
    (asked,) = [each for each in notices if isinstance(each, Asked)]
    (won,) = [each for each in notices if isinstance(each, Stated) and isinstance(each.event, Won)]
    assert (asked.number, asked.about, won.certain) == (won.number, "won", False)
    assert isinstance(won.event, Won)
    assert asked.choices[0] == won.event.hand
    assert 0.05 < won.p < 0.9


@pytest.mark.slow
def test_a_recording_that_ends_right_after_the_win_has_it_though_a_discard_was_never_seen() -> None:
    """What is doubtful waits for seconds, which the recording does not have."""
    played = find_win("hebei", 2)
    rng = random.Random(1)
    laid = lay_hand(played, Customs(untidy=1.0, quick=0.0), rng, 0.0)
    last_s = max(each.since for each in laid.lying)
    unseen = max((each for each in laid.lying if each.since < last_s), key=lambda each: each.since)
    laid.lying.remove(unseen)
    decoder = Decoder([played.start])
    for sight in make_sights(laid, CLEAR, rng, 0.0, 0):
        if sight.t <= last_s + 1.2:
            decoder.follow(sight)
    assert list_wins(decoder) == []
    decoder.finish()
    assert [each.hand for each in list_wins(decoder)] == [true_win(played).hand]
