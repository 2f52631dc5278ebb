"""The coach, as the shell knows it: thinks and reviews on threads of its own, and follows the game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from companion.app.coach.state import CoachState, Key
from companion.app.coach.thinking import (
    Advisor,
    Answer,
    KeepDeclared,
    KeptCoach,
    Review,
    StopReview,
    Think,
)
from companion.app.effects import Effect
from companion.app.feature import Controller, Page, SavedPart
from companion.app.mirror import GameMirror
from companion.app.thinker import Thinker
from companion.coach.advice import make_coach
from companion.coach.declared import DeclaredHand
from companion.coach.results import RatedDecision
from companion.coach.review import Reviewer
from companion.game import shelf
from companion.game.updates import Post
from companion.sheets.declared_hands import keep_declared, read_declared
from companion.sheets.hands import list_steps

Reviewed = tuple[Key, tuple[RatedDecision, ...], bool]
"""A hand and person, the decisions so far, and whether these are all."""


class CoachFeature:
    """Keeps whether the panel is wanted, and the hands that people entered."""

    name = "coach"
    part: SavedPart | None = SavedPart(KeptCoach, lambda kept: kept.is_valid)

    def __init__(self, mirror: GameMirror, post: Post) -> None:
        self._mirror = mirror
        self._advisor = Advisor()
        self._thinker: Thinker[Answer] = Thinker(post, "coach")
        self._reviewing: Thinker[Reviewed] = Thinker(post, "review")

    def begin(self, kept: KeptCoach | None, controller: Controller[CoachState]) -> CoachState:
        self._mirror.listen(lambda update: self._on_game(controller))
        return CoachState() if kept is None else CoachState.restore(kept)

    def keep(self, state: CoachState) -> KeptCoach:
        return state.kept

    def perform(self, effect: Effect, controller: Controller[CoachState]) -> None:
        match effect:
            case Think(None):
                self._thinker.stop()
            case Think(question) if question is not None:
                self._thinker.begin(
                    lambda stop: self._advisor.answer(question, stop),
                    lambda answer: controller.do(lambda state: state.accept_answer(question, answer)),
                )
            case Review():
                self._reviewing.begin(
                    partial(_review, effect),
                    lambda found: controller.do(
                        lambda state: state.add_decisions(found[0], found[1], done=found[2])
                    ),
                )
            case StopReview():
                self._reviewing.stop()
            case KeepDeclared(game, declared):
                controller.work(partial(_keep_declared, game, declared))

    def offer_pages(self, controller: Controller[CoachState]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.coach.page import CoachPage
        from companion.app.coach.panels import StepPanel, TablePanel

        return {
            "coach": partial(CoachPage, controller),
            "coach_beside": partial(TablePanel, controller),
            "coach_above": partial(TablePanel, controller, has_hand=False),
            "coach_step": partial(StepPanel, controller),
        }

    def close(self) -> None:
        """End what runs, at its next question whether to."""
        self._thinker.close()
        self._reviewing.close()

    def _on_game(self, controller: Controller[CoachState]) -> None:
        played = self._mirror.played
        controller.do(lambda state: state.with_played(played))


def _keep_declared(game: str, declared: tuple[DeclaredHand, ...]) -> Callable[[CoachState], CoachState]:
    keep_declared(shelf.path_of(game), declared)
    return lambda state: state


def _review(effect: Review, stop: Callable[[], bool]) -> Iterator[Reviewed]:
    """The decisions of each hand and person; of the first, who is shown, with each that is rated."""
    first = True
    declared = effect.declared or (() if effect.game is None else read_declared(shelf.path_of(effect.game)))
    for place, people in effect.hands:
        hand = effect.sheet.hands[place]
        steps = [(step.number, step.event, step.state) for step in list_steps(hand)]
        seated = (hand.after.hand or hand.after).seated
        reviewer = Reviewer(make_coach(hand.before.house), stop)
        for person in people:
            seat = seated.index(person)
            own: tuple[RatedDecision, ...] = ()
            for decision in reviewer.review_hand(hand.before, steps, (seat,), declared):
                own = (*own, decision)
                if first:
                    yield (place, person), own, False
            if stop():
                return
            yield (place, person), own, True
            first = False
