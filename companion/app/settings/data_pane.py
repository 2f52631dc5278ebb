"""A person's data: where they lie, how they are moved, and how a bad reading is packed to be sent."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.settings.cards import CardGrid, SettingCard
from companion.app.settings.state import CopyFolders, Moving, Settings
from companion.app.widgets import theme
from companion.app.widgets.basics import Press, Text
from companion.app.widgets.name_field import NameField
from companion.moving import Spot
from companion.sentences import as_text, msgid
from companion.words import Words

MEGABYTE = 10**6
PATH_LETTERS_MAX = 4096
BUTTON_WIDTH = dp(150)
PRIVATE = msgid("Nothing is ever sent by the program. The file holds the photo and the tiles, no names.")
READY = msgid(
    "Everything is copied to {folder} and compared. The window closes now, copies what has changed since, and"
    " compares every file again. The next start uses the new folder. The old one stays: delete it only when"
    " these settings show the new one."
)
READY_FROM_SCRATCH = msgid(
    "Everything you entered since the start is copied to {folder} and compared. The window closes now, copies"
    " what has changed since, and compares every file again. The next start uses this folder."
)
READY_WHERE_NAMED = msgid(
    "Everything you entered since the start is copied to {folder} and compared. The window closes now, copies"
    " what has changed since, and compares every file again. COMPANION_DATA names another data folder:"
    " the next start uses this one only if you change that variable."
)
NOT_OF_SESSION = msgid(
    "Pictures, voices and games set aside before were not copied: they are still in your former data folder."
)
NOT_COPIED = msgid("Not copied (links and special files): {names}")
NAMES_MAX = 3
"""Of the files that are not copied, this many are named."""
ONE_COLUMN_FROM = dp(900)
"""From this height on there is room for cards below one another."""


class DataPane(CardGrid):
    """While data are moved, only that."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__()
        self._do = do = controller.do
        self.move = Press(" ", act=lambda: do(Settings.offer_to_move))
        self.pack = Press(" ", act=lambda: do(Settings.pack))
        self._folder, self._pack = SettingCard(self.move), SettingCard(self.pack)
        self.copy = Press(" ", act=self._keep_copies)
        self._copies = SettingCard(self.copy)
        self._copies_to: Path | None = None
        self.field = NameField(lambda text: do(lambda state: state.type_folder(text)), PATH_LETTERS_MAX)
        self.go = Press(" ", act=self._move_to_typed, size_hint_x=None, width=BUTTON_WIDTH)
        typed = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        typed.add_widget(self.field)
        typed.add_widget(self.go)
        self.spots = BoxLayout(orientation="vertical", size_hint_y=None, spacing=theme.GAP / 2)
        self.spots.bind(minimum_height=self.spots.setter("height"))
        self._other = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.stay = Press(" ", act=lambda: do(Settings.stay))
        self._where = SettingCard(self.spots, self._other, typed, self.stay)
        self.cancel = Press(" ", act=lambda: do(Settings.stay))
        self._copying = SettingCard(self.cancel)
        self.switch = Press(" ", main=True, act=lambda: do(Settings.switch))
        self.keep = Press(" ", act=lambda: do(Settings.stay))
        self._ready = SettingCard(self.switch, self.keep)
        self._typed = ""
        self._offered: object = None

    def show(self, view: View[Settings]) -> None:
        words, state = view.words, view.state
        moving = state.moving
        if moving is None:
            self._say_folder(state, words)
            is_high = view.size[1] >= ONE_COLUMN_FROM
            offers_copies = state.copies != CopyFolders()
            self._say_copies(state.copies, words)
            cards = [self._folder, *([self._copies] if offers_copies else []), self._pack]
            self.lay(cards, 0 if is_high else view.size[0])
        elif moving.is_ready:
            names = words.join(map(as_text, moving.not_copied[:NAMES_MAX]))
            names += " …" if len(moving.not_copied) > NAMES_MAX else ""
            notes = [words(NOT_COPIED, names=names)] if names else []
            ready = READY
            if not state.data.is_kept:
                ready = READY_WHERE_NAMED if state.data.is_named else READY_FROM_SCRATCH
                notes.append(words(NOT_OF_SESSION))
            self._ready.say(words(ready, folder=str(moving.to)), "\n".join(notes))
            self.switch.text, self.keep.text = words("Close and use it"), words("Leave them where they are")
            self.lay([self._ready], 0)
        elif moving.is_copying:
            done, total = (-(-each // MEGABYTE) for each in (moving.done, moving.total))
            self._copying.say(words("Copying and checking: {done} of {total} MB", done=done, total=total))
            self.cancel.text = words("Cancel")
            self.lay([self._copying], 0)
        else:
            self._ask_where(moving, words)
            self.lay([self._where], 0)

    def _say_folder(self, state: Settings, words: Words) -> None:
        data = state.data
        size = "" if data.size is None else words("{size} MB", size=-(-data.size // MEGABYTE))
        note = words("Games, pictures and settings. {size}", size=size)
        if data.is_fixed:
            note = words("Whoever started the program named this folder: it is changed there.")
        heading, move = words("Your data lie in {folder}", folder=str(data.path)), words("Move them …")
        if not data.is_kept:
            heading, move = words("What you do now is not kept."), words("Choose a folder …")
            note = words(
                "All that was entered so far is copied into the folder that you choose. {size}", size=size
            )
        self._folder.say(heading, note)
        self.move.text, self.move.disabled = move, data.is_fixed
        self._pack.say(words("A photo was read wrongly?"), words(PRIVATE))
        self.pack.text = words("Pack a bad reading")

    def _say_copies(self, copies: CopyFolders, words: Words) -> None:
        """Show where copies are kept, and offer the other place."""
        note = words("One for each day of play, the last ten of each game, in the data folder.")
        if copies.used is not None:
            note = words(
                "One for each day of play, the last ten of each game, in the data folder and in {folder}.",
                folder=str(copies.used),
            )
        self._copies.say(words("Copies of your games"), note)
        self._copies_to = copies.offered
        self.copy.text = words("In the data folder only")
        if copies.offered is not None:
            self.copy.text = words("Copy them to {stick} too", stick=copies.offered.name)

    def _keep_copies(self) -> None:
        self._do(lambda state: state.keep_copies_in(self._copies_to))

    def _ask_where(self, moving: Moving, words: Words) -> None:
        self._where.say(
            words("Where are your data to lie? They are copied and checked before anything changes.")
        )
        self._typed = moving.typed
        self._other.text = words("Another folder, by its whole path:")
        self.go.text, self.stay.text = words("Move there"), words("Leave them where they are")
        self.go.disabled = not moving.typed.strip()
        if self.field.text != moving.typed:
            self.field.show(moving.typed)
        offered = moving.spots, words.language
        if offered != self._offered:
            self._offered = offered
            self.spots.clear_widgets()
            for spot in moving.spots or ():
                self.spots.add_widget(self._make_spot(spot, words))

    def _make_spot(self, spot: Spot, words: Words) -> Press:
        free = "" if spot.free is None else words("{size} MB free", size=f"{spot.free // MEGABYTE:,}")
        return Press(f"{spot.folder}  ·  {free}", act=partial(self._move_to, spot.folder))

    def _move_to(self, folder: Path) -> None:
        self._do(lambda state: state.move_to(folder))

    def _move_to_typed(self) -> None:
        self._move_to(Path(self._typed.strip()).expanduser())
