"""The hand that is replayed, and what its decisions cost, as far as that is reviewed. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.coach.results import RatedDecision
from companion.coach.review import PersonReview, ReviewedHand, pick_worst, sum_up
from companion.live.practice_hand import PERSON
from companion.sheets.hands import Sheet, SheetHand

Key = tuple[int, int]
"""The place of a hand in the sheet, and a person."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """The hand at `place` of the sheet, looked at at event `number`; person: whose decisions are shown; game:
    the name of the kept game, None for the one that is played.

    found: the decisions that are reviewed, by hand and person; done: which of these are complete. evening:
    whether all hands are being reviewed, or were.
    """

    sheet: Sheet
    place: int
    number: int
    person: int
    found: Mapping[Key, tuple[RatedDecision, ...]] = field(default_factory=dict)
    done: frozenset[Key] = frozenset()
    evening: bool = False
    game: str | None = None

    @classmethod
    def begin(cls, sheet: Sheet, place: int, number: int, game: str | None = None) -> Replayed:
        return cls(sheet, place, number, choose_person(sheet.hands[place]), game=game)

    @property
    def hand(self) -> SheetHand:
        return self.sheet.hands[self.place]

    @property
    def people(self) -> tuple[int, ...]:
        return list_people(self.hand)

    @property
    def key(self) -> Key:
        return self.place, self.person

    @property
    def decisions(self) -> tuple[RatedDecision, ...]:
        """Of the person in the hand, as far as they are reviewed."""
        return self.found.get(self.key, ())

    @property
    def is_done(self) -> bool:
        return self.key in self.done

    @property
    def worst(self) -> tuple[RatedDecision, ...]:
        """The two that cost most, the worst first."""
        return tuple(pick_worst(self.decisions))

    @property
    def current(self) -> RatedDecision | None:
        """What the person decided at the event that is looked at."""
        return next((each for each in self.decisions if each.number == self.number), None)

    def look_at(self, sheet: Sheet, place: int, number: int) -> Replayed:
        """Another step; what is known of hands that are as they were is kept."""
        if sheet is self.sheet and place == self.place:
            return replace(self, number=number)
        same = {
            at
            for at, (old, new) in enumerate(zip(self.sheet.hands, sheet.hands, strict=False))
            if old is new or old.events == new.events
        }
        found = {key: own for key, own in self.found.items() if key[0] in same}
        done = frozenset(key for key in self.done if key[0] in same)
        person = self.person if place == self.place else choose_person(sheet.hands[place])
        return Replayed(sheet, place, number, person, found, done, self.evening, self.game)

    def add(self, key: Key, decisions: tuple[RatedDecision, ...], *, done: bool) -> Replayed:
        """These are the decisions of that hand and person; done: all of them."""
        found = {**self.found, key: decisions}
        return replace(self, found=found, done=self.done | {key} if done else self.done)

    def list_wanted(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """What is still to be reviewed: hands by their places, each with its people; the one shown first."""
        places = [self.place]
        if self.evening:
            places += [at for at, hand in enumerate(self.sheet.hands) if hand.number and at != self.place]
        wanted = []
        for place in places:
            people = list_people(self.sheet.hands[place]) if self.evening else (self.person,)
            first = (self.person,) if place == self.place else ()
            lacking = [each for each in (*first, *people) if (place, each) not in self.done]
            if lacking:
                wanted.append((place, tuple(dict.fromkeys(lacking))))
        return tuple(wanted)

    def sum_up(self) -> tuple[PersonReview, ...]:
        """The evening, as far as it is reviewed."""
        hands: dict[int, list[RatedDecision]] = {}
        for (place, person), decisions in sorted(self.found.items()):
            if (place, person) in self.done:
                hands.setdefault(place, []).extend(decisions)
        return sum_up(
            ReviewedHand(hand.number, tuple(own), counts=not hand.abandoned)
            for hand, own in ((self.sheet.hands[place], own) for place, own in hands.items())
        )

    @property
    def share_done(self) -> float:
        """How much of the evening is reviewed, 0 to 1."""
        keys = [
            (at, person)
            for at, hand in enumerate(self.sheet.hands)
            if hand.number
            for person in list_people(hand)
        ]
        return sum(key in self.done for key in keys) / max(1, len(keys))


def list_people(hand: SheetHand) -> tuple[int, ...]:
    """Who plays it, by seat."""
    seated = (hand.after.hand or hand.after).seated
    return tuple(seated[seat] for seat in hand.before.house.seats)


def choose_person(hand: SheetHand) -> int:
    """Whose decisions a learner wants to see first: in a practice game the person's own, else who lost most,
    of several whose tile was won on."""
    if hand.before.house.practice is not None:
        return PERSON
    givers = {win.giver for win in hand.wins}
    return min(list_people(hand), key=lambda person: (hand.points[person], person not in givers))
