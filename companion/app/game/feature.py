"""Following a game with one camera, as the shell knows it; carries out what concerns camera and game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from uuid import uuid4

import numpy as np

from companion.app.cameras import Cameras
from companion.app.feature import Controller, Effect, Page, Part, Say
from companion.app.game.followed import Followed
from companion.app.game.state import (
    BeginGame,
    BeginHere,
    Correct,
    FollowGame,
    GoOn,
    Pause,
    PlaceTable,
    Plan,
)
from companion.app.recognition import Reader
from companion.cameras.connected import FILE_PREFIX, find_id
from companion.errors import CompanionError
from companion.quads import Point
from companion.rules import RULE_SETS
from companion.running.deciding import Verdict, begin_progress
from companion.running.follower import FOLLOWING, Follower
from companion.running.game import RunningGame
from companion.running.live_following import FollowListener, LiveFollowing
from companion.running.noticed import Noticed, QuestionAsked, ThreadFound, ThreadLost
from companion.running.posting import Post
from companion.running.proposals import Source, SourceKind
from companion.running.updates import Decided, Update
from companion.sentences import Sentence
from companion.table.events import GameStarted
from companion.tracking.table_camera import TableCamera

END_S = 3.0
"""The longest wait for camera and following to end with the window: a camera pulled out takes two."""


class GameFeature:
    """devices: the running game whose cameras they are: of a camera there is one reader at a time."""

    name = "game"
    part: Part | None = None

    def __init__(self, cameras: Cameras, reader: Reader, devices: RunningGame, post: Post) -> None:
        self.cameras = cameras
        self._reader = reader
        self._devices = devices
        self._post = post
        self._game: RunningGame | None = None
        self._following: LiveFollowing | None = None

    def begin(self, kept: None, controller: Controller[FollowGame]) -> FollowGame:
        return FollowGame(Plan(next(iter(RULE_SETS)), camera=self.cameras.wanted))

    def keep(self, state: FollowGame) -> None:
        """Nothing is kept."""

    def perform(self, effect: Effect, controller: Controller[FollowGame]) -> None:
        match effect:
            case BeginGame(plan):
                self._begin(plan, controller)
            case GoOn(plan):
                self._run(plan, controller)
            case Pause():
                if self._following:
                    self._following.stop()
            case Correct(number, right):
                if self._game:
                    self._game.correct(number, right, Source(SourceKind.TOUCH))
            case PlaceTable(corners):
                self._place(corners, controller)
            case BeginHere():
                if self._following:
                    self._following.begin_here()

    def offer_pages(self, controller: Controller[FollowGame]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.game.page import GamePage

        return {"game": lambda: GamePage(controller, self.cameras)}

    def close(self) -> None:
        """Let the camera go: a program that ends while one is at work is torn down, not ended."""
        self._end()

    def _begin(self, plan: Plan, controller: Controller[FollowGame]) -> None:
        camera = self._choose_camera(plan, controller)
        if camera is None:
            return
        self._end()
        rules, options = RULE_SETS[plan.rules], dict(plan.options)
        seats = rules.seats(rules.settings(options))
        dealer = plan.dealer if plan.dealer in seats else seats[0]
        start = GameStarted(rules=plan.rules, options=options, dealer=dealer)
        game = self._game = RunningGame(policy=FOLLOWING)
        game.play(start)
        following = self._following = LiveFollowing(
            partial(
                self._reader.watch_table,
                plan.rules,
                plan.bottom,
                dealer,
                None if camera.startswith(FILE_PREFIX) else find_id(camera),
            ),
            Follower(game, Source(SourceKind.CAMERA, "camera"), key=f"window-{uuid4().hex}"),
            lambda: game.now_ns,
            self._listen(game, controller),
        )
        followed = Followed(begin_progress([start]).state)
        controller.do(lambda state: state.begin(following, followed))
        game.subscribe(lambda update: self._hear(game, update, controller), self._post)
        self._run(plan, controller)

    def _run(self, plan: Plan, controller: Controller[FollowGame]) -> None:
        following, camera = self._following, self._choose_camera(plan, controller)
        if following is None or camera is None:
            return
        following.start(
            partial(self._devices.read_camera, camera, self.cameras.play or self.cameras.open, None)
        )
        controller.do(FollowGame.run)

    def _choose_camera(self, plan: Plan, controller: Controller[FollowGame]) -> str | None:
        known = self.cameras.offer()
        chosen = plan.camera or (known[0].id if known else None)
        if chosen is None:
            nothing = Sentence("No camera is connected: plug one in and try again.")
            controller.do(lambda state: state.also(Say(nothing)))
        return chosen

    def _place(self, corners: tuple[Point, ...] | None, controller: Controller[FollowGame]) -> None:
        following = self._following
        picture = following.picture if following else None
        if following is None or picture is None:
            return
        if corners is None:
            following.place(None)
            return
        places = np.array(corners, np.float64)
        height, width = picture.image.shape[:2]
        try:
            TableCamera.from_corners(places, width, height)
        except CompanionError:
            wrong = Sentence(
                "These are not the corners of a table: touch the lower left one first, then go on"
                " counterclockwise."
            )
            controller.do(lambda state: state.touch_corners().also(Say(wrong)))
            return
        following.place(places)

    def _listen(self, game: RunningGame, controller: Controller[FollowGame]) -> FollowListener:
        """What the threads of the following say goes to the window's thread, as long as it is that game."""

        def do(step: Callable[[FollowGame], FollowGame]) -> None:
            self._post(lambda: controller.do(step) if self._game is game else None)

        return FollowListener(
            noticed=lambda noticed: do(lambda state: _take(state, noticed)),
            found=lambda pose: do(lambda state: state.find_table(pose)),
            stopped=lambda why: do(lambda state: state.lose_camera(why)),
            ended=lambda: do(FollowGame.end),
            trouble=lambda why: do(lambda state: state.also(Say(why))),
        )

    def _hear(self, game: RunningGame, update: Update, controller: Controller[FollowGame]) -> None:
        if self._game is not game or not isinstance(update, Decided):
            return
        decision, after = update.decision, update.decision.progress
        if decision.verdict is Verdict.ACCEPTED and decision.event is not None:
            event, certain, number = decision.event, decision.is_certain, len(after.events)
            controller.do(
                lambda state: state.see(lambda known: known.enter(event, number, certain, after.state))
            )
        elif decision.error and decision.proposal.source.kind is SourceKind.TOUCH:
            why = decision.error.sentence
            controller.do(lambda state: state.also(Say(why)))

    def _end(self) -> None:
        """End the game that was followed."""
        game, following, self._game, self._following = self._game, self._following, None, None
        if following:
            following.stop()
            following.wait(END_S)
        if game:
            game.close()


def _take(state: FollowGame, noticed: tuple[Noticed, ...]) -> FollowGame:
    """What the following noticed beside events."""
    for each in noticed:
        match each:
            case QuestionAsked():
                state = state.see(lambda known, each=each: known.ask(each))  # type: ignore[misc]
            case ThreadLost(why=why):
                state = state.see(lambda known, why=why: known.lose(why))  # type: ignore[misc]
            case ThreadFound():
                state = state.see(lambda known: known.lose(None))
    return state
