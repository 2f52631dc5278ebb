"""The bar on top: where pictures come from, undo, language; and in a small window, which pane is shown."""

from __future__ import annotations

from kivy.graphics import Color, Rectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.score_photo.state import ScorePhoto
from companion.app.shell.desk import Desk, View
from companion.app.shell.pages import Page, Pane
from companion.app.shell.text import Language
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press, Tag, adopt
from companion.running.device_views import DevicesView
from companion.sentences import msgid

LANGUAGE_NAMES = ((Language.ENGLISH, "EN"), (Language.SIMPLIFIED, "简"), (Language.TRADITIONAL, "繁"))
TITLE_FROM = dp(960)
"""In a narrower window the words of the buttons are of more use than the title."""
ONE_ROW_FROM = dp(700)
"""In a narrower window there is no title, and the panes have a row of their own."""
WORDS_FROM = dp(780)
"""In a narrower window the words beside the icons have no room."""
DEVICES_FROM = dp(1100)
"""In a narrower window the button of the devices, which few people have, is an icon."""
PANE_NAMES = ((Pane.TILES, msgid("Tiles")), (Pane.WIN, msgid("Win")), (Pane.SCORE, msgid("Score")))


class Bar(BoxLayout):
    """Words beside the icons where there is room for them."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, height=theme.BAR_HEIGHT)
        with self.canvas.before:
            Color(*theme.BAR)
            self._plate = Rectangle()
        self._desk = desk
        self._form: object = None
        self._shown: tuple[View, bool] | None = None
        self._row, self._below = _row(), _row()
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.panes = Choices(
            lambda key: desk.do(lambda state: state.show_pane(Pane(key)).show(Page.TABLE)),
            size=theme.TEXT_SMALL,
        )
        self.language = Choices(lambda key: desk.set_language(Language(key)), size=theme.TEXT_SMALL)
        self.language.size_hint_x, self.language.width = None, dp(138)
        self.buttons: dict[str, Press] = {}
        self.bind(pos=self._place, size=self._place, width=self._fit)

    def show(self, view: View, *, panes: bool) -> None:
        self._shown = view, panes
        words, state = view.words, view.state
        roomy = self.width >= WORDS_FROM and not panes
        steps = (ONE_ROW_FROM, TITLE_FROM, DEVICES_FROM)
        form = (roomy, panes, *(self.width >= step for step in steps))
        if form != self._form:
            self._form = form
            self._build(roomy, panes)
        self.title.text = words("Teach it your tiles") if state.teaching else words("Score a photo")
        if roomy:
            self.buttons["pictures"].text = words("Picture")
            self.buttons["camera"].text = words("Camera")
            self.buttons["undo"].text = words("Undo")
            self.buttons["clear"].text = words("New hand")
            self.buttons["sets"].text = words("My tiles")
            self.buttons["devices"].text = words("Devices") if self.width >= DEVICES_FROM else ""
        self.buttons["sets"].chosen = view.school.used is not None
        self.show_devices(view.devices)
        self.buttons["undo"].disabled = not state.past or state.teaching
        self.buttons["clear"].disabled = state.teaching or not (state.hand.tiles or state.facts.picture)
        self.language.offer(
            [(language.value, name) for language, name in LANGUAGE_NAMES], words.language.value
        )
        names = {pane: words(name) for pane, name in PANE_NAMES}
        if view.outcome.score and view.outcome.score.legal:
            names[Pane.SCORE] = words("Score: {value}", value=view.outcome.score.value)
        self.panes.offer([(pane.value, name) for pane, name in names.items()], state.pane.value)

    def show_devices(self, devices: DevicesView) -> None:
        """Whether one is connected."""
        self.buttons["devices"].chosen = devices.is_connected

    def _build(self, roomy: bool, panes: bool) -> None:
        desk, narrow = self._desk, self.width < ONE_ROW_FROM
        for place in (self, self._row, self._below):
            place.clear_widgets()
        rows = [self._row, self._below] if narrow and panes else [self._row]
        self.height = theme.BAR_HEIGHT * len(rows)
        for row in rows:
            self.add_widget(row)
        steps = {
            "pictures": ("picture", lambda: desk.do(lambda state: state.show(Page.PICTURES)), dp(110)),
            "camera": ("camera", desk.open_camera, dp(110)),
            "undo": ("undo", lambda: desk.do(ScorePhoto.undo), dp(96)),
            "clear": ("plus", lambda: desk.do(ScorePhoto.clear_tiles), dp(120)),
            "sets": ("tile", desk.school.enter, dp(112)),
            "devices": ("dice", desk.show_devices, dp(112)),
        }
        wordy = {name: roomy and (name != "devices" or self.width >= DEVICES_FROM) for name in steps}
        self.buttons = {
            name: Press(
                " " if wordy[name] else "",
                icon=icon,
                act=act,
                size=theme.TEXT_SMALL,
                size_hint_x=1 if narrow else None,
                width=width if wordy[name] else theme.TOUCH * 1.1,
            )
            for name, (icon, act, width) in steps.items()
        }
        if not panes and not narrow and (not roomy or self.width >= TITLE_FROM):
            holder = AnchorLayout(padding=(theme.GAP / 2, 0))
            adopt(holder, self.title)
            self._row.add_widget(holder)
        for button in self.buttons.values():
            self._row.add_widget(button)
        if panes and narrow:
            self._below.add_widget(self.panes)
        elif panes:
            self._row.add_widget(Widget(size_hint_x=None, width=theme.GAP))
            self._row.add_widget(self.panes)
            self._row.add_widget(Widget(size_hint_x=None, width=theme.GAP))
        self._row.add_widget(self.language)

    def _fit(self, *_: object) -> None:
        """The bar has its width only after the window was shown in it."""
        if self._shown:
            view, panes = self._shown
            self.show(view, panes=panes)

    def _place(self, *_: object) -> None:
        self._plate.pos, self._plate.size = self.pos, self.size


def _row() -> BoxLayout:
    return BoxLayout(spacing=theme.GAP / 2, padding=(theme.GAP, (theme.BAR_HEIGHT - theme.TOUCH) / 2))
