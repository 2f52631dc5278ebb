"""What phones that hold a seat do to the running game: enter a win, confirm one, undo, call mahjong.

Everything is decided on the game's thread, one thing after the other: of two phones that do the same, the
first one does it, and the other gets a sentence. Nothing is booked before another seat, or the table's
window, has confirmed it. Whoever shows the table reads `view`, a frozen value.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, replace
from typing import TypeVar

from companion.errors import CompanionError, EventError
from companion.game.deciding import Progress
from companion.game.owner import GameOwner, GameTransaction, find_refusal, wait_or_cancel
from companion.game.proposals import Proposal, Reporter, SourceKind
from companion.game.updates import GameOpened, PlayedGame, Update
from companion.live.event_words import reword_refusal, say_entered
from companion.sentences import Sentence, msgid
from companion.serve import messages
from companion.serve.answers import HttpError
from companion.serve.entries import Entry, WaitingWin, list_beside, make_entry
from companion.serve.seats import Seats, WrongCodes, claim, find_holder, free, seat_people
from companion.table.events import Event
from companion.table.state import State
from companion.table.unrecorded import ReportedWin

T = TypeVar("T")

WON = msgid("{name} won: {count} points")
REJECTED = msgid("The win of {who} was rejected.")
ALL_REJECTED = msgid("The wins on this tile were rejected.")
WITHDRAWN = msgid("{who} has taken back the win.")


@dataclass(frozen=True, slots=True)
class Booked:
    """A win that a phone entered. events: of the game with it; steps: how many were the win's."""

    person: int
    events: tuple[Event, ...]
    steps: int


@dataclass(frozen=True, slots=True)
class RemoteView:
    """The seats of a table and what their phones have done. People are numbered as in the game.

    state: of the game that a win can be entered into, None without one. calls: who has called mahjong in this
    hand, the first one first. outcome: what became of the last entry. undoing: who can undo the newest one.
    """

    state: State | None = None
    seats: Seats = ()
    calls: tuple[int, ...] = ()
    entry: Entry | None = None
    outcome: Sentence | None = None
    undoing: int | None = None

    def name(self, person: int) -> str | Sentence:
        """That person's name; the player's number if nobody is named."""
        return self.seats[person].name or Sentence("Player {number}", {"number": person + 1})

    def require_state(self) -> State:
        """The game. HttpError without one."""
        if self.state is None:
            raise HttpError(409, Sentence(messages.NO_SEATS))
        return self.state

    def find_seat(self, person: int) -> int:
        """Where that person sits."""
        return person if self.state is None else self.state.seated.index(person)


class Remote:
    """The seats of one running game. Every method but `close` may wait for the game's thread, and raises
    HttpError with the sentence for whoever asked. changed: gets each newer view, on the game's thread."""

    def __init__(self, game: GameOwner, changed: Callable[[RemoteView], None]) -> None:
        self.view = RemoteView()
        self._game = game
        self._changed = changed
        self._played = PlayedGame()
        self._known: Seats = ()
        self._wrong = WrongCodes()
        self._booked: tuple[Booked, ...] = ()
        self._entries = 0
        game.subscribe(self._receive)

    def close(self) -> None:
        """No phone does anything any more."""
        self._game.unsubscribe(self._receive)

    # For phones. token: of the seat that the phone holds.

    def claim(self, seat: int, code: str, address: str) -> str:
        """The token by which the phone at that address holds the seat from now on."""

        def enter(_: GameTransaction) -> str:
            state, now_s = self.view.require_state(), time.monotonic()
            if seat not in state.house.seats:
                raise HttpError(409, Sentence(messages.SITS_OUT))
            self._wrong.check(address, now_s)
            person = state.seated[seat]
            try:
                seats = claim(self.view.seats, person, code)
            except HttpError as refusal:
                if refusal.sentence.template == messages.WRONG_CODE:
                    self._wrong.note(address, now_s)
                raise
            self._show(seats=seats)
            token = seats[person].token
            assert token is not None
            return token

        return self._decide(enter)

    def find_seat(self, token: str | None) -> int:
        """The seat of the phone with that token."""
        view = self.view
        return view.find_seat(find_holder(view.seats, token))

    def find_place(self, token: str | None, reported: ReportedWin) -> tuple[State, tuple[ReportedWin, ...]]:
        """The game into which the phone with that token may enter that win, and the wins that wait beside
        it."""
        view = self.view
        person, state = find_holder(view.seats, token), view.require_state()
        beside = list_beside(state, view.entry, person, reported)
        return state, tuple(win.reported for win in beside)

    def leave(self, token: str | None) -> None:
        """The phone gives its seat back."""
        self._decide(lambda _: self._free(self._require_holder(token)))

    def call(self, token: str | None, calls: bool) -> None:
        """The player calls mahjong, or takes the call back."""

        def enter(_: GameTransaction) -> None:
            person = self._require_holder(token)
            others = tuple(each for each in self.view.calls if each != person)
            if calls != (person in self.view.calls):
                self._show(calls=(*others, person) if calls else others)

        self._decide(enter)

    def enter(self, token: str | None, reported: ReportedWin) -> int:
        """The number under which that win waits to be confirmed, with the wins on the same tile."""

        def enter(_: GameTransaction) -> int:
            person, state = self._require_holder(token), self.view.require_state()
            beside = list_beside(state, self.view.entry, person, reported)
            waiting = () if self.view.entry is None else self.view.entry.wins
            first = next((win.person for win in waiting if win.person != person and win not in beside), None)
            if first is not None:
                raise HttpError(409, Sentence(messages.ENTRY_WAITS, {"who": self.view.name(first)}))
            try:
                entry = self._make_entry(state, [*_list_sent(beside), (person, reported)])
            except EventError as problem:
                raise HttpError(409, reword_refusal(problem)) from None
            self._show(entry=entry, outcome=None)
            return entry.number

        return self._decide(enter)

    def undo(self, token: str | None) -> None:
        """The player's own win, the newest entry of the game, is taken back."""

        def enter(transaction: GameTransaction) -> None:
            person, booked = self._require_holder(token), self._find_newest()
            if booked is None or self.view.undoing != person:
                raise HttpError(409, Sentence(messages.NOTHING_TO_UNDO))
            transaction.undo(booked.steps)
            self._show(outcome=Sentence(WITHDRAWN, {"who": self.view.name(person)}))

        self._decide(enter)

    def judge(self, token: str | None, number: int, right: bool) -> None:
        """The player of another seat confirms what waits under that number, or rejects it; who has entered a
        win of it may take that back."""

        def enter(transaction: GameTransaction) -> None:
            person, entry = self._require_holder(token), self._require_entry(number)
            if all(person != win.person for win in entry.wins):
                self._settle(transaction, entry, right)
            elif right:
                raise HttpError(409, Sentence(messages.NOT_YOUR_OWN))
            else:
                left, outcome = self._leave_out(entry, person, WITHDRAWN)
                self._show(entry=left, outcome=outcome)

        self._decide(enter)

    # For the table's window.

    def judge_at_table(self, number: int, right: bool) -> None:
        """All four have seen the win that waits under that number: it is confirmed, or rejected."""
        self._decide(lambda transaction: self._settle(transaction, self._require_entry(number), right))

    def take_away(self, person: int) -> None:
        """The phone of that person holds the seat no longer."""
        self._decide(lambda _: self._free(person))

    # Everything below runs on the game's thread, except the wait for it.

    def _decide(self, work: Callable[[GameTransaction], T]) -> T:
        def run(transaction: GameTransaction) -> T | HttpError:
            try:
                return work(transaction)
            except HttpError as refusal:
                return refusal
            except CompanionError as problem:
                return HttpError(409, problem.sentence)

        try:
            answer = wait_or_cancel(self._game.transact(run))
        except CancelledError:
            answer = HttpError(503, Sentence(messages.ENDED))
        except CompanionError as problem:
            answer = HttpError(503, problem.sentence)
        if isinstance(answer, HttpError):
            raise answer
        return answer

    def _settle(self, transaction: GameTransaction, entry: Entry, right: bool) -> None:
        if not right:
            who = self.view.name(entry.wins[0].person)
            rejected = Sentence(ALL_REJECTED) if len(entry.wins) > 1 else Sentence(REJECTED, {"who": who})
            self._show(entry=None, outcome=rejected)
            return
        self.view = replace(self.view, entry=None)  # it is decided, whatever the game makes of it
        now_ns, events = self._game.now_ns, transaction.get_progress().events
        proposals: list[Proposal] = []
        booked: list[Booked] = []
        for win in entry.wins:
            by = Reporter(SourceKind.TOUCH, seat=self.view.find_seat(win.person))
            proposals += [Proposal(event, now_ns, by) for event in win.entered.events]
            events = (*events, *win.entered.events)
            booked.append(Booked(win.person, events, len(win.entered.events)))
        refusal = find_refusal(transaction.decide_all(proposals, 0))
        if refusal is not None:
            self._show(outcome=refusal)
            raise HttpError(409, refusal)
        self._booked = tuple(booked)
        self._show(outcome=say_entered(self._say_won(entry)), undoing=booked[-1].person)

    def _say_won(self, entry: Entry) -> list[Sentence]:
        winners = [win.reported.seat for win in entry.wins]
        names = [self.view.name(entry.before.seated[seat]) for seat in winners]
        return [
            Sentence(WON, {"name": name, "count": entry.payments[seat]})
            for name, seat in zip(names, winners, strict=True)
        ]

    def _find_newest(self) -> Booked | None:
        """The win that a phone has entered and that is the newest entry of the game."""
        progress = self._played.progress
        return next((each for each in self._booked if progress and each.events == progress.events), None)

    def _make_entry(self, state: State, sent: Sequence[tuple[int, ReportedWin]]) -> Entry:
        """The entry of those wins under a number of its own. Errors: as of `make_entry`."""
        self._entries += 1
        return make_entry(self._entries, state, sent)

    def _leave_out(self, entry: Entry, person: int, why: str) -> tuple[Entry | None, Sentence]:
        """The entry without the wins of that person's phone, None where none is left or is one without them;
        and what became of it. why: the sentence for those left out, with {who}."""
        sent = _list_sent(win for win in entry.wins if win.person != person)
        try:
            left = self._make_entry(entry.before, sent) if sent else None
        except EventError:
            return None, Sentence(messages.GAME_MOVED_ON)
        return left, Sentence(why, {"who": self.view.name(person)})

    def _free(self, person: int) -> None:
        calls = tuple(each for each in self.view.calls if each != person)
        undoing = None if self.view.undoing == person else self.view.undoing
        entry, outcome = self.view.entry, self.view.outcome
        if entry is not None and any(win.person == person for win in entry.wins):
            entry, outcome = self._leave_out(entry, person, REJECTED)
        seats = free(self.view.seats, person)
        self._show(seats=seats, calls=calls, undoing=undoing, entry=entry, outcome=outcome)

    def _require_holder(self, token: str | None) -> int:
        self.view.require_state()
        return find_holder(self.view.seats, token)

    def _require_entry(self, number: int) -> Entry:
        entry = self.view.entry
        if entry is None or entry.number != number:
            raise HttpError(409, Sentence(messages.NO_ENTRY))
        return entry

    def _show(self, **changes: object) -> None:
        self.view = replace(self.view, **changes)  # type: ignore[arg-type]
        if self.view.seats:
            self._known = self.view.seats
        self._changed(self.view)

    def _receive(self, update: Update) -> None:
        before, self._played = self._played, self._played.apply_update(update)
        progress = self._played.progress
        if self._played is before or (progress and _is_same(before.progress, progress)):
            return
        state = progress.state if progress and self._played.path else None
        if state is not None and state.house.practice is not None:
            state = None
        view = RemoteView() if isinstance(update, GameOpened) else self.view
        if state is None:
            self.view = RemoteView()
            self._show()
            return
        newest = self._find_newest()
        entry, lapsed = _follow(view.entry, state)
        self.view = view
        self._show(
            state=state,
            seats=seat_people(state.names, view.seats or self._known),
            calls=view.calls if view.state and _is_same_hand(view.state, state) else (),
            entry=entry,
            outcome=lapsed or (view.outcome if _goes_on(before.progress, progress) else None),
            undoing=None if newest is None else newest.person,
        )


def _list_sent(wins: Iterable[WaitingWin]) -> list[tuple[int, ReportedWin]]:
    return [(win.person, win.reported) for win in wins]


def _follow(entry: Entry | None, state: State) -> tuple[Entry | None, Sentence | None]:
    """The entry in the game as it is now; or why it lapses, because it would be another win."""
    if entry is None or entry.before is state:
        return entry, None
    before = entry.before
    try:
        after = make_entry(entry.number, state, _list_sent(entry.wins))
    except EventError:
        return None, Sentence(messages.GAME_MOVED_ON)
    if (after.payments, state.seated, state.hands) != (entry.payments, before.seated, before.hands):
        return None, Sentence(messages.GAME_MOVED_ON)
    return after, None


def _is_same(before: Progress | None, after: Progress) -> bool:
    """Whether the same events stand."""
    return before is not None and before.events is after.events


def _goes_on(before: Progress | None, after: Progress | None) -> bool:
    """Whether nothing was taken back, and no hand has begun."""
    if before is None or after is None:
        return False
    return len(after.events) > len(before.events) and before.state.playing >= after.state.playing


def _is_same_hand(before: State, after: State) -> bool:
    return (before.hands, before.playing) == (after.hands, after.playing)
