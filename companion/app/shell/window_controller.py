"""The one place where features take steps: carries out their effects and returns the results as news. Reads
pictures and runs jobs on threads. No Kivy; call everything here on the window's thread."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from companion.app.effects import (
    ApplyTheme,
    AskQuestion,
    ClearRefusal,
    Close,
    ComeToFront,
    DropQuestion,
    Effect,
    GivePicture,
    GoBack,
    Keep,
    ReadPicture,
    Resize,
    SendNews,
    SetLanguage,
    ShowMessage,
    UseKeyboard,
    UseTileSet,
)
from companion.app.feature import Feature, FeatureState, take_step
from companion.app.news import (
    Covered,
    FollowingPaused,
    LanguageChanged,
    News,
    PictureChosen,
    PictureFailed,
    PictureOpened,
    PictureProgress,
    PictureRead,
    SoundWanted,
    Started,
    TileSetChanged,
    Uncovered,
)
from companion.app.recognition import PictureReader
from companion.app.shell.session import Session, SessionSlot, Writer, save
from companion.app.shell.window_state import Banner, WindowState, WindowView, find_at_work, find_undoing
from companion.app.shown import shrink_to_show
from companion.errors import CompanionError
from companion.files import name_reason
from companion.game.updates import Post
from companion.live.tones import Cue
from companion.sentences import Sentence
from companion.words import Language, Words

T = TypeVar("T")

log = logging.getLogger(__name__)


class PictureThread:
    """`on_news` is called on the window's thread with the progress of the newest picture."""

    def __init__(self, reader: PictureReader, post: Post, on_news: Callable[[News], None]) -> None:
        self._reader = reader
        self._post = post
        self._on_news = on_news
        self._newest = 0
        self._closed = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")

    def request(self, wanted: ReadPicture) -> None:
        """Open that picture, and read it where that is wanted."""
        self._newest += 1
        number = self._newest
        self._begin(lambda: self._run(number, wanted))

    def run(
        self, job: Callable[[], T], done: Callable[[T], None], failed: Callable[[Sentence], None]
    ) -> None:
        """Run `job` after the current ones; `done` receives its result, `failed` the reason for its
        failure."""

        def work() -> None:
            try:
                result = job()
            except Exception as error:
                log.exception("a job of the window")
                why = Sentence(
                    "Something went wrong ({why}); what you entered is kept.", {"why": _describe(error)}
                )
                self._post(lambda: failed(why))
            else:
                self._post(lambda: done(result))

        self._begin(work)

    def close(self) -> None:
        """Start and report nothing more; later requests are ignored."""
        self._newest += 1
        self._closed = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _begin(self, work: Callable[[], None]) -> None:
        if not self._closed:
            self._thread.submit(work)

    def _run(self, number: int, wanted: ReadPicture) -> None:
        def tell(news: News) -> None:
            self._post(lambda: self._on_news(news) if number == self._newest else None)

        if number != self._newest:
            return
        path, read = wanted.path, self._reader.read_plainly if wanted.plain else self._reader.read
        try:
            tell(PictureProgress(Sentence("Opening the picture …")))
            image = self._reader.recognition.load(path)
            tell(PictureOpened(path, shrink_to_show(image)))
            tell(PictureProgress(Sentence("Reading the tiles …")))
            tell(PictureRead(path, read(image) if wanted.read else None))
        except CompanionError as error:
            tell(PictureFailed(path, error.sentence))
        except Exception as error:
            log.exception("reading %s", path)
            why = Sentence(
                "Something went wrong while reading the picture ({why}); your tiles are kept.",
                {"why": _describe(error)},
            )
            tell(PictureFailed(path, why))


def _describe(error: Exception) -> str:
    return str(error) or type(error).__name__


LAST_WRITE_S = 10.0
"""The longest wait for the last write when the window closes: a disk that needs longer is given up."""

StateStep = Callable[[Any], Any]


class FeatureController:
    """The window as one feature may use it."""

    def __init__(self, name: str, do: Callable[[str, StateStep], None], thread: PictureThread) -> None:
        self._name = name
        self._do = do
        self.thread = thread

    def do(self, step: StateStep) -> None:
        self._do(self._name, step)

    def work(self, job: Callable[[], StateStep]) -> None:
        self.thread.run(
            job, self.do, lambda why: self.do(lambda state: state.work(None).also(ShowMessage(why)))
        )


class WindowController:
    """Owns the state of the window and of its features; `on_view` is called with everything that is shown,
    `on_resize` with the percentage of its true size that it is to have, `on_close` where it is to close.

    home: the feature that is in front when the window opens. place: which file the window has. language:
    where it is not to be the one that was used last; it is kept for the next time.
    """

    def __init__(
        self,
        features: Sequence[Feature[Any]],
        *,
        home: str,
        place: SessionSlot,
        reader: PictureReader,
        post: Post,
        language: Language | None = None,
    ) -> None:
        self.on_view: Callable[[WindowView], None] = lambda view: None
        self.on_resize: Callable[[int], None] = lambda percent: None
        self.on_close: Callable[[], None] = lambda: None
        self.place = place
        self.features: Mapping[str, Feature[Any]] = {feature.name: feature for feature in features}
        self._reader = reader
        self._post = post
        self._steps: deque[tuple[str, StateStep]] = deque()
        self._stepping = False
        self._keep = False
        self._paused = False
        self._writer = Writer(self._write, lambda error: post(lambda: self._complain(error)))
        self._controllers = {name: self._controller_of(name) for name in self.features}
        saved = place.saved
        known = saved.language if saved else None
        self._is_asked_for = language not in (None, known)
        language = language or known or Language.ENGLISH
        complaint = Banner(place.complaint) if place.complaint else None
        self._window = WindowState((home,), language, complaint, place.note, warning=place.warning)
        parts = saved.parts if saved else {}
        self._states: dict[str, FeatureState] = {
            name: feature.begin(parts.get(name), self._controllers[name])
            for name, feature in self.features.items()
        }

    @property
    def view(self) -> WindowView:
        return WindowView(self._window, dict(self._states), Words(self._window.language))

    def controller_of(self, name: str) -> FeatureController:
        """What the panes of that feature use."""
        return self._controllers[name]

    def start(self, picture: Path | None) -> None:
        """Carry out what the features begin with, show them, and open `picture` or what was left last."""
        self._keep = self._keep or self._is_asked_for
        first, *others = self.features
        self._steps.extend((name, lambda state: state) for name in others)
        self.do(first, lambda state: state)
        self.announce(LanguageChanged(self._window.language))
        if picture:
            self.bring_picture(picture)
        else:
            self.announce(Started())

    def do(self, name: str, step: StateStep) -> None:
        """Take a step of that feature, and all that follow from it; then show what there is."""
        self._take([(name, step)])

    def _take(self, steps: Sequence[tuple[str, StateStep]]) -> None:
        """Take these steps after those that wait, and all that follow; then show what there is, once."""
        self._steps.extend(steps)
        if self._stepping:
            return
        self._stepping = True
        try:
            while self._steps:
                name, step = self._steps.popleft()
                self._states[name], effects = take_step(self._states[name], step)
                for effect in effects:
                    self._carry_out(name, effect)
                self._announce_pause()
        finally:
            self._stepping = False
        self._show()

    def announce(self, news: News) -> None:
        """Have every feature hear it."""
        self._take([(name, lambda state: state.on_news(news)) for name in self.features])

    def bring_picture(self, path: Path) -> None:
        """Give a picture to the feature that is at work, and show that."""
        brought = PictureChosen(path.expanduser().absolute())
        at_work = find_at_work(self._window, self._states)
        self.do(at_work, lambda state: state.on_news(brought).also(ComeToFront()))

    def undo(self) -> None:
        """Take back a step of the feature in front, or of the one that is at work, and show that."""
        self.do(find_undoing(self._window, self._states), lambda state: state.undo_in_sight())

    def step_back(self) -> None:
        """What the key for going back does."""
        self.do(self._window.front, lambda state: state.step_back())

    def dismiss_banner(self) -> None:
        """Take away what the banner says."""
        self._window = self._window.dismiss()
        self._show()

    def answer_banner(self) -> None:
        """Tell the features what the banner's button stands for."""
        banner = self._window.banner
        if banner and banner.then:
            self._window = self._window.with_banner(None)
            self.announce(banner.then)

    def set_language(self, language: Language) -> None:
        self._window = self._window.speak(language)
        self._keep = True
        self.announce(LanguageChanged(language))

    def close(self) -> None:
        """End the running jobs, and wait until everything is saved."""
        for controller in self._controllers.values():
            controller.thread.close()
        for feature in self.features.values():
            feature.close()
        self.write_last()
        self.place.release()

    def wait_until_kept(self, seconds: float) -> bool:
        """Wait until everything is saved, up to that time; returns whether it is."""
        return self._writer.wait(seconds)

    def write_last(self) -> bool:
        """Write what could not be written before, and wait as the window closes; whether all is on disk."""
        return self._writer.finish(LAST_WRITE_S)

    def _controller_of(self, name: str) -> FeatureController:
        def on_news(news: News) -> None:
            self.do(name, lambda state: state.on_news(news))

        return FeatureController(name, self.do, PictureThread(self._reader, self._post, on_news))

    def _carry_out(self, name: str, effect: Effect) -> None:
        match effect:
            case Keep():
                self._keep = True
            case ShowMessage(sentence, trouble, passes):
                people, passes = self._states[name].people, passes or not trouble
                banner = Banner(sentence, trouble, people=people, passes=passes) if sentence else None
                self._window = self._window.with_banner(banner)
                if sentence and trouble:
                    self.announce(SoundWanted(Cue.ERROR))
            case ClearRefusal():
                self._window = self._window.drop_refusal()
            case DropQuestion(then):
                self._window = self._window.drop_question(then)
            case AskQuestion(sentence, answer, then, passes):
                people = self._states[name].people
                self._window = self._window.with_banner(Banner(sentence, False, answer, then, people, passes))
                if not passes:  # it waits for an answer
                    self.announce(SoundWanted(Cue.QUESTION))
            case SetLanguage(language):
                self.set_language(language)
            case ApplyTheme(look):
                self._window = self._window.with_look(look)
            case UseKeyboard(use):
                self._window = self._window.with_keyboard(use)
            case Resize(percent):
                self.on_resize(percent)
            case Close():
                self.on_close()
            case ComeToFront():
                self._show_front(self._window.bring_to_front(name))
            case GoBack():
                self._show_front(self._window.leave(name))
            case ReadPicture():
                self._controllers[name].thread.request(effect)
            case GivePicture(path):
                self.bring_picture(path)
            case UseTileSet(tile_set, again):
                self._reader.tile_set = tile_set
                self.announce(TileSetChanged(tile_set.name if tile_set else None, again))
            case SendNews(news):
                self.announce(news)
            case _:
                self.features[name].perform(effect, self._controllers[name])

    def _show_front(self, window: WindowState) -> None:
        """Let the features know whose page comes to the front, and whose goes behind it."""
        before, self._window = self._window.front, window
        if before != window.front:
            self.do(before, lambda state: state.on_news(Covered()))
            self.do(window.front, lambda state: state.on_news(Uncovered()))
        self._announce_pause()

    def _announce_pause(self) -> None:
        """Inform the features whether the page in front allows following a game."""
        paused = self._states[self._window.front].pauses_following
        if paused != self._paused:
            self._paused = paused
            self.announce(FollowingPaused(paused))

    def _show(self) -> None:
        self._window = self._window.turn_to(self._states[self._window.front].page)
        if self._keep:
            self._keep = False
            if self.place.path is not None:
                self._writer.put(self._kept())
        self.on_view(self.view)

    def _kept(self) -> Session:
        parts = {
            name: kept
            for name, feature in self.features.items()
            if feature.part and (kept := feature.keep(self._states[name])) is not None
        }
        return Session(self._window.language, parts)

    def _write(self, kept: Session) -> None:
        assert self.place.path is not None
        save(self.place.path, kept)

    def _complain(self, error: Exception) -> None:
        why = name_reason(error)
        trouble = Sentence("This hand cannot be saved ({why}): free some space.", {"why": why})
        self._window = self._window.with_banner(Banner(trouble))
        self._show()
