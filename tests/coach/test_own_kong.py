"""An own concealed kong whose kind nobody named is a finished set, of a kind that adds nothing."""

import pytest

from companion.app.coach.thinking import Advisor, AskTable
from companion.coach.described import describe_position
from companion.coach.results import Advice, Level
from companion.coach.seen import count_left, is_least, list_own_melds
from companion.coach.value.choices import find_win
from companion.table.moves import put
from companion.table.state import Laid, changed
from tests.coach.asking import advise_in_steps

OFFERED = {
    "rules": "hebei", "seat": 0, "hand": "234m567p55s78s", "rivers": ["1s", "8s", "", ""],
    "offer": {"tile": "8s", "from": 1},
}  # fmt: skip


def advise(kong: str, **fields: object) -> Advice:
    return list(advise_in_steps({**OFFERED, "melds": [[kong], [], [], []], **fields}))[-1]


def test_it_counts_for_the_distance_as_one_that_was_named() -> None:
    hidden, named = advise("K").choices[0], advise("K1111z").choices[0]
    assert (hidden.shanten, hidden.useful) == (named.shanten, named.useful)
    assert hidden.shanten == 0
    assert hidden.value == pytest.approx(named.value, rel=0.1)


def test_tiles_left_are_reported_as_upper_limit() -> None:
    seen = describe_position({**OFFERED, "melds": [["K"], [], [], []]})
    assert is_least(seen)
    assert list_own_melds(seen) == ()
    [stand_in] = seen.stand_ins
    assert count_left(seen)[stand_in.tiles[0].index] == 4
    assert advise("K").at_least
    assert not advise("K1111z").at_least


def test_it_is_of_no_suit_that_the_player_collects_and_never_pays_as_an_honour() -> None:
    one_suit = {"rules": "hong_kong", "hand": "2345678s", "rivers": ["", "8s", "", ""]}
    seen = describe_position({**OFFERED, **one_suit, "melds": [["K", "K"], [], [], []]})
    kinds = [meld.tiles[0] for meld in seen.stand_ins]
    assert len(set(kinds)) == 2
    assert {kind.suit.value for kind in kinds} <= {"m", "p"}


def test_a_win_with_it_is_seen() -> None:
    seen = describe_position(
        {"rules": "hebei", "seat": 0, "hand": "234m567p55s789s", "melds": [["K"], [], [], []]}
    )
    assert find_win(seen) is not None


def test_the_window_advises_a_hand_that_was_told_beside_it() -> None:
    named = describe_position({**OFFERED, "melds": [["K1111z"], [], [], []]})
    hidden = changed(named.player, melds=(Laid(None, None),))
    known = bytearray(named.hand.known)
    known[27] -= 4
    hand = changed(named.hand, players=put(named.hand, 0, hidden), known=bytes(known))
    question = AskTable(changed(named.state, hand=hand), 0, Level.FULL)
    found = list(Advisor().answer(question, lambda: False))[-1]
    assert found.advice is not None
    assert found.at_least
    assert found.advice.choices[0].useful == advise("K1111z").choices[0].useful
