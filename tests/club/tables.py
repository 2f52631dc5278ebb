"""Tables of a club without a table: what they send, and what the database must then hold."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import datetime
from functools import cache

from sqlalchemy import select
from sqlalchemy.orm import Session

from companion.club.schema import Correction, GamePlayer, Hand, Payment, Win
from companion.coach.play.simulation import play
from companion.game.file import GameEntry
from companion.publish.topics import TableTopics, encode_alive, encode_entry, identify_game
from companion.sheets.hands import make_sheet
from companion.table.events import Event, GameStarted, encode_event

AT = "2026-11-30T20:00:00+00:00"
NAMES = ("Ann", "Bao", "Chen", "Dai")


@cache
def play_hands(rules: str, hands: int, seed: int = 0) -> tuple[Event, ...]:
    """The events of a game of that many hands by built-in players, fewer where it ends before."""
    start = GameStarted(rules=rules, names=NAMES)
    events: list[Event] = [start]
    for played in play(start, hands, random.Random(seed)):
        if played.game > 1:
            break
        events += (step.event for step in played.steps)
    return tuple(events)


class SentGame:
    """The messages of a game; `payloads[0]` is that of entry 1."""

    def __init__(
        self, topics: TableTopics, steps: Sequence[Event | int], at: str = AT, name: str = "friday"
    ) -> None:
        """steps: events, and how many of them are undone or redone. at: another one makes another game."""
        self.topics = topics
        self.entries = [
            GameEntry(number, None, "", step, at)
            if isinstance(step, int)
            else GameEntry(number, None, encode_event(step).decode(), 0, at)
            for number, step in enumerate(steps, start=1)
        ]
        self.id = identify_game(self.entries)
        self.payloads = [encode_entry(self.id, name, entry) for entry in self.entries]

    def messages(self, *numbers: int) -> list[tuple[str, bytes]]:
        """Those of these entries, all by default, with their topic."""
        return [
            (self.topics.events, self.payloads[at - 1]) for at in numbers or range(1, len(self.entries) + 1)
        ]

    def alive(self, is_there: bool, at: datetime | None = None) -> tuple[str, bytes]:
        return self.topics.alive, encode_alive(is_there, "program", at)


def assert_equals_sheet(session: Session, game: str, events: Sequence[Event]) -> None:
    """What the database has of a game is what these events make, payment by payment, and nothing twice."""
    sheet = make_sheet(events)
    paid = [
        (number, person, points, entry.reason.value, entry.why, entry.cancels)
        for number, entry in enumerate(sheet.state.ledger)
        for person, points in enumerate(entry.points)
        if points
    ]
    rows = session.scalars(
        select(Payment).where(Payment.game_id == game).order_by(Payment.number, Payment.person)
    )
    assert [(r.number, r.person, r.points, r.reason, r.why, r.cancels) for r in rows] == paid
    hands = [
        (place, hand.number, hand.dealer, hand.streak, hand.finished, hand.abandoned, hand.drawn)
        for place, hand in enumerate(sheet.hands)
        if hand.finished or hand.entries
    ]
    found = session.scalars(select(Hand).where(Hand.game_id == game).order_by(Hand.place))
    assert [(r.place, r.number, r.dealer, r.streak, r.finished, r.abandoned, r.drawn) for r in found] == hands
    wins = [
        (
            place, win.number, win.winner, win.giver, win.source.value, list(win.concealed),
            [list(meld) for meld in win.melds], win.score.value, [line.id for line in win.score.lines],
        )
        for place, hand in enumerate(sheet.hands)
        for win in hand.wins
    ]  # fmt: skip
    written = session.scalars(select(Win).where(Win.game_id == game).order_by(Win.hand, Win.place))
    assert [
        (
            r.hand, r.number, r.winner, r.giver, r.source, r.concealed, r.melds, r.value,
            [row["id"] for row in r.rows],
        )
        for r in written
    ] == wins  # fmt: skip
    corrected = session.scalars(select(Correction).where(Correction.game_id == game).order_by(Correction.at))
    assert [(r.at, r.number, r.why) for r in corrected] == [
        (each.at, each.number, each.why) for each in sheet.corrections
    ]
    finished = [hand for hand in sheet.hands if hand.finished]
    sums = [
        (
            person,
            sum(hand.points[person] for hand in finished) if finished else None,
            sum(hand.number > 0 and not hand.abandoned for hand in finished),
            sum(win.winner == person for hand in finished for win in hand.wins),
        )
        for person, name in enumerate(sheet.names)
        if name
    ]
    players = session.scalars(
        select(GamePlayer).where(GamePlayer.game_id == game).order_by(GamePlayer.person)
    )
    assert [(each.person, each.points, each.hands, each.wins) for each in players] == sums
