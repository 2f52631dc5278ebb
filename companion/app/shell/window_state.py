"""The state of the window as a whole, as a frozen value: the page in front, its message, its language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.app.feature import FeatureState
from companion.app.keyboards import KeyboardUse
from companion.app.look import USUAL, Look
from companion.app.news import News
from companion.sentences import Sentence
from companion.words import Language, Words


@dataclass(frozen=True, slots=True)
class Banner:
    """One sentence across the window that blocks nothing. `trouble`: something went wrong. `answer`: the
    answer that a person may touch, and `then` the news that it sends. people: the names in the seats that it
    mentions. passes: whether it disappears with the `page` that was in front when it was first shown.
    """

    sentence: Sentence
    trouble: bool = True
    answer: Sentence | None = None
    then: News | None = None
    people: tuple[str, ...] = ()
    passes: bool = False
    page: str | None = None

    def stay_on(self, page: str) -> Banner | None:
        """The message to keep on this page; None if it should disappear."""
        if self.passes and self.page not in (None, page):
            return None
        return replace(self, page=page)


@dataclass(frozen=True, slots=True)
class WindowState:
    """fronts: the features whose pages were brought to the front, the one in front last; the first never
    leaves. note: the message if there is no other; warning: the permanent message.
    """

    fronts: tuple[str, ...]
    language: Language = Language.ENGLISH
    banner: Banner | None = None
    note: Sentence | None = None
    warning: Sentence | None = None
    look: Look = USUAL
    keyboard: KeyboardUse = KeyboardUse.AUTOMATIC

    @property
    def front(self) -> str:
        return self.fronts[-1]

    @property
    def shown_banner(self) -> Banner | None:
        return self.banner or (Banner(self.note, trouble=False) if self.note else None)

    def bring_to_front(self, name: str) -> WindowState:
        """That feature above all others; the first one has none below it."""
        first, *others = self.fronts
        above = () if name == first else (*(other for other in others if other != name), name)
        return replace(self, fronts=(first, *above))

    def leave(self, name: str) -> WindowState:
        """Without that feature; what was in front before it comes back."""
        first, *others = self.fronts
        return replace(self, fronts=(first, *(other for other in others if other != name)))

    def with_banner(self, banner: Banner | None) -> WindowState:
        return replace(self, banner=banner)

    def drop_refusal(self) -> WindowState:
        """Without what was said of a touch that was refused."""
        banner = self.banner
        return self.with_banner(None) if banner is not None and banner.trouble and banner.passes else self

    def drop_question(self, then: News) -> WindowState:
        """Without the question that is answered so."""
        return self.with_banner(None) if self.banner is not None and self.banner.then == then else self

    def turn_to(self, page: str) -> WindowState:
        """With that page in front: what was said of another one goes."""
        return replace(self, banner=self.banner.stay_on(page)) if self.banner else self

    def dismiss(self) -> WindowState:
        """Without what the banner says."""
        return replace(self, banner=None) if self.banner else replace(self, note=None)

    def with_look(self, look: Look) -> WindowState:
        return replace(self, look=look)

    def with_keyboard(self, use: KeyboardUse) -> WindowState:
        return replace(self, keyboard=use)

    def speak(self, language: Language) -> WindowState:
        return replace(self, language=language)


@dataclass(frozen=True, slots=True)
class WindowView:
    """All that is shown: the window's state, and that of each feature by its name."""

    window: WindowState
    states: Mapping[str, FeatureState]
    words: Words

    @property
    def front(self) -> FeatureState:
        return self.states[self.window.front]

    def words_of(self, name: str) -> Words:
        """The window's language, with the names of that feature's players."""
        return self.words.of(self.states[name].people)

    @property
    def at_work(self) -> str:
        """The name of the feature that is worked with: the uppermost whose page is more than viewed."""
        return find_at_work(self.window, self.states)

    @property
    def undoing(self) -> str:
        """The name of the feature whose step undo takes back."""
        return find_undoing(self.window, self.states)

    def find_panel(self) -> tuple[str, str] | None:
        """The feature that has a panel for the page in front, and the panel's name."""
        room = self.front.room
        if room is None:
            return None
        offers = ((name, state.panel_for(room)) for name, state in self.states.items())
        return next(((name, panel) for name, panel in offers if panel is not None), None)

    @property
    def busy(self) -> Sentence | None:
        """What is under way, of the feature at work first."""
        states = (self.states[self.at_work], *self.states.values())
        return next((state.busy for state in states if state.busy), None)


def find_at_work(window: WindowState, states: Mapping[str, FeatureState]) -> str:
    """The name of the uppermost feature whose page is not only viewed next to the work."""
    upward = (name for name in reversed(window.fronts) if not states[name].is_overlay)
    return next(upward, window.fronts[0])


def find_undoing(window: WindowState, states: Mapping[str, FeatureState]) -> str:
    """The name of the feature whose step undo takes back: the one in front where it has one, else the one
    that is at work."""
    return window.front if states[window.front].can_undo else find_at_work(window, states)
