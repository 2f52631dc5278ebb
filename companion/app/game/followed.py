"""What is known of a game that is followed, as the window lists it: frozen values. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass, replace

from msgspec.structs import replace as changed

from companion.app.text import list_names
from companion.game.deciding import Progress
from companion.live.event_words import describe_event
from companion.live.noticed import QuestionAsked
from companion.sentences import Sentence
from companion.table.apply import apply
from companion.table.events import (
    AddedKong,
    Claimed,
    Corrected,
    DealSet,
    Dealt,
    Discarded,
    Drawn,
    Event,
    FlowerSetOut,
    GameStarted,
    HandStarted,
    IndicatorTurned,
    Won,
    number_corrected,
)
from companion.table.state import State
from companion.tiles import KINDS

ENTRIES_MAX = 200
"""Events kept in memory, more than one hand has; older ones are read from the file."""
NAMED = (Discarded, FlowerSetOut, IndicatorTurned, AddedKong)
"""Events about one tile, which a person can correct by naming it."""
BEGUN_FROM = 2
"""Open tiles on the table from which a hand has begun: a single one may be something else."""
CODES = frozenset(kind.code for kind in KINDS)
UNLISTED = (GameStarted, Dealt, Drawn)
"""Events that are not listed, since every player knows them."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event, `number` in the game's log, in words. certain: whether it needs no check. hand: the
    number of the hand that it is part of, the first being 1; 0 before any."""

    number: int
    event: Event
    said: Sentence
    certain: bool
    hand: int = 0

    @property
    def tile(self) -> str | None:
        """The code of the tile that it is about, where a person can name it."""
        return self.event.tile if isinstance(self.event, NAMED) else None

    @property
    def may_be_named(self) -> bool:
        """Whether it is about one tile."""
        return isinstance(self.event, NAMED)


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """What event `number` was: one of these. They differ in the tile that it was about; of a win, in the
    tiles of the hand; or in the dealer."""

    number: int
    choices: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class Followed:
    """state: of the game; entries: the latest events, the oldest first; questions: not answered yet, the
    oldest first. lost: why the game cannot be followed now; doubted: why it may be another game. count: how
    many events the log has; corrections: the numbers of those that correct others."""

    state: State
    entries: tuple[Entry, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    lost: Sentence | None = None
    doubted: Sentence | None = None
    count: int = 1
    corrections: tuple[int, ...] = ()

    @classmethod
    def of(cls, progress: Progress) -> Followed:
        """What is known of a game that stands there."""
        numbered = enumerate(progress.events, 1)
        corrections = tuple(number for number, event in numbered if isinstance(event, Corrected))
        known = cls(progress.state, count=len(progress.events), corrections=corrections)
        state, doubts = None, progress.doubts
        for number, event in number_corrected(progress.events):
            state = apply(state, event)
            known = known._list(_make_entry(number, event, state, number not in doubts))
        return known

    def add_event(self, event: Event, certain: bool, progress: Progress) -> Followed:
        """With an event that is the last one of the game's log."""
        if isinstance(event, Corrected) and (
            event.number in self.corrections or any(isinstance(each, Won) for each in event.rights)
        ):
            return self.move(progress)  # what is said of a win is of the state right after it
        return self.enter(event, len(progress.events), certain, progress.state)

    def enter(self, event: Event, number: int, certain: bool, state: State) -> Followed:
        """With an event of the game's log and the state after it."""
        questions = () if isinstance(event, HandStarted) else self.questions
        after = replace(self, state=state, count=number, questions=questions)
        if isinstance(event, Corrected):
            return replace(after, corrections=(*self.corrections, number))._correct(event, certain)
        return after._list(_make_entry(number, event, state, certain))

    def move(self, progress: Progress) -> Followed:
        """Where events at the end of the log were taken back, or brought back."""
        stand, doubts = len(progress.events), progress.doubts
        added = progress.events[self.count :]
        if any(number > stand for number in self.corrections) or any(isinstance(e, Corrected) for e in added):
            return replace(Followed.of(progress), lost=self.lost, doubted=self.doubted)
        known = replace(
            self,
            count=stand,
            entries=tuple(each for each in self.entries if each.number <= stand),
            questions=tuple(each for each in self.questions if each.number <= stand),
        )
        state = self.state
        for number, event in enumerate(added, self.count + 1):
            state = apply(state, event)
            known = known.enter(event, number, number not in doubts, state)
        return replace(known, state=progress.state)

    def ask(self, asked: QuestionAsked) -> Followed:
        """With a question, where a touch can answer it."""
        entry = self.find(asked.number)
        choices = _list_choices(entry.event, asked.choices) if entry else ()
        if entry is None or not choices:
            return self
        others = self._questions_without(entry.number)
        return replace(self, questions=(*others, OpenQuestion(entry.number, choices)))

    def mark_certain(self, number: int) -> Followed:
        """A person has entered that event: it is certain, and no longer asked about."""
        entries = tuple(replace(e, certain=True) if e.number == number else e for e in self.entries)
        return replace(self, entries=entries, questions=self._questions_without(number))

    def lose(self, why: Sentence | None) -> Followed:
        """The game cannot be followed now, and why; None: it can again."""
        return replace(self, lost=why)

    def doubt(self, why: Sentence | None) -> Followed:
        """The table may play another game, and why; None: that is over."""
        return replace(self, doubted=why)

    def find(self, number: int | None) -> Entry | None:
        """The entry of that event."""
        return next((entry for entry in self.entries if entry.number == number), None)

    def name_tile(self, number: int, tile: str) -> Event | None:
        """What that event is with another tile; None if it cannot be named so."""
        entry = self.find(number)
        return changed(entry.event, tile=tile) if entry and isinstance(entry.event, NAMED) else None

    def _list(self, entry: Entry) -> Followed:
        if isinstance(entry.event, UNLISTED):
            return self
        if not isinstance(entry.event, HandStarted) and self.entries:
            entry = replace(entry, hand=self.entries[-1].hand)
        return replace(self, entries=(*self.entries, entry)[-ENTRIES_MAX:])

    def _correct(self, correction: Corrected, certain: bool) -> Followed:
        right, number = correction.right, correction.number
        others = correction.others
        kept = tuple(each for each in self.entries if each.number not in others)
        without = replace(self, questions=self._questions_without(number), entries=kept)
        rest = tuple(each for each in kept if each.number != number)
        if right is None or isinstance(right, UNLISTED):
            return replace(without, entries=rest)
        if self.find(number) is None and (not kept or number < kept[0].number):
            return without
        at = sum(each.number < number for each in rest)
        before = self.find(number) or (rest[at - 1] if at else None)
        entry = Entry(number, right, _say(right, self.state), certain, before.hand if before else 0)
        return replace(without, entries=(*rest[:at], entry, *rest[at:]))

    def _questions_without(self, number: int) -> tuple[OpenQuestion, ...]:
        return tuple(each for each in self.questions if each.number != number)


def _list_choices(event: Event, answers: tuple[str, ...]) -> tuple[Event, ...]:
    """What the event was by each of these answers: a tile's code; of a win, the tiles in the hand and the
    concealed kongs, as `statements.ask_about_hands` writes them; or a dealer's seat. Nothing where no touch
    can answer."""
    if isinstance(event, NAMED) and CODES.issuperset(answers):
        return tuple(changed(event, tile=code) for code in answers)
    if isinstance(event, DealSet):
        return tuple(changed(event, dealer=int(answer)) for answer in answers)
    if isinstance(event, Won):
        return tuple(_show_hand(event, answer.split()) for answer in answers)
    return ()


def _show_hand(won: Won, groups: list[str]) -> Won:
    kongs = tuple(group for group in groups if group[0].isalpha())
    return changed(won, hand="".join(group for group in groups if group not in kongs), kongs=kongs)


class Beginning:
    """Detects tiles of a new hand that no event explains yet."""

    def __init__(self) -> None:
        self._is_swept = True

    def has_begun(self, state: State, faces: int) -> bool:
        """Whether a hand has begun while the game still waits for one, `faces` lying open on the table: what
        is there from the hand before must have been swept first."""
        if state.playing:
            self._is_swept = False
        elif not faces:
            self._is_swept = True
        return not state.playing and self._is_swept and faces >= BEGUN_FROM


def find_doubtful(followed: Followed) -> dict[tuple[int, int], int]:
    """The numbers of discards that a person ought to look at, by the seat and the place in the river."""
    river: list[list[Entry]] = [[], [], [], []]
    giver = 0
    for entry in followed.entries:
        match entry.event:
            case HandStarted():
                river = [[], [], [], []]
            case Discarded(seat=seat):
                river[seat].append(entry)
                giver = seat
            case Claimed():
                del river[giver][-1:]
    asked = {question.number for question in followed.questions}
    hand = followed.state.hand
    return {
        (seat, at): entry.number
        for seat, laid in enumerate(river)
        if hand is not None and len(laid) == len(hand.players[seat].discards)
        for at, entry in enumerate(laid)
        if not entry.certain or entry.number in asked
    }


def _make_entry(number: int, event: Event, after: State, certain: bool) -> Entry:
    hand = after.hands + 1 if isinstance(event, HandStarted) else 0
    return Entry(number, event, _say(event, after), certain, hand)


def _say(event: Event, after: State) -> Sentence:
    return describe_event(event, after, list_names(after))
