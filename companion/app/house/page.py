"""The page of house rules: the profiles, one profile option by option with examples, sharing and
importing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from kivy.clock import Clock
from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.house.examples import PLAY_EXAMPLES, Example, PlayExample, find_example, list_settings
from companion.app.house.files import encode_shared
from companion.app.house.state import HouseRules, Place, Section
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.cards import PressCard, describe_payments, group_tiles, say_win
from companion.app.widgets.code_picture import CodePicture
from companion.app.widgets.game_words import describe_option, describe_setting
from companion.app.widgets.name_field import NameField
from companion.app.widgets.tiles import TileStrip
from companion.profiles import find_ready_made
from companion.rules import RULE_SETS
from companion.rules.options import Option
from companion.rules.profile import Profile
from companion.rules.win import OptionValue
from companion.sentences import as_text, write_number
from companion.words import Words

EXAMPLE_TILE = dp(34)
STEPS = (-100, -10, -1, 1, 10, 100)
"""By how much a number changes with one touch."""
CHOICES_A_ROW = 3

Choose = Callable[[str, OptionValue], None]


class OptionList(Column):
    """A card for each option of that section. They are made one a frame, so that the window never waits for
    all of them, and anew only for another game: each has thousands of objects, in which Python's search for
    garbage takes longer than a frame."""

    def __init__(self, section: Section, choose: Choose) -> None:
        super().__init__()
        self._section = section
        self._choose = choose
        self._made_for: str | None = None
        self._name: str | None = None
        self._shown: tuple[Profile, Words] | None = None
        self._left: list[Option] = []
        self.cards: dict[str, OptionCard] = {}
        self._tick = Clock.schedule_interval(self._add_next, 0)
        self._tick.cancel()

    @property
    def is_complete(self) -> bool:
        """Whether every option has its card."""
        return not self._left

    def show(self, name: str, profile: Profile, words: Words) -> None:
        self._shown = profile, words
        if self._made_for != profile.rules:
            self._made_for = profile.rules
            self.inside.clear_widgets()
            self.cards = {}
            rules = RULE_SETS[profile.rules]
            self._left = list(rules.play.own_options if self._section is Section.PLAY else rules.options)
            self.show_start()
        self._tick()
        if self._name != name:
            self._name = name
            self.show_start()
        for key, card in self.cards.items():
            card.show(profile.settings[key], words)

    def _add_next(self, _: float) -> bool:
        if not self._left or self._shown is None or self.parent is None:
            return False
        profile, words = self._shown
        option = self._left.pop(0)
        card: OptionCard
        if option.key in profile.play:
            card = PlayCard(option, self._choose)
        else:
            card = ScoringCard(profile.rules, option, self._choose)
        self.cards[option.key] = card
        card.show(profile.settings[option.key], words)
        self.inside.add_widget(card)
        return bool(self._left)


class OptionCard(Card):
    """One option. What is not the game's own setting has another colour."""

    def __init__(self, option: Option, choose: Choose) -> None:
        super().__init__(size_hint_y=None, colour=theme.PANEL_RAISED)
        self.bind(minimum_height=self.setter("height"))
        self._option, self._choose = option, choose
        self._value: OptionValue = option.default
        self._by_key = {str(value): value for value in list_settings(option)}
        self.meaning = Text()
        self.choices = Choices(self._pick, size=theme.TEXT, a_row=CHOICES_A_ROW)
        self.number = Tag(size=theme.TEXT_LARGE, align="center")
        self.usual = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.add_widget(self.meaning)
        self.add_widget(self.choices if self._by_key else self._make_stepper())
        self.add_widget(self.usual)

    def show(self, value: OptionValue, words: Words) -> None:
        self._value = value
        option = self._option
        self.meaning.text = self.describe_meaning(words)
        changed = value != option.default
        self.paint(theme.PANEL_PRESSED if changed else theme.PANEL_RAISED)
        usual = self.describe_setting(option.default, words)
        said = words("Changed; by default: {setting}", setting=usual)
        self.usual.text = said if changed else words("By default: {setting}", setting=usual)
        self.choices.offer(
            [(key, self.describe_setting(each, words)) for key, each in self._by_key.items()], str(value)
        )
        self.number.text = str(value)

    def describe_meaning(self, words: Words) -> str:
        return describe_option(self._option, words)

    def describe_setting(self, value: OptionValue, words: Words) -> str:
        return describe_setting(value, words)

    def _pick(self, key: str) -> None:
        self._choose(self._option.key, self._by_key[key])

    def _make_stepper(self) -> BoxLayout:
        row = layout.row(height=theme.TOUCH, spacing=theme.GAP / 2)
        for step in STEPS:
            if step == 1:
                row.add_widget(self.number)
            row.add_widget(
                Press(write_number(step, signed=True), act=partial(self._step, step), size=theme.TEXT_SMALL)
            )
        return row

    def _step(self, step: int) -> None:
        values = self._option.values
        assert isinstance(values, range)
        self._choose(self._option.key, min(max(int(self._value) + step, values[0]), values[-1]))


class ScoringCard(OptionCard):
    """An option that changes what a win is worth, with an example hand."""

    def __init__(self, rules: str, option: Option, choose: Choose) -> None:
        super().__init__(option, choose)
        self.example = find_example(rules, option.key)
        self.text = Text(size=theme.TEXT_SMALL)
        self.outcomes = Text(size=theme.TEXT)
        if self.example:
            self.add_widget(self.text)
            self.add_widget(TileStrip(group_tiles(self.example.request), tile_width=EXAMPLE_TILE))
            self.add_widget(self.outcomes)

    def show(self, value: OptionValue, words: Words) -> None:
        super().show(value, words)
        if self.example:
            self.text.text = words("For example, {win}:", win=say_win(self.example.request, words))
            self.outcomes.text = describe_outcomes(self.example, words)


class PlayCard(OptionCard):
    """An option about how the game is played, with an example in words."""

    def __init__(self, option: Option, choose: Choose) -> None:
        super().__init__(option, choose)
        self.example: PlayExample = PLAY_EXAMPLES[option.key]
        self.text = Text()
        self.add_widget(self.text)

    def show(self, value: OptionValue, words: Words) -> None:
        super().show(value, words)
        self.text.text = words("For example: {what}", what=words(self.example.text))

    def describe_meaning(self, words: Words) -> str:
        return words(self.example.meaning) if self.example.meaning else super().describe_meaning(words)

    def describe_setting(self, value: OptionValue, words: Words) -> str:
        label = self.example.labels.get(value)
        return words(label) if label else super().describe_setting(value, words)


def describe_outcomes(example: Example, words: Words) -> str:
    """What each setting makes of the hand, one a line."""
    values = {(outcome.legal, outcome.value) for outcome in example.outcomes}
    lines = []
    for outcome in example.outcomes:
        setting = describe_setting(outcome.setting, words)
        if not outcome.possible:
            worth = words("not allowed")
        elif not outcome.legal and not any(outcome.payments):
            worth = words("No win")
        elif len(values) > 1:
            worth = write_number(outcome.value)
        else:
            worth = describe_payments(outcome.payments, words)
        lines.append(f"{setting}:  {worth}")
    return "\n".join(lines)


class HousePage(Card):
    """A head, and below it one of four panes."""

    def __init__(self, controller: Controller[HouseRules]) -> None:
        super().__init__()
        do = controller.do
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.back = Press(" ", act=lambda: do(HouseRules.step_back), size_hint_x=None, width=theme.TOUCH * 2)
        head = layout.row(self.title, self.back, height=theme.TOUCH)
        self.add_widget(head)
        self.panes: dict[Place, ListPane | ProfilePane | SharePane | TakeInPane] = {
            Place.LIST: ListPane(controller),
            Place.OPTIONS: ProfilePane(controller),
            Place.SHARE: SharePane(controller),
            Place.TAKE_IN: TakeInPane(controller),
        }
        self._pane: Widget | None = None

    def show(self, view: View[HouseRules]) -> None:
        words, state = view.words, view.state
        self.back.text = words("Back")
        titles = {
            Place.LIST: words("House rules"),
            Place.OPTIONS: name_profile(state.name or "", words),
            Place.SHARE: words("Share {name}", name=name_profile(state.name or "", words)),
            Place.TAKE_IN: words("Import house rules"),
        }
        self.title.text = titles[state.place]
        pane = self.panes[state.place]
        if pane is not self._pane:
            if self._pane:
                self.remove_widget(self._pane)
            self._pane = pane
            self.add_widget(pane)
        pane.show(view)


class ListPane(BoxLayout):
    """Saved profiles first, then ready-made ones; below, the ways to a new one."""

    def __init__(self, controller: Controller[HouseRules]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._do = controller.do
        self._column = Column()
        self._new_label = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._new = layout.grid(5, size_hint_y=None, spacing=theme.GAP / 2)
        self._new.bind(minimum_height=self._new.setter("height"))
        self.take_in = Press(" ", act=lambda: controller.do(HouseRules.look_for_files))
        for child in (self._column, self._new_label, self._new, self.take_in):
            self.add_widget(child)
        self.cards: dict[str, PressCard] = {}
        self._key: object = None

    def show(self, view: View[HouseRules]) -> None:
        words, state = view.words, view.state
        key = state.saved, state.broken, state.ready, words.language
        if key != self._key:
            self._key = key
            self.cards = {}
            self._column.fill(self._make_rows(state, words))
        self._new_label.text = words("New house rules for")
        self._new.cols = 5 if view.size[0] > view.size[1] else 3
        self._new.clear_widgets()
        for rules in RULE_SETS.values():
            title = words.both(rules.title, rules.title_zh)[0]
            create = partial(self._create, rules.name, words("My {game} rules", game=title))
            self._new.add_widget(Press(title, icon="plus", act=create))
        self.take_in.text = words("Import shared house rules …")

    def _make_rows(self, state: HouseRules, words: Words) -> Iterator[Widget]:
        yield from self._make_cards(state.saved, words("Your own"), words)
        for name, why in state.broken:
            yield Text(name, size=theme.TEXT_LARGE)
            yield Text(words.say(why), colour=theme.LOSS)
        yield from self._make_cards(state.ready, words("Ready-made"), words)

    def _make_cards(
        self, profiles: tuple[tuple[str, Profile], ...], heading: str, words: Words
    ) -> Iterator[Widget]:
        if profiles:
            yield Text(heading, colour=theme.GOLD)
        for name, profile in profiles:
            card = self.cards[name] = PressCard(partial(self._open, name), fits=True)
            card.say(name_profile(name, words), describe_profile(name, profile, words))
            yield card

    def _create(self, rules: str, name: str) -> None:
        self._do(lambda state: state.create(rules, name))

    def _open(self, name: str) -> None:
        self._do(lambda state: state.open(name))


class ProfilePane(BoxLayout):
    """One profile, option by option: those that change what a win is worth, or those of play."""

    def __init__(self, controller: Controller[HouseRules]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        do = controller.do
        self.field = NameField(lambda text: do(lambda state: state.type_name(text)))
        self.field.bind(on_text_validate=lambda *_: do(HouseRules.rename))
        self.rename = Press(" ", act=lambda: do(HouseRules.rename), size=theme.TEXT_SMALL)
        self.copy = Press(" ", act=lambda: do(HouseRules.copy), size=theme.TEXT_SMALL)
        self.share = Press(" ", act=lambda: do(HouseRules.share), size=theme.TEXT_SMALL)
        self.delete = Press(" ", act=lambda: do(HouseRules.delete), size=theme.TEXT_SMALL)
        self._row = layout.row(height=theme.TOUCH, spacing=theme.GAP / 2)
        self.note = Text(colour=theme.IVORY_DIM)
        choose: Choose = lambda key, value: do(lambda state: state.with_option(key, value))  # noqa: E731
        self._lists = {section: OptionList(section, choose) for section in Section}
        self.options = self._lists[Section.SCORING]
        self.sections = Choices(
            lambda key: do(lambda state: state.show_section(Section(key))), size=theme.TEXT
        )
        for child in (self._row, self.note, self.sections, self.options):
            self.add_widget(child)

    def show(self, view: View[HouseRules]) -> None:
        words, state = view.words, view.state
        if state.profile is None or state.name is None:
            return
        self.rename.text, self.copy.text = words("Rename"), words("Copy")
        self.share.text, self.delete.text = words("Share"), words("Delete")
        shown = state.name if state.typed is None else state.typed
        if self.field.text != shown:
            self.field.show(shown)
        own = [self.field, self.rename, self.copy, self.share, self.delete]
        wanted = [self.copy, self.share] if state.is_ready_made else own
        if self._row.children[::-1] != wanted:
            self._row.clear_widgets()
            for child in wanted:
                self._row.add_widget(child)
        self.rename.disabled = state.typed in (None, state.name)
        title = RULE_SETS[state.profile.rules]
        game = words.both(title.title, title.title_zh)[0]
        self.note.text = (
            words("Ready-made, for {game}. Changing a setting makes a copy of your own.", game=game)
            if state.is_ready_made
            else words("For {game}. Changes are saved at once.", game=game)
        )
        offers = [
            (Section.SCORING.value, words("What a win is worth")),
            (Section.PLAY.value, words("How it is played")),
        ]
        self.sections.offer(offers, state.section.value)
        chosen = self._lists[state.section]
        if chosen is not self.options:
            self.remove_widget(self.options)
            self.options = chosen
            self.add_widget(chosen)
        chosen.show(state.name, state.profile, words)


class SharePane(BoxLayout):
    """The QR code, as large as there is room, and a button that writes files."""

    def __init__(self, controller: Controller[HouseRules]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self.note = Text()
        self.code = CodePicture()
        self.export = Press(" ", act=lambda: controller.do(HouseRules.export), main=True)
        for child in (self.note, self.code, self.export):
            self.add_widget(child)

    def show(self, view: View[HouseRules]) -> None:
        words, state = view.words, view.state
        self.note.text = words("Photograph this code with the companion on another device.")
        self.export.text = words("Save as a file and a picture")
        if state.name and state.profile:
            self.code.show(encode_shared(state.name, state.profile))


class TakeInPane(BoxLayout):
    """A QR code photographed, or one of the files that were found."""

    def __init__(self, controller: Controller[HouseRules]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._do = controller.do
        self.camera = Press(" ", icon="camera", main=True, act=partial(self._photograph, True))
        self.picture = Press(" ", icon="picture", act=partial(self._photograph, False))
        row = layout.row(self.camera, self.picture, height=theme.TOUCH)
        self.note = Text(colour=theme.IVORY_DIM)
        self._column = Column()
        for child in (row, self.note, self._column):
            self.add_widget(child)
        self.cards: list[PressCard] = []

    def show(self, view: View[HouseRules]) -> None:
        words, state = view.words, view.state
        self.camera.text, self.picture.text = words("Photograph a QR code"), words("A picture of a QR code")
        if state.files is None:
            self.note.text = words("Searching for files …")
        elif state.files:
            self.note.text = words("Files with house rules, in your downloads and on connected drives:")
        else:
            self.note.text = words("No file with house rules is in your downloads or on a connected drive.")
        self._column.inside.clear_widgets()
        self.cards = []
        for found in state.files or ():
            card = PressCard(partial(self._take, found.name, found.profile), fits=True)
            card.say(as_text(found.path.name), describe_profile(found.name, found.profile, words))
            self.cards.append(card)
            self._column.inside.add_widget(card)

    def _photograph(self, from_camera: bool) -> None:
        self._do(lambda state: state.photograph_code(from_camera=from_camera))

    def _take(self, name: str, profile: Profile) -> None:
        self._do(lambda state: state.take_in(name, profile))


def name_profile(name: str, words: Words) -> str:
    """What the profile is called."""
    ready = find_ready_made(name)
    return words(ready.title) if ready else name


def describe_profile(name: str, profile: Profile, words: Words) -> str:
    """In one line what is special about it."""
    ready = find_ready_made(name)
    if ready:
        return "\n".join([words.say(ready.about), words(ready.written), words(ready.checked)])
    rules = RULE_SETS[profile.rules]
    game = words.both(rules.title, rules.title_zh)[0]
    changed = len(profile.changed)
    if not changed:
        return words("{game} · nothing changed", game=game)
    return words("{game} · {count} house rules changed", game=game, count=changed)
