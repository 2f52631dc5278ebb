"""A win in words: who won on what, and what it is worth."""

from __future__ import annotations

import pytest

from companion.live.event_words import describe_event
from companion.money import Currency
from companion.table.apply import apply
from companion.table.events import Dealt, Event, GameStarted, HandStarted, Won
from companion.table.state import State
from companion.words import Language, Words

SEATS = ("Mei", "Ping", "Wong", "Ann")


@pytest.mark.parametrize(
    ("currency", "language", "said"),
    [
        (None, Language.ENGLISH, "Mei wins by self-draw: 64 fan"),
        (
            Currency("HK$", "0.5", "0.5"),
            Language.ENGLISH,
            "Mei wins by self-draw: 64 fan (HK$192)",
        ),
        (Currency("HK$", "0.5", "0.5"), Language.TRADITIONAL, "Mei自摸胡牌：64 番（HK$192）"),
    ],
)
def test_a_win_is_worth_money_where_a_currency_is_agreed(
    currency: Currency | None, language: Language, said: str
) -> None:
    dealt = Dealt(hands=("123456789m11p333z", None, None, None))
    won = Won(seat=0)
    log: list[Event] = [
        GameStarted(rules="hong_kong", names=SEATS, currency=currency), HandStarted(dealer=0), dealt, won,
    ]  # fmt: skip
    state: State | None = None
    for event in log:
        state = apply(state, event)
    assert state is not None
    assert Words(language).say(describe_event(won, state, SEATS)) == said
