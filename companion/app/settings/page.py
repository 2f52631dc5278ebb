"""The settings page: four parts (look, sound, table, data), one shown at a time. A touch applies
immediately."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.cameras import name_camera, say_camera
from companion.app.feature import Controller, View
from companion.app.keyboards import KeyboardUse
from companion.app.look import Shade, Spacing, TextSize
from companion.app.settings.state import PERCENTS, VOLUMES, CopyFolders, Moving, Settings, SettingsTab
from companion.app.text import LANGUAGES
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Text, line_up
from companion.app.widgets.fields import Pick
from companion.app.widgets.name_field import NameField
from companion.app.widgets.stage import LiveStage
from companion.images import Image
from companion.live.announcing import choose_voice
from companion.live.tones import Cue
from companion.moving import CANNOT_MOVE, Spot
from companion.seeing.camera_check import NAMES
from companion.sentences import as_text, msgid
from companion.words import Language, Words

ON_OFF = ((False, msgid("Off")), (True, msgid("On")))
TWO_COLUMNS_FROM = dp(900)
GROW_MAX = 1.2
"""Maximum height that a touchable row gains, in heights of a button."""


class SettingCard(Card):
    """A heading, the choices, and an explanation."""

    def __init__(self, *widgets: Widget) -> None:
        super().__init__(spacing=theme.GAP / 2)
        self.heading = Text(size=theme.TEXT)
        self.note = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._widgets = widgets
        self._space = Widget()
        """Space below its content, if another card of the row is higher."""
        self._placed: object = None

    def grow(self, extra: float) -> None:
        """What is touched is higher by that much, px, and its words larger."""
        for widget in self._widgets:
            if isinstance(widget, Press):
                widget.grow(theme.TOUCH + extra)
            elif isinstance(widget, GridLayout):
                rows = -(-len(widget.children) // max(widget.cols, 1)) or 1
                for each in widget.children:
                    each.grow(theme.TOUCH + extra / rows)

    def say(self, heading: str, note: str = "") -> None:
        self.heading.text, self.note.text = heading, note
        shown = [self.heading, *self._widgets, *([self.note] if note else []), self._space]
        if shown != self._placed:
            self._placed = shown
            self.clear_widgets()
            for child in shown:
                self.add_widget(child)


class CardGrid(Column):
    """Cards in two columns if there is room, with larger touchable rows if there is more."""

    def __init__(self) -> None:
        super().__init__()
        self._laid: object = None
        self._cards: Sequence[SettingCard] = ()
        self._rows = 0
        self._grown = 0.0
        use_room = Clock.create_trigger(self._use_room, -1)
        self.bind(height=use_room)
        self.inside.bind(minimum_height=use_room)

    def lay(self, cards: Sequence[SettingCard], width: float) -> None:
        """width: of the window, px."""
        a_row = 2 if width >= TWO_COLUMNS_FROM else 1
        if (tuple(cards), a_row) != self._laid:
            self._laid, self._cards = (tuple(cards), a_row), cards
            self.inside.clear_widgets()
            rows = line_up(cards, a_row)
            for row in rows:
                self.inside.add_widget(row)
            self._rows = len(rows)
            for card in cards:
                card.grow(self._grown)

    def _use_room(self, _: float) -> None:
        """Share out what the rows leave free."""
        if not self._rows or self.get_parent_window() is None:
            return
        least = self.inside.minimum_height - self._rows * self._grown
        extra = min(max((self.height - least) / self._rows, 0.0), GROW_MAX * theme.TOUCH)
        if abs(extra - self._grown) > theme.HAIRLINE:
            self._grown = extra
            for card in self._cards:
                card.grow(extra)


def say_pairs(pairs: Sequence[tuple[object, str]], words: Words) -> list[tuple[str, str]]:
    """Keys and words as `Choices` offers them."""
    return [(str(key), words(name)) for key, name in pairs]


MEGABYTE = 10**6
PATH_LETTERS_MAX = 4096
MOVE_WIDTH = dp(150)
PRIVATE = msgid("The program sends this file nowhere. It holds the photo and the tiles, no names.")
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
    "Pictures, voices and archived games were not copied: they are still in the old data folder."
)
NOT_COPIED = msgid("Not copied (links and special files): {names}")
NAMES_MAX = 3
"""Maximum number of uncopied files that are named."""
ONE_COLUMN_FROM = dp(900)
"""Window height from which cards are placed below each other."""


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
        self.go = Press(" ", act=self._move_to_typed, size_hint_x=None, width=MOVE_WIDTH)
        typed = layout.row(self.field, self.go, height=theme.TOUCH)
        self.spots = layout.column(size_hint_y=None, spacing=theme.GAP / 2)
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
            self.switch.text, self.keep.text = words("Close and switch"), words("Leave it there")
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
        if not data.can_move:
            note = words(CANNOT_MOVE)
        elif data.is_fixed:
            note = words("This folder was set when the program was started: change it there.")
        heading, move = words("Your data is in {folder}", folder=str(data.path)), words("Move it …")
        if not data.is_kept:
            heading, move = words("Nothing you do now is saved."), words("Choose a folder …")
            note = words("Everything entered so far is copied to the folder you choose. {size}", size=size)
        self._folder.say(heading, note)
        self.move.text, self.move.disabled = move, data.is_fixed
        self._pack.say(words("Was a photo misread?"), words(PRIVATE))
        self.pack.text = words("Pack a bad reading")

    def _say_copies(self, copies: CopyFolders, words: Words) -> None:
        """Show where copies are kept, and offer the other place."""
        note = words("One copy per day of play; the last ten of each game are kept in the data folder.")
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
        self._where.say(words("Where should your data be? It is copied and checked before anything changes."))
        self._typed = moving.typed
        self._other.text = words("Another folder, by its full path:")
        self.go.text, self.stay.text = words("Move there"), words("Leave it there")
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
        free = "" if spot.free is None else words("{size} MB free", size=spot.free // MEGABYTE)
        return Press(f"{spot.folder}  ·  {free}", act=partial(self._move_to, spot.folder))

    def _move_to(self, folder: Path) -> None:
        self._do(lambda state: state.move_to(folder))

    def _move_to_typed(self) -> None:
        self._move_to(Path(self._typed.strip()).expanduser())


SHADES = (
    (Shade.DESKTOP, msgid("Automatic")), (Shade.DARK, msgid("Dark")), (Shade.LIGHT, msgid("Light")),
)  # fmt: skip
SIZES = (
    (TextSize.NORMAL, msgid("Normal")), (TextSize.LARGE, msgid("Large")),
    (TextSize.VERY_LARGE, msgid("Very large")),
)  # fmt: skip
KEYBOARDS = (
    (KeyboardUse.AUTOMATIC, msgid("Automatic")), (KeyboardUse.ALWAYS, msgid("Always")),
    (KeyboardUse.NEVER, msgid("Never")),
)  # fmt: skip
SPACINGS = (
    (Spacing.DENSE, msgid("Dense")), (Spacing.NORMAL, msgid("Normal")), (Spacing.ROOMY, msgid("Roomy")),
)  # fmt: skip


class AppearancePane(CardGrid):
    """A touch applies immediately."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__()

        def change(**changes: object) -> None:
            controller.do(lambda state: state.change(**changes))

        self.language = Choices(lambda key: controller.do(lambda state: state.speak(Language(key))))
        self.text = Choices(lambda key: change(text=TextSize(key)))
        self.shade = Choices(lambda key: change(shade=Shade(key)))
        self.safe = Choices(lambda key: change(safe=key == "True"))
        self.spacing = Choices(lambda key: change(spacing=Spacing(key)))
        self.motion = Choices(lambda key: change(motion=key == "True"))
        self.percent = Choices(lambda key: change(percent=int(key)))
        self.keyboard = Choices(lambda key: change(keyboard=KeyboardUse(key)))
        chosen = (
            self.language, self.text, self.shade, self.safe, self.spacing, self.motion, self.percent,
            self.keyboard,
        )  # fmt: skip
        self._own = [SettingCard(each) for each in chosen]

    def show(self, view: View[Settings]) -> None:
        words, kept = view.words, view.state.kept
        titles = (
            words("Language"), words("Size of the text"), words("Colours"),
            words("Colours safe for red-green colour blindness"), words("Spacing"),
            words("Show tiles and points moving"), words("Display size (after a restart)"),
            words("On-screen keyboard"),
        )  # fmt: skip
        for card, title in zip(self._own, titles, strict=True):
            card.say(title)
        self.lay(self._own, view.size[0])
        self.language.offer(LANGUAGES, words.language)
        self.text.offer(say_pairs(SIZES, words), kept.text)
        self.shade.offer(say_pairs(SHADES, words), kept.shade)
        self.safe.offer(say_pairs(ON_OFF, words), str(kept.safe))
        self.spacing.offer(say_pairs(SPACINGS, words), kept.spacing)
        self.motion.offer(say_pairs(ON_OFF, words), str(kept.motion))
        self.percent.offer([(str(each), f"{each} %") for each in PERCENTS], str(kept.percent))
        self.keyboard.offer(say_pairs(KEYBOARDS, words), kept.keyboard)


VOLUME_NAMES = (msgid("Off"), msgid("Quiet"), msgid("Medium"), msgid("Loud"))
CUE_NAMES = {
    Cue.DISCARD: msgid("A discard"),
    Cue.CLAIM: msgid("A claim"),
    Cue.WIN: msgid("A win"),
    Cue.SEA: msgid("Sea Floor"),
    Cue.QUESTION: msgid("A question"),
    Cue.ERROR: msgid("An error"),
}
NO_VOICE = msgid("No voice is installed for this language: install espeak-ng, or piper with a voice.")
LOOKING = msgid("Searching for voices …")


class SoundPane(CardGrid):
    """Whoever changes a volume hears it."""

    def __init__(self, controller: Controller[Settings]) -> None:
        super().__init__()
        do = controller.do
        self.sounds = Choices(lambda key: do(lambda state: state.set_sounds(int(key))))
        self.volume = Choices(lambda key: do(lambda state: state.set_voice(volume=int(key))))
        self.turns = Choices(lambda key: do(lambda state: state.change(turns=key == "True")))
        self.muted = Choices(lambda key: do(lambda state: state.change(muted=key == "True")))
        self.voice = Pick(lambda key: do(lambda state: state.choose_voice(key)))
        self._samples = layout.grid(3, spacing=theme.GAP / 2, size_hint_y=None)
        self._samples.bind(minimum_height=self._samples.setter("height"))
        self.samples: dict[Cue, Press] = {}
        for cue in CUE_NAMES:
            self.samples[cue] = Press(" ", act=partial(self._listen, cue), size=theme.TEXT_SMALL)
            self._samples.add_widget(self.samples[cue])
        self._do = do
        widgets = (self.sounds, self._samples, self.volume, self.turns, self.voice, self.muted)
        self._own = [SettingCard(each) for each in widgets]

    def show(self, view: View[Settings]) -> None:
        words, state, kept = view.words, view.state, view.state.kept
        voices = [voice for voice in state.voices or () if voice.speaks(state.chinese)]
        none = words(LOOKING) if state.voices is None else "" if voices else words(NO_VOICE)
        titles = (
            (words("Sounds"), ""),
            (words("Play a sample"), ""),
            (words("Voice: wins, claims, Sea Floor, payments"), ""),
            (words("Voice: whose turn it is"), ""),
            (words("Which voice"), none),
            (words("Mute everything"), words("The Sea Floor is still shown, but not announced.")),
        )
        for card, (title, note) in zip(self._own, titles, strict=True):
            card.say(title, note)
        self.lay(self._own, view.size[0])
        volumes = say_pairs(tuple(zip(VOLUMES, VOLUME_NAMES, strict=True)), words)
        self.sounds.offer(volumes, str(kept.sounds))
        self.volume.offer(volumes, str(kept.volume))
        self.turns.offer(say_pairs(ON_OFF, words), str(kept.turns))
        self.muted.offer(say_pairs(ON_OFF, words), str(kept.muted))
        chosen = choose_voice(voices, state.chinese, {True: kept.voice_zh, False: kept.voice_en})
        self.voice.offer([(voice.id, voice.name) for voice in voices], chosen.id if chosen else None)
        self.voice.disabled = not voices
        for cue, press in self.samples.items():
            press.text = words(CUE_NAMES[cue])

    def _listen(self, cue: Cue) -> None:
        self._do(lambda state: state.listen(cue))


PICTURES_PER_S = 15
FINDING_COLOURS: dict[bool | None, Callable[[], theme.Colour]] = {
    True: lambda: theme.SURE, False: lambda: theme.UNSURE, None: lambda: theme.IVORY_DIM,
}  # fmt: skip
NO_CAMERA = msgid(
    "No camera was found. Plug one in and touch Search again, or choose a film to follow; without either,"
    " everything works by touch."
)


class TablePane(BoxLayout):
    """find_picture: what the camera sees at this moment."""

    def __init__(self, controller: Controller[Settings], find_picture: Callable[[], Image | None]) -> None:
        super().__init__(spacing=theme.GAP)
        do = controller.do
        self._find_picture = find_picture
        self._drawn: Image | None = None
        self.stage = LiveStage()
        self.heading, self.note = Text(), Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.camera = Pick(lambda key: do(lambda state: state.change(camera=key)))
        self.again = Press(
            " ",
            icon="again",
            act=lambda: do(Settings.look_for_cameras),
            size_hint_x=None,
            width=dp(150) * theme.SCALE,
        )
        self.film = Press(" ", icon="film", act=lambda: do(Settings.choose_film), size=theme.TEXT_SMALL)
        self._row = row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        row.add_widget(self.camera)
        row.add_widget(self.again)
        self._view = Card()
        for child in (self.heading, row, self.stage, self.note):
            self._view.add_widget(child)
        self.corners = Press(" ", act=lambda: do(Settings.touch_corners))
        self.devices = Press(" ", act=lambda: do(Settings.open_devices))
        self.fair = Choices(lambda key: do(lambda state: state.change(fair=key == "True")))
        self.check = BoxLayout(orientation="vertical", spacing=theme.GAP / 2, size_hint_y=None)
        self.check.bind(minimum_height=self.check.setter("height"))
        self._cards = [SettingCard(each) for each in (self.check, self.corners, self.devices, self.fair)]
        self._column = CardGrid()
        self._checked: object = None
        self.add_widget(self._view)
        self.add_widget(self._column)
        self._tick = Clock.schedule_interval(self._update, 1 / PICTURES_PER_S)

    def show(self, view: View[Settings]) -> None:
        words, state = view.words, view.state
        wide = view.size[0] > view.size[1]
        self.orientation = "horizontal" if wide else "vertical"
        self.heading.text, self.again.text = words("Which camera?"), words("Search again")
        self._say_cameras(state, words)
        self._say_findings(state, words)
        titles = (
            (words("Is the picture good enough?"), ""),
            (words("Position of the table in the picture"),
             words("Found automatically; to correct it, touch the four corners while a game is followed.")),
            (words("Dice cups and tables"), ""),
            (words("Fair game"), words("The tiles left and the coach's advice are hidden.")),
        )  # fmt: skip
        for card, (title, note) in zip(self._cards, titles, strict=True):
            card.say(title, note)
        shown = self._cards if state.findings is not None else self._cards[1:]
        self._column.lay(shown, 0)
        self.corners.text, self.devices.text = words("Table corners"), words("Devices")
        self.fair.offer(say_pairs(ON_OFF, words), str(state.kept.fair))
        self._tick()

    def _say_cameras(self, state: Settings, words: Words) -> None:
        offered = [(info.id, say_camera(info.name, words)) for info in state.cameras or ()]
        chosen = state.camera
        self.camera.offer(offered, chosen)
        self.film.text = words("Choose a film")
        shown = self.film if state.cameras == () else self.camera
        if shown.parent is None:
            self._row.clear_widgets()
            self._row.add_widget(shown)
            self._row.add_widget(self.again)
        if state.cameras is None:
            self.note.text = words("Searching for cameras and devices …")
        elif not offered:
            self.note.text = words(NO_CAMERA)
        elif state.lost:
            self.note.text = words.say(state.lost)
        else:
            missing = state.kept.camera
            name = "" if missing in (None, chosen) else say_camera(name_camera(missing), words)
            self.note.text = (
                words("{camera} is not connected: this one is used.", camera=name) if name else ""
            )

    def _say_findings(self, state: Settings, words: Words) -> None:
        """A line for each finding, and what to do; what is not good enough first."""
        if state.findings is None or self._checked == (state.findings, words.language):
            return
        self._checked = state.findings, words.language
        self.check.clear_widgets()
        for finding in sorted(state.findings, key=lambda each: each.good is not False):
            name, colour = words(NAMES[finding.aspect]), FINDING_COLOURS[finding.good]()
            self.check.add_widget(
                Text(f"{name}: {finding.shown}", size=theme.TEXT_SMALL, colour=colour, bold=not finding.good)
            )
            if finding.advice is not None:
                self.check.add_widget(Text(words.say(finding.advice), size=theme.TEXT_SMALL))

    def _update(self, _: float) -> bool:
        if self.get_parent_window() is None:
            self.stage.forget()
            return False
        image = self._find_picture()
        if image is None:
            self.stage.forget()
        elif image is not self._drawn:
            self.stage.fill(image)
        self._drawn = image
        return True


PARTS = (
    (SettingsTab.LOOKS, msgid("Appearance")),
    (SettingsTab.SOUND, msgid("Sound")),
    (SettingsTab.TABLE, msgid("Camera and table")),
    (SettingsTab.DATA, msgid("Data")),
)
BUTTON_WIDTH = dp(110)
ONE_ROW_FROM = dp(900)


class SettingsPage(BoxLayout):
    """Head and parts share a row if there is room."""

    def __init__(self, controller: Controller[Settings], find_picture: Callable[[], Image | None]) -> None:
        super().__init__(orientation="vertical", padding=theme.GAP, spacing=theme.GAP)
        do = controller.do
        self.part = Choices(lambda key: do(lambda state: state.show_part(SettingsTab(key))))
        self.back = Press(
            " ", act=lambda: do(lambda state: state.step_back()), size_hint_x=None, width=BUTTON_WIDTH
        )
        self._head = layout.row(height=theme.TOUCH)
        self.looks, self.sound = AppearancePane(controller), SoundPane(controller)
        self.table, self.data = TablePane(controller, find_picture), DataPane(controller)
        self._panes: dict[SettingsTab, AppearancePane | SoundPane | TablePane | DataPane] = {
            SettingsTab.LOOKS: self.looks,
            SettingsTab.SOUND: self.sound,
            SettingsTab.TABLE: self.table,
            SettingsTab.DATA: self.data,
        }
        self._placed: object = None

    def show(self, view: View[Settings]) -> None:
        words, state = view.words, view.state
        self.back.text = words("Back")
        self.part.offer(say_pairs(PARTS, words), state.part)
        self._place(state.part, one_row=view.size[0] >= ONE_ROW_FROM)
        self._panes[state.part].show(view)

    def _place(self, part: SettingsTab, *, one_row: bool) -> None:
        if self._placed == (part, one_row):
            return
        self._placed = part, one_row
        for box in (self, self._head):
            box.clear_widgets()
        self.back.size_hint_x, self.back.width = (None, BUTTON_WIDTH) if one_row else (1, self.width)
        for widget in (self.part, self.back) if one_row else (self.back,):
            self._head.add_widget(widget)
        for row in (self._head, self._panes[part]) if one_row else (self.part, self._panes[part], self._head):
            self.add_widget(row)
