"""What is seen and left, against the simulator's truth in every state of simulated hands."""

import random

import pytest

from companion.coach.described import describe_position
from companion.coach.play.simulation import play
from companion.coach.seen import count_left, is_least, name_left, observe
from companion.errors import RequestError
from companion.rules import RULE_SETS
from companion.table.events import GameStarted
from companion.table.state import State
from companion.tiles import MeldKind


def count_truly(state: State, seat: int) -> list[int]:
    """How many tiles of each kind the seat sees, from all tiles of a state of which everything is known."""
    hand = state.hand
    assert hand is not None
    seen = [0] * 42
    for place, player in enumerate(hand.players):
        if place == seat or player.shown:
            for tile in player.concealed:
                seen[tile.index] += 1
        for tile in (*player.flowers, *player.discards):
            assert tile is not None
            seen[tile.index] += 1
        for laid in player.melds:
            assert laid.meld is not None
            hidden = laid.kind is MeldKind.KONG_CONCEALED and not state.house.policy.kongs.public
            if not hidden or place == seat or player.shown:
                wild = state.house.wild(hand.fortune)
                for tile in laid.meld.tiles:
                    real = tile
                    if wild is not None and wild.substitute is not None and tile is wild.tile:
                        real = wild.substitute
                    seen[real.index] += 1
    if hand.indicator is not None:
        seen[hand.indicator.index] += 1
    return seen


@pytest.mark.parametrize("rules", RULE_SETS)
def test_counts_are_true_in_every_state(rules: str, played_hands: int) -> None:
    states = 0
    for played in play(GameStarted(rules=rules), played_hands, random.Random(f"seen {rules}")):
        for step in played.steps[1:]:
            if not step.state.playing:
                continue
            for seat in step.state.house.seats:
                seen = observe(step.state, seat)
                assert list(seen.hand.known) == count_truly(step.state, seat), step.event
                assert not is_least(seen)
                total = sum(step.state.house.copies)
                assert sum(count_left(seen)) + sum(seen.hand.known) == total
                states += 1
    assert states > 100 * played_hands


def position(**given: object) -> dict[str, object]:
    return {"rules": "hebei", "seat": 1, "hand": "2345m88m345p678s1z5z", **given}


def test_what_a_request_shows_is_counted() -> None:
    seen = describe_position(
        position(melds=[["p222s", "K"], [], [], []], rivers=[["8m", "8m?"], [], ["1z1z"], []], left=40)
    )
    left = name_left(seen)
    assert (left["8m"], left["1z"], left["2s"], left["9p"]) == (0, 1, 1, 4)
    assert is_least(seen)
    assert not is_least(describe_position(position()))


@pytest.mark.parametrize(
    ("given", "field", "words"),
    [
        ({"hand": "2345m88m345p678s1z"}, "hand", "13 concealed tiles"),
        ({"rivers": [["8m8m8m"], [], [], []]}, "rivers", "5 copies of '8m'"),
        ({"rules": "hefei"}, "hand", "not a tile of Hefei"),
        ({"rivers": []}, "rivers", "a list of four"),
        ({"seat": 4}, "seat", "a seat, 0 to 3"),
        ({"melds": [["c123z"], [], [], []]}, "melds", "c123z"),
        ({"offer": {"tile": "7m", "from": 1}}, "offer", "another player's"),
        ({"offer": {"tile": "7m", "from": 0}}, "offer", "not the last"),
        ({"left": 1000}, "left", "no more tiles can be drawn"),
        ({"hnd": "1m"}, "hnd", "did you mean"),
        ({"options": {"x": 1}}, "options", "'x'"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(given: dict[str, object], field: str, words: str) -> None:
    with pytest.raises(RequestError, match=words) as refused:
        describe_position(position(**given))
    assert refused.value.field == field
