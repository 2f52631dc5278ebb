"""What the window asks first if nothing can be kept in the data folder: another folder, or none."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout

from companion import moving
from companion.app.shell.bar import offer_languages
from companion.app.shell.data_place import (
    DataPlace,
    NoPlace,
    find_data_place,
    play_without,
    use_instead,
)
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Text
from companion.app.widgets.name_field import NameField
from companion.errors import CompanionError
from companion.files import name_reason
from companion.game.updates import Post
from companion.moving import Spot
from companion.sentences import Sentence, msgid
from companion.words import Language, Words

WIDTH_MAX = dp(860)
LANGUAGES_WIDTH = dp(270)
BUTTON_WIDTH = dp(150)
PATH_LETTERS_MAX = 4096
MEGABYTE = 10**6
CHOICE = Sentence("Fix that and try again, or choose another folder: what can still be read is copied to it.")
FAILED = msgid("That folder cannot be used ({why}): choose another one.")
COPYING = msgid("Copying: {done} of {total} MB")

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asking:
    """What the question shows. spots: the folders on offer; doing: the running job; failed: why the last
    attempt failed."""

    trouble: NoPlace
    language: Language
    spots: tuple[Spot, ...] = ()
    typed: str = ""
    doing: Sentence | None = None
    failed: Sentence | None = None


class DataQuestion(AnchorLayout):
    """Fills the window until `answer` gets a folder to keep what people do in, or to play in without keeping,
    and the language that was chosen meanwhile. scratch: a folder that goes with the window. Jobs run on a
    thread of their own, one at a time."""

    def __init__(
        self,
        asking: Asking,
        scratch: Path,
        post: Post,
        answer: Callable[[DataPlace, Language], None],
    ) -> None:
        super().__init__(padding=theme.PAD)
        self.asking = asking
        self._post = post
        self._answer = answer
        self.languages = Choices(self._speak, size=theme.TEXT, size_hint_x=None, width=LANGUAGES_WIDTH)
        self.trouble = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.choice = Text()
        self.again = Press(" ", main=True, act=lambda: self._try(find_data_place))
        self.spots = layout.column(size_hint_y=None, spacing=theme.GAP / 2)
        self.spots.bind(minimum_height=self.spots.setter("height"))
        self.other = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.field = NameField(lambda text: self._take(replace(self.asking, typed=text)), PATH_LETTERS_MAX)
        self.use = Press(" ", act=self._use_typed, size_hint_x=None, width=BUTTON_WIDTH)
        typed = layout.row(self.field, self.use, height=theme.TOUCH)
        self.without = Press(
            " ", act=lambda: self._try(partial(play_without, self.asking.trouble.folder, scratch))
        )
        self.lost = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.doing = Text(colour=theme.UNSURE)
        self._column = Column(padding=theme.PAD, spacing=1.5 * theme.GAP)
        self._said = (self.languages, self.trouble, self.choice)
        self._offers = (self.again, self.spots, self.other, typed, self.without, self.lost)
        self._card = Card(padding=0, size_hint=(None, None))
        self._card.add_widget(self._column)
        self._column.inside.bind(height=self._fit)
        self.bind(size=self._fit)
        self.add_widget(self._card)
        self._offered: object = None
        self._show()
        self._look_for_spots()

    def _fit(self, *_: object) -> None:
        """No larger than it needs to be."""
        room = self.width - 2 * theme.PAD, self.height - 2 * theme.PAD
        self._card.size = min(WIDTH_MAX, room[0]), min(self._column.inside.height, room[1])

    def _take(self, asking: Asking) -> None:
        self.asking = asking
        self._show()

    def _speak(self, key: str) -> None:
        self._take(replace(self.asking, language=Language(key)))

    def _show(self) -> None:
        asking = self.asking
        words = Words(asking.language)
        offer_languages(self.languages, words)
        self.trouble.text, self.choice.text = words.say(asking.trouble.sentence), words.say(CHOICE)
        said = asking.doing or asking.failed
        self.doing.text = words.say(said) if said else ""
        shown = [*self._said, *((self.doing,) if said else ()), *self._offers]
        if self._column.inside.children[::-1] != shown:
            self._column.inside.clear_widgets()
            for child in shown:
                self._column.inside.add_widget(child)
        self.again.text, self.use.text = words("Try again"), words("Use it")
        self.without.text = words("Play without saving")
        self.lost.text = words("Everything is lost when the window closes, unless you choose a folder first.")
        self.other.text = words("Another folder, by its full path:")
        busy = asking.doing is not None
        for press in (self.again, self.without, *self.spots.children):
            press.disabled = busy
        self.use.disabled = busy or not asking.typed.strip()
        offered = asking.spots, asking.language
        if offered != self._offered:
            self._offered = offered
            self.spots.clear_widgets()
            for spot in asking.spots:
                free = "" if spot.free is None else words("{size} MB free", size=spot.free // MEGABYTE)
                act = partial(self._use, spot.folder)
                self.spots.add_widget(Press(f"{spot.folder}  ·  {free}", act=act, disabled=busy))

    def _use_typed(self) -> None:
        self._use(Path(self.asking.typed.strip()).expanduser())

    def _use(self, folder: Path) -> None:
        def tell(done: int, total: int) -> None:
            progress = Sentence(COPYING, {"done": done // MEGABYTE, "total": -(-total // MEGABYTE)})
            self._post(lambda: self._take(replace(self.asking, doing=progress)))

        self._try(partial(use_instead, self.asking.trouble.folder, folder, tell))

    def _look_for_spots(self) -> None:
        def look() -> None:
            now = self.asking.trouble.folder
            found = moving.list_spots(now or Path(), takes_used=True)
            spots = tuple(spot for spot in found if spot.free != 0)
            self._post(lambda: self._take(replace(self.asking, spots=spots)))

        threading.Thread(target=look, name="folders", daemon=True).start()

    def _try(self, job: Callable[[], DataPlace | NoPlace]) -> None:
        """Do the job away from the window's thread, and take what comes of it for the answer."""
        self._take(replace(self.asking, doing=Sentence("One moment …"), failed=None))
        threading.Thread(target=self._run, args=(job,), name="folders", daemon=True).start()

    def _run(self, job: Callable[[], DataPlace | NoPlace]) -> None:
        found: DataPlace | NoPlace | Sentence
        try:
            found = job()
        except CompanionError as error:
            found = error.sentence
        except Exception as error:
            if not isinstance(error, OSError):
                log.exception("choosing a data folder")
            why = name_reason(error)
            found = Sentence(FAILED, {"why": why})
        self._post(lambda: self._end(found))

    def _end(self, found: DataPlace | NoPlace | Sentence) -> None:
        if isinstance(found, DataPlace):
            self._answer(found, self.asking.language)
        elif isinstance(found, NoPlace):
            self._take(replace(self.asking, trouble=found, doing=None))
        else:
            self._take(replace(self.asking, failed=found, doing=None))
