"""Following a game with one camera, as the shell knows it; carries out what concerns camera and game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import numpy as np

from companion.app.cameras import Cameras
from companion.app.feature import Controller, Effect, Page, Part, Say
from companion.app.game.followed import Followed
from companion.app.game.state import (
    BeginGame,
    BeginHere,
    Correct,
    EndHand,
    FollowGame,
    GoOn,
    KeptFollowing,
    LeaveGame,
    OpenGame,
    Pause,
    PlaceTable,
    Plan,
    TrustTiles,
)
from companion.app.recognition import Reader
from companion.cameras.connected import FILE_PREFIX, find_id
from companion.errors import CompanionError, quote
from companion.quads import Point
from companion.rules import RULE_SETS
from companion.running.deciding import Verdict
from companion.running.followed_game import (
    ENDED_BY_NEW_HAND,
    ENTERED_BEFORE,
    WAIT_S,
    GamePlan,
    choose_name,
    find_recording_key,
    make_follower,
    make_key,
    open_game,
)
from companion.running.game import RunningGame
from companion.running.live_following import FollowListener, LiveFollowing
from companion.running.noticed import Doubted, Noticed, QuestionAsked, ThreadFound, ThreadLost
from companion.running.posting import Post
from companion.running.proposals import Proposal, Source, SourceKind
from companion.running.updates import Decided, GameOpened, Update
from companion.sentences import Sentence
from companion.table.events import GameStarted, HandAbandoned
from companion.tracking.table_camera import TableCamera

END_S = 3.0
"""The longest wait for camera and following to end with the window: a camera pulled out takes two."""
TOUCH = Source(SourceKind.TOUCH)


class GameFeature:
    """game: the running game of the window, which devices feed too, and whose cameras they are: of a camera
    there is one reader at a time."""

    name = "game"
    part: Part | None = Part(KeptFollowing, lambda kept: kept.is_sound)

    def __init__(self, cameras: Cameras, reader: Reader, game: RunningGame, post: Post) -> None:
        self.cameras = cameras
        self._reader = reader
        self._game = game
        self._post = post
        self._is_open = False
        self._following: LiveFollowing | None = None
        self._turn = 0

    def begin(self, kept: KeptFollowing | None, controller: Controller[FollowGame]) -> FollowGame:
        self._game.subscribe(lambda update: self._hear(update, controller), self._post)
        plan = Plan(next(iter(RULE_SETS)), camera=self.cameras.wanted)
        return FollowGame(plan if kept is None else kept.restore(plan))

    def keep(self, state: FollowGame) -> KeptFollowing:
        return KeptFollowing(state.plan.name, state.plan.bottom)

    def perform(self, effect: Effect, controller: Controller[FollowGame]) -> None:
        match effect:
            case BeginGame(plan):
                self._open(plan, None, controller)
            case OpenGame(plan, name):
                self._open(plan, name, controller)
            case GoOn(plan):
                self._run(plan, controller)
            case Pause():
                if self._following:
                    self._following.stop()
            case LeaveGame():
                self._end()
                self._game.leave()
            case Correct(number, right):
                self._game.correct(number, right, TOUCH)
            case EndHand():
                event = HandAbandoned(why=ENDED_BY_NEW_HAND)
                self._game.propose(Proposal(event, self._game.now_ns, TOUCH))
            case PlaceTable(corners):
                self._place(corners, controller)
            case BeginHere():
                if self._following:
                    self._following.begin_here()
            case TrustTiles():
                if self._following:
                    self._following.trust_tiles()

    def offer_pages(self, controller: Controller[FollowGame]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.game.page import GamePage

        return {"game": lambda: GamePage(controller, self.cameras)}

    def close(self) -> None:
        """Let the camera go: a program that ends while one is at work is torn down, not ended."""
        self._end()

    def _open(self, plan: Plan, name: str | None, controller: Controller[FollowGame]) -> None:
        """Follow into the kept game of that name, or into a new one, away from the window's thread: disks may
        be slow, and films long."""
        camera = self._choose_camera(plan, controller)
        if camera is None:
            return
        self._end()
        controller.do(lambda state: replace(state.work(Sentence("Opening the game …")), following=None))
        controller.work(lambda: self._try_to_prepare(plan, name, camera, controller))

    def _try_to_prepare(
        self, plan: Plan, name: str | None, camera: str, controller: Controller[FollowGame]
    ) -> Callable[[FollowGame], FollowGame]:
        """As `_prepare`; where that is refused, the step that says why."""
        try:
            return self._prepare(plan, name, camera, controller)
        except CompanionError as error:
            why = error.sentence
            return lambda state: state.work(None).also(Say(why))

    def _prepare(
        self, plan: Plan, name: str | None, camera: str, controller: Controller[FollowGame]
    ) -> Callable[[FollowGame], FollowGame]:
        """Open the game, and give the step that follows it. Raises CompanionError."""
        self._game.leave().result(WAIT_S)  # one that is open cannot be read beside it
        is_film = camera.startswith(FILE_PREFIX)
        key = find_recording_key(Path(camera.removeprefix(FILE_PREFIX))) if is_film else make_key()
        start = None if name else _make_start(plan)
        name = name or choose_name(datetime.now())
        before = open_game(self._game, GamePlan(start, name), key)
        state = before.state
        following = LiveFollowing(
            partial(
                self._reader.watch_table,
                state.house.rules.name,
                plan.bottom,
                None if state.playing else state.deal.dealer,
                None if is_film else find_id(camera),
            ),
            make_follower(self._game, "camera", key, before, name),
            lambda: self._game.now_ns,
            self._listen(controller),
        )
        self._following = following
        return lambda state: state.begin(following, name, camera)

    def _run(self, plan: Plan, controller: Controller[FollowGame]) -> None:
        following, camera = self._following, self._choose_camera(plan, controller)
        if following is None or camera is None:
            return
        if camera.startswith(FILE_PREFIX) and following.has_started:
            before = Sentence(ENTERED_BEFORE, {"name": quote(plan.name or "")})
            controller.do(lambda state: state.also(Say(before)))
            return
        following.start(partial(self._game.read_camera, camera, self.cameras.play or self.cameras.open, None))
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

    def _listen(self, controller: Controller[FollowGame]) -> FollowListener:
        """What the threads of the following say goes to the window's thread, as long as it is this one."""
        turn = self._turn

        def do(step: Callable[[FollowGame], FollowGame]) -> None:
            self._post(lambda: controller.do(step) if self._turn == turn else None)

        return FollowListener(
            noticed=lambda noticed: do(lambda state: _take(state, noticed)),
            found=lambda pose: do(lambda state: state.find_table(pose)),
            stopped=lambda why: do(lambda state: state.lose_camera(why)),
            ended=lambda: do(FollowGame.end),
            trouble=lambda why: do(lambda state: state.also(Say(why))),
        )

    def _hear(self, update: Update, controller: Controller[FollowGame]) -> None:
        """An update of the running game, in which other games than the followed one may be played."""
        match update:
            case GameOpened(progress, path):
                self._is_open = path is not None and progress is not None
                if self._is_open and progress is not None:
                    followed = Followed.of(progress)
                    controller.do(lambda state: state.know(followed))
            case Decided(decision) if self._is_open:
                after, event = decision.progress, decision.event
                if decision.verdict is Verdict.ACCEPTED and event is not None:
                    number, certain = len(after.events), decision.is_certain
                    controller.do(
                        lambda state: state.see(
                            lambda known: known.enter(event, number, certain, after.state)
                        )
                    )
                elif decision.error and decision.proposal.source.kind is SourceKind.TOUCH:
                    why = decision.error.sentence
                    controller.do(lambda state: state.also(Say(why)))

    def _end(self) -> None:
        """End the following."""
        self._turn += 1
        following, self._following = self._following, None
        if following:
            following.stop()
            following.wait(END_S)


def _make_start(plan: Plan) -> GameStarted:
    """The event that begins the game of the plan."""
    rules, options = RULE_SETS[plan.rules], dict(plan.options)
    seats = rules.seats(rules.settings(options))
    dealer = plan.dealer if plan.dealer in seats else seats[0]
    return GameStarted(rules=plan.rules, options=options, dealer=dealer)


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
            case Doubted(why=why):
                state = state.see(lambda known, why=why: known.doubt(why))  # type: ignore[misc]
    return state
