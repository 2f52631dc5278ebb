"""The table of the running game, as the shell knows it; carries out what concerns game and camera."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import numpy as np

from companion.app.cameras import Cameras
from companion.app.effects import ClearRefusal, Effect, SendNews, ShowMessage
from companion.app.feature import Controller, Page, SavedPart
from companion.app.game.effects import (
    TOUCH,
    AcceptTable,
    BeginGame,
    ContinueFollowing,
    Correct,
    EndHand,
    EnterEvents,
    FollowWith,
    KeptFollowing,
    OfferFilm,
    OpenFilm,
    OpenGame,
    PauseFollowing,
    PlaceTable,
    Plan,
    RedoEvents,
    Steps,
    TrustTiles,
    UndoEvents,
    bring_back,
    enter_events,
    take_back,
)
from companion.app.game.films import (
    Film,
    FilmPlace,
    Places,
    check_rules,
    describe_end,
    find_place,
    open_again,
    open_film,
)
from companion.app.game.followed import Followed
from companion.app.game.state import GameTable, Side
from companion.app.mirror import GameMirror, GameUpdate
from companion.app.news import SoundWanted
from companion.app.recognition import PictureReader
from companion.app.text import describe_refusal
from companion.cameras.connected import FILE_PREFIX, find_id
from companion.errors import CompanionError, InputError
from companion.game import shelf
from companion.game.deciding import Verdict
from companion.game.proposals import Proposal, SourceKind
from companion.game.updates import Decided, GameOpened, Moved, Post
from companion.images import Point
from companion.live.camera_reading import OpenCamera
from companion.live.event_words import ENDED_BY_NEW_HAND
from companion.live.followed_game import (
    OTHER_TABLE,
    WAIT_S,
    GamePlan,
    choose_name,
    find_progress,
    find_recording_key,
    make_follower,
    make_key,
    make_next_key,
    open_game,
)
from companion.live.follower import FOLLOWING
from companion.live.live_following import FollowListener, LiveFollowing
from companion.live.noticed import (
    MIRRORED,
    Doubted,
    FollowingLost,
    FollowingResumed,
    MirrorNoticed,
    Noticed,
    QuestionAsked,
)
from companion.live.running import RunningGame
from companion.live.session.playing import SessionPlayer
from companion.live.tones import Cue
from companion.rules import RULE_SETS
from companion.seeing.table_camera import TableCamera
from companion.sentences import Sentence
from companion.table.events import GameStarted, HandAbandoned, Won

END_S = 3.0
"""The longest wait for camera and following to end with the window: a camera pulled out takes two."""


class GameFeature:
    """game: the running game of the window, which devices feed too, and whose cameras they are: of a camera
    there is one reader at a time."""

    name = "game"
    part: SavedPart | None = SavedPart(KeptFollowing, lambda kept: kept.is_valid)

    def __init__(
        self, cameras: Cameras, reader: PictureReader, game: RunningGame, mirror: GameMirror, post: Post
    ) -> None:
        self.cameras = cameras
        self._reader = reader
        self._game = game
        self._mirror = mirror
        self._post = post
        self._following: LiveFollowing | None = None
        self._player: SessionPlayer | None = None
        self._turn = 0

    def begin(self, kept: KeptFollowing | None, controller: Controller[GameTable]) -> GameTable:
        self._mirror.listen(lambda update: self._on_game(update, controller))
        if self.cameras.phone is not None:
            meet = partial(controller.do, GameTable.meet_phone)
            self.cameras.phone.call_when_there(lambda: self._post(meet))
        plan = Plan(next(iter(RULE_SETS)), camera=self.cameras.wanted)
        if kept is None:
            return GameTable(plan)
        table = GameTable(kept.restore(plan), wins_only=kept.wins_only, shows_counts=kept.shows_counts)
        return replace(table, places=kept.films)

    def keep(self, state: GameTable) -> KeptFollowing:
        plan = state.plan
        return KeptFollowing(plan.name, plan.bottom, state.wins_only, state.shows_counts, state.places)

    def perform(self, effect: Effect, controller: Controller[GameTable]) -> None:
        game = self._game
        match effect:
            case BeginGame(start):
                self._open(controller, lambda: self._begin_game(start))
            case OpenGame(name):
                if name != self._name:
                    self._open(controller, lambda: self._resume_game(name))
            case OpenFilm(path):
                controller.work(lambda: _try(lambda: _preview_film(path)))
            case OfferFilm(place):
                controller.work(lambda: _preview_film_again(place))
            case FollowWith(plan, places):
                self._follow(plan, places, controller)
            case ContinueFollowing(plan):
                self._run(plan, controller)
            case PauseFollowing():
                if self._following:
                    self._following.stop()
            case EnterEvents(events):
                game.transact(lambda transaction: enter_events(transaction, events, game.now_ns))
            case UndoEvents(own) if self._mirror.played.progress:
                take_back(game, self._mirror.played.progress, own=own)
            case RedoEvents(own) if self._mirror.played.progress:
                bring_back(game, self._mirror.played.progress, own=own)
            case Correct(number, right):
                game.correct(number, right, TOUCH)
            case EndHand():
                event = HandAbandoned(why=ENDED_BY_NEW_HAND)
                game.propose(Proposal(event, game.now_ns, TOUCH))
            case PlaceTable(corners):
                self._place(corners, controller)
            case AcceptTable():
                if self._following:
                    self._following.begin_here()
            case TrustTiles():
                if self._following:
                    self._following.trust_tiles()

    def offer_pages(self, controller: Controller[GameTable]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.game.page import GamePage

        return {"game": lambda: GamePage(controller, self.cameras)}

    def close(self) -> None:
        """Let the camera go: a program that ends while one is at work is torn down, not ended."""
        self._end()

    def _open(self, controller: Controller[GameTable], opens: Callable[[], None]) -> None:
        """Play another game, which is opened away from the window's thread: disks may be slow."""
        self._end()
        controller.do(lambda state: state.work(Sentence("Opening the game …")))

        def open_it() -> Callable[[GameTable], GameTable]:
            opens()
            return lambda state: state.work(None)

        controller.work(lambda: _try(open_it))

    def _begin_game(self, start: GameStarted) -> None:
        """Raises CompanionError."""
        path = shelf.path_of(choose_name(datetime.now()))
        self._game.begin(path, start, FOLLOWING).result(WAIT_S)

    def _resume_game(self, name: str) -> None:
        """Raises CompanionError."""
        self._game.resume(shelf.find(name), FOLLOWING).result(WAIT_S)

    def _follow(self, plan: Plan, places: Places, controller: Controller[GameTable]) -> None:
        """Follow the open game with a camera, or a film that it does not have yet, or not all of."""
        camera, name = self._choose_camera(plan, controller), self._name
        if camera is None or name is None:
            return
        self._end()
        is_film = camera.startswith(FILE_PREFIX)
        doing = Sentence("Opening the film …") if is_film else Sentence("Opening the game …")
        controller.do(lambda state: replace(state.work(doing), following=None))
        controller.work(
            lambda: _try(
                lambda: self._prepare(plan, places, name, camera, controller),
                lambda state: state.show_side(Side.CAMERA),
            )
        )

    def _prepare(
        self, plan: Plan, places: Places, name: str, camera: str, controller: Controller[GameTable]
    ) -> Callable[[GameTable], GameTable]:
        """Give the step that follows the game of that name. Raises CompanionError."""
        film = place = None
        if camera.startswith(FILE_PREFIX):
            # Whether the game has it already says the file, which cannot be read while it is open.
            film = open_film(Path(camera.removeprefix(FILE_PREFIX)).expanduser())
            check_rules(film, self._find_rules())
            key = make_key(film.session.id) if film.session else find_recording_key(film.path)
            place = find_place(places, name, key=key)
            self._game.leave().result(WAIT_S)
            try:
                before = open_game(self._game, GamePlan(None, name), key, goes_on=place is not None)
            except InputError:
                self._resume_game(name)
                raise
            place = replace(place or FilmPlace(name, key, began=len(before.events)), path=str(film.path))
            key = make_next_key(key)
        else:
            key, before = make_key(), find_progress(self._game)
        state, begins_s = before.state, place.place_s if place else 0.0
        self._player = player = None
        if film and film.session:
            self._player = player = SessionPlayer(film.path, self._game, begins_s or -1.0)
        watch = partial(
            self._reader.watch_table,
            state.house.rules.name,
            plan.bottom,
            None if state.playing else state.deal.dealer,
            None if film else find_id(camera),
        )
        following = LiveFollowing(
            watch if player is None else lambda: player,
            make_follower(self._game, "camera", key, before, name),
            lambda: self._game.now_ns,
            self._listen(controller, film, place.began if place else 0),
            begins_s,
        )
        self._following = following
        return lambda state: state.begin_following(following, camera, film, place)

    def _find_rules(self) -> str:
        """Of the game that is open."""
        progress = self._mirror.played.progress
        return progress.state.house.rules.name if progress else ""

    def _run(self, plan: Plan, controller: Controller[GameTable]) -> None:
        following, camera = self._following, self._choose_camera(plan, controller)
        if following is None or camera is None:
            return
        is_film, place_s = camera.startswith(FILE_PREFIX), following.place_s
        player, place_s = self._player, place_s if is_film else 0.0
        opens: OpenCamera = partial(self.cameras.open_from, begins_s=place_s)
        if player is not None:
            opens = lambda _: player.play(place_s)  # noqa: E731
        following.start(partial(self._game.read_camera, camera, opens, None), waits=is_film)
        controller.do(GameTable.run)

    def _choose_camera(self, plan: Plan, controller: Controller[GameTable]) -> str | None:
        known = self.cameras.offer()
        chosen = plan.camera or (known[0].id if known else None)
        if chosen is None:
            nothing = Sentence("No camera was found: plug one in and try again, or choose a film.")
            controller.do(lambda state: state.also(ShowMessage(nothing, passes=True)))
        return chosen

    def _place(self, corners: tuple[Point, ...] | None, controller: Controller[GameTable]) -> None:
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
                "These are not the corners of a table: touch the lower left one first, then continue"
                " counterclockwise."
            )
            controller.do(lambda state: state.touch_corners().also(ShowMessage(wrong, passes=True)))
            return
        following.place(places)

    def _listen(self, controller: Controller[GameTable], film: Film | None, began: int) -> FollowListener:
        """What the threads of the following say goes to the window's thread, as long as it is this one.

        began: how many events the game has before it.
        """
        turn = self._turn

        def do(step: Callable[[GameTable], GameTable]) -> None:
            self._post(lambda: controller.do(step) if self._turn == turn else None)

        return FollowListener(
            noticed=lambda noticed: do(lambda state: _take(state, noticed)),
            found=lambda pose: do(lambda state: state.find_table(pose)),
            stopped=lambda why: do(lambda state: state.lose_camera(why)),
            ended=lambda: do(lambda state: self._end_film(state, film, began)),
            trouble=lambda why: do(lambda state: state.also(ShowMessage(why))),
        )

    def _end_film(self, state: GameTable, film: Film | None, began: int) -> GameTable:
        """All of the film has been followed."""
        progress, following = self._mirror.played.progress, self._following
        if film is None or progress is None or following is None:
            return state.stop()
        lost = state.followed.lost if state.followed else None
        held_back = lost is not None and lost.template == OTHER_TABLE
        over = describe_end(film, following.place_s, progress, began, held_back=held_back)
        return state.end(over, held_back=held_back)

    @property
    def _name(self) -> str | None:
        """Of the kept game that is open."""
        return self._mirror.played.name if self._mirror.played.progress else None

    def _on_game(self, update: GameUpdate, controller: Controller[GameTable]) -> None:
        """An update of the running game; the table is that of a kept one."""
        match update:
            case GameOpened(progress):
                name = self._name
                if name is not None and progress is not None:
                    followed, steps = Followed.of(progress), Steps.of(progress)
                    controller.do(lambda state: state.know(followed, name, steps))
                else:
                    controller.do(lambda state: state.know(None, None))
            case Moved(progress) if self._name:
                controller.do(lambda state: state.move(progress))
            case Decided(decision) if self._name:
                after, event = decision.progress, decision.event
                if decision.verdict is Verdict.ACCEPTED and event is not None:
                    certain = decision.is_certain
                    controller.do(lambda state: state.take_event(event, certain, after).note_place())
                    if decision.proposal.source.kind is SourceKind.TOUCH:
                        controller.do(lambda state: state.also(ClearRefusal()))
                    if isinstance(event, Won) and decision.proposal.source.kind is SourceKind.CAMERA:
                        controller.do(lambda state: state.offer_win(event.seat))
                elif decision.error and decision.proposal.source.kind is SourceKind.TOUCH:
                    why = describe_refusal(decision.proposal.event, decision.error)
                    controller.do(lambda state: state.also(ShowMessage(why, passes=True)))

    def _end(self) -> None:
        """End the following."""
        self._turn += 1
        following, self._following = self._following, None
        if following:
            following.stop()
            following.wait(END_S)


def _preview_film(path: Path) -> Callable[[GameTable], GameTable]:
    """Raises InputError."""
    film = open_film(path)
    return lambda state: state.with_film(film)


def _preview_film_again(place: FilmPlace) -> Callable[[GameTable], GameTable]:
    try:
        film = open_again(place)
    except CompanionError as error:
        why = error.sentence
        return lambda state: state.offer_film(place, None, why)
    return lambda state: state.offer_film(place, film)


def _try(
    prepare: Callable[[], Callable[[GameTable], GameTable]],
    refused: Callable[[GameTable], GameTable] = lambda state: state,
) -> Callable[[GameTable], GameTable]:
    """The step that `prepare` returns; if that is refused, one that reports the reason after `refused`."""
    try:
        return prepare()
    except CompanionError as error:
        why = error.sentence
        return lambda state: refused(state).work(None).also(ShowMessage(why, passes=True))


def _take(state: GameTable, noticed: tuple[Noticed, ...]) -> GameTable:
    """What the following noticed besides events."""
    for each in noticed:
        match each:
            case QuestionAsked():
                state = state.see(lambda known, each=each: known.ask(each))  # type: ignore[misc]
                state = state.also(SendNews(SoundWanted(Cue.QUESTION)))
            case FollowingLost(why=why):
                state = state.see(lambda known, why=why: known.lose(why))  # type: ignore[misc]
            case FollowingResumed():
                state = state.see(lambda known: known.lose(None))
            case MirrorNoticed():
                state = state.also(ShowMessage(Sentence(MIRRORED), passes=True))
            case Doubted(why=why):
                state = state.see(lambda known, why=why: known.doubt(why))  # type: ignore[misc]
    return state
