"""The pages for what rarely changes: the fields of a request that few hands need, and the house options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.score_photo import editing, how_won
from companion.app.score_photo.editing import Page
from companion.app.score_photo.hand_panes import MELD_NAMES
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.fields import NumberField, Stepper
from companion.app.widgets.game_words import COUNTED_IN, counts_points, describe_option, describe_setting
from companion.photo_hand.draft import WinDraft
from companion.rules import RULE_SETS, kinds
from companion.rules.fields import FIELDS, AskedOn, Field
from companion.rules.kinds import ValueKind
from companion.rules.options import Option
from companion.rules.win import BASE, UNIT, OptionValue
from companion.sentences import write_number
from companion.sheets.wording import write_amount
from companion.tiles import MeldKind
from companion.words import Words
from companion.words.filling import SEAT_NAMES

LABEL_WIDTH = dp(132)
SEAT_WIDTH = dp(52)
NUMBER_WIDTH = dp(160)
KONGS = tuple(kind for kind in MeldKind if kind.is_kong)
SETTING_WIDTH, SETTING_GROWS = dp(290), 1.3
"""Width of the chooser of a setting, and its maximum growth with larger text."""


class FieldCard(Card):
    """A card with the name and the meaning of a field; built again for another game or language."""

    def __init__(self, field: Field, words: Words, **kwargs: Any) -> None:
        super().__init__(
            size_hint_y=None, colour=theme.PANEL_RAISED, padding=(theme.PAD, theme.GAP), **kwargs
        )
        assert field.ask is not None
        self.field = field
        self.title = words(field.ask.label)
        self.none = words(field.ask.none) if field.ask.none else ""
        heading = BoxLayout(orientation="vertical", size_hint_y=None, pos_hint={"center_y": 0.5})
        heading.bind(minimum_height=heading.setter("height"))
        heading.add_widget(Text(self.title))
        heading.add_widget(Text(words(field.ask.meaning), size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
        self.add_widget(heading)

    def show_draft(self, draft: WinDraft, words: Words) -> None:
        """Show the values of the draft."""
        raise NotImplementedError


class NumberCard(FieldCard):
    """A number next to its name."""

    def __init__(
        self, controller: Controller[ScorePhoto], field: Field, draft: WinDraft, words: Words
    ) -> None:
        super().__init__(
            field, words, orientation="horizontal", height=theme.TOUCH + 2 * theme.GAP, spacing=theme.PAD
        )
        self.number = NumberField(
            lambda number: controller.do(lambda state: how_won.set_number(state, field.name, number)),
            size_hint_x=None,
            width=NUMBER_WIDTH,
        )
        self.add_widget(self.number)

    def show_draft(self, draft: WinDraft, words: Words) -> None:
        number = draft.number(self.field)
        self.number.show(number, words, title=self.title, none=self.none)
        if number is not None and self.field.name == "cap":
            self.number.text = _say_worth(number, draft, words)
        self.number.chosen = not draft.is_usual(self.field)


class StakesCard(FieldCard):
    """A number for each stake that a table may agree on."""

    def __init__(
        self, controller: Controller[ScorePhoto], field: Field, draft: WinDraft, words: Words
    ) -> None:
        super().__init__(field, words)
        self.bind(minimum_height=self.setter("height"))
        unit = words(COUNTED_IN.get(draft.rule_set.unit, draft.rule_set.unit))
        value = words("Value of one {unit}", unit=unit)
        if counts_points(draft.rules):
            value = words("Value of one point")
        names = {BASE: words("For every win"), UNIT: value}
        self.names = {key: names[key] for key in draft.rule_set.stakes}
        self.numbers = {key: self._number(controller, key) for key in self.names}
        row = _row()
        for key, number in self.numbers.items():
            row.add_widget(_label(self.names[key]))
            row.add_widget(number)
        self.add_widget(row)

    def show_draft(self, draft: WinDraft, words: Words) -> None:
        own = draft.rule_set.own_stakes
        stakes = draft.agreed_stakes or own
        for key, number in self.numbers.items():
            number.show(getattr(stakes, key), words, title=self.names[key], none="")
            number.text = _say_worth(getattr(stakes, key), draft, words)
            number.chosen = getattr(stakes, key) != getattr(own, key)

    def _number(self, controller: Controller[ScorePhoto], key: str) -> NumberField:
        return NumberField(
            lambda number: controller.do(lambda state: how_won.set_stake(state, key, number or 0))
        )


def _say_worth(points: int, draft: WinDraft, words: Words) -> str:
    """Points, and what they are worth where the table plays for money: NT$100, or 64 = HK$32."""
    currency = draft.currency
    if currency is None:
        return write_number(points)
    money = write_amount(points, currency, words)
    return money if currency.point == "1" else f"{write_number(points)} = {money}"


class BalancesCard(FieldCard):
    """A number for each seat."""

    def __init__(
        self, controller: Controller[ScorePhoto], field: Field, draft: WinDraft, words: Words
    ) -> None:
        super().__init__(field, words)
        self.bind(minimum_height=self.setter("height"))
        self.numbers = {seat: self._number(controller, seat) for seat in draft.seats}
        row = _row()
        for seat, number in self.numbers.items():
            row.add_widget(_label(words(SEAT_NAMES[seat]), width=SEAT_WIDTH))
            row.add_widget(number)
        self.add_widget(row)

    def show_draft(self, draft: WinDraft, words: Words) -> None:
        for seat, number in self.numbers.items():
            title = f"{self.title}: {words(SEAT_NAMES[seat])}"
            number.show(draft.balances[seat], words, title=title, none=self.none)
            number.chosen = draft.balances[seat] is not None

    def _number(self, controller: Controller[ScorePhoto], seat: int) -> NumberField:
        return NumberField(
            lambda number: controller.do(lambda state: how_won.set_balance(state, seat, number))
        )


class SeatPairsCard(FieldCard):
    """For each seat a button for each other seat."""

    def __init__(
        self, controller: Controller[ScorePhoto], field: Field, draft: WinDraft, words: Words
    ) -> None:
        super().__init__(field, words)
        self.bind(minimum_height=self.setter("height"))
        self.pairs: dict[tuple[int, int], Press] = {}
        for seat in draft.seats:
            row = _row()
            row.add_widget(_label(words("{seat}, from", seat=words(SEAT_NAMES[seat]))))
            for other in draft.seats:
                if other != seat:
                    self.pairs[seat, other] = _pair(controller, (seat, other), words(SEAT_NAMES[other]))
                    row.add_widget(self.pairs[seat, other])
            self.add_widget(row)

    def show_draft(self, draft: WinDraft, words: Words) -> None:
        for pair, press in self.pairs.items():
            press.chosen = pair in draft.three_melds


class DeclaredKongsCard(FieldCard):
    """An inner card for each kong, and a button that adds one."""

    def __init__(
        self, controller: Controller[ScorePhoto], field: Field, draft: WinDraft, words: Words
    ) -> None:
        super().__init__(field, words)
        self.bind(minimum_height=self.setter("height"))
        self._controller = controller
        self.kongs: list[KongCard] = []
        self._list = BoxLayout(orientation="vertical", size_hint_y=None, spacing=theme.GAP)
        self._list.bind(minimum_height=self._list.setter("height"))
        self.add_kong = Press(words("Add a kong"), icon="plus", act=lambda: controller.do(how_won.add_kong))
        self.add_widget(self._list)
        self.add_widget(self.add_kong)

    def show_draft(self, draft: WinDraft, words: Words) -> None:
        if len(self.kongs) != len(draft.kongs_declared):
            self.kongs = [KongCard(self._controller, place) for place in range(len(draft.kongs_declared))]
            self._list.clear_widgets()
            for card in self.kongs:
                self._list.add_widget(card)
        for place, card in enumerate(self.kongs):
            card.show(draft, place, words)


class KongCard(Card):
    """One declared kong: its kind, its player, and for a claimed one the discarder."""

    def __init__(self, controller: Controller[ScorePhoto], place: int) -> None:
        super().__init__(size_hint_y=None, colour=theme.PANEL, padding=theme.GAP, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"))

        def change(**changes: Any) -> None:
            controller.do(lambda state: how_won.change_kong(state, place, **changes))

        self.kind = Choices(lambda key: change(kind=MeldKind(key)), size=theme.TEXT_SMALL)
        self.seat = Choices(lambda key: change(seat=int(key)), size=theme.TEXT_SMALL)
        self.thrown_by = Choices(lambda key: change(discarder=int(key)), size=theme.TEXT_SMALL)
        self.remove = Press(
            icon="close",
            act=lambda: controller.do(lambda state: how_won.remove_kong(state, place)),
            size_hint_x=None,
            width=theme.TOUCH,
        )
        first, self._second, self._third = _row(), _row(), _row()
        first.add_widget(self.kind)
        first.add_widget(self.remove)
        self._whose, self._from = _label(""), _label("")
        self._second.add_widget(self._whose)
        self._second.add_widget(self.seat)
        self._third.add_widget(self._from)
        self._third.add_widget(self.thrown_by)
        self.add_widget(first)
        self.add_widget(self._second)

    def show(self, draft: WinDraft, place: int, words: Words) -> None:
        """Show the kong at that index of the draft's list."""
        kong = draft.kongs_declared[place]
        self._whose.text, self._from.text = words("Declared by"), words("Discarded by")
        self.kind.offer([(kind.value, words(MELD_NAMES[kind])) for kind in KONGS], kong.kind.value)
        seats = [(str(seat), words(SEAT_NAMES[seat])) for seat in draft.seats]
        self.seat.offer(seats, str(kong.seat))
        self.thrown_by.offer([one for one in seats if one[0] != str(kong.seat)], str(kong.discarder))
        claimed = kong.discarder is not None
        if claimed and self._third.parent is None:
            self.add_widget(self._third)
        elif not claimed and self._third.parent:
            self.remove_widget(self._third)


CARDS: Mapping[type[ValueKind], Callable[[Controller[ScorePhoto], Field, WinDraft, Words], FieldCard]] = {
    kinds.NumberKind: NumberCard,
    kinds.LimitKind: NumberCard,
    kinds.StakesKind: StakesCard,
    kinds.BalancesKind: BalancesCard,
    kinds.SeatPairsKind: SeatPairsCard,
    kinds.DeclaredKongsKind: DeclaredKongsCard,
}
"""The card that asks for a field, by kind of value."""


def _pair(controller: Controller[ScorePhoto], pair: tuple[int, int], text: str) -> Press:
    return Press(
        text,
        act=lambda: controller.do(lambda state: how_won.toggle_three_melds(state, pair)),
        size=theme.TEXT_SMALL,
    )


def _row() -> BoxLayout:
    return BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)


def _label(text: str, width: float = LABEL_WIDTH) -> Tag:
    return Tag(text, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_x=None, width=width)


def list_fields(draft: WinDraft) -> list[Field]:
    """The fields asked for on this page in this game."""
    return [
        field for field in FIELDS.values() if field.asked_at(AskedOn.MORE) and field.used_by(draft.rule_set)
    ]


def count_unusual(draft: WinDraft) -> int:
    """The number of this page's fields that differ from their defaults."""
    return sum(not draft.is_usual(field) for field in list_fields(draft))


class MorePage(Card):
    """A list of cards, those of this game first; built again only when the fields change."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__()
        self._controller = controller
        self._key: object = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(
            " ", main=True, act=lambda: controller.do(lambda state: editing.show(state, Page.TABLE)),
            size_hint_x=None, width=dp(120),
        )  # fmt: skip
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.done)
        self._column = Column(spacing=theme.GAP)
        self.cards: dict[str, FieldCard] = {}
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[ScorePhoto]) -> None:
        words, draft = view.words, view.state.draft
        self.title.text = words("More about this hand")
        self.done.text = words("Done")
        key = draft.rules, draft.seats, words.language
        if key != self._key:
            self._key = key
            self._build(draft, words)
        for card in self.cards.values():
            card.show_draft(draft, words)

    def _build(self, draft: WinDraft, words: Words) -> None:
        self._column.inside.clear_widgets()
        self.cards = {
            field.name: CARDS[type(field.kind)](self._controller, field, draft, words)
            for field in list_fields(draft)
        }
        for card in self.cards.values():
            self._column.inside.add_widget(card)


class OptionsPage(Card):
    """The list of house options; a setting that differs from the game's own has another colour."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__()
        self._controller = controller
        self._game: object = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(
            " ",
            main=True,
            act=lambda: controller.do(lambda state: editing.show(state, Page.TABLE)),
            size_hint_x=None,
            width=dp(120),
        )
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.done)
        self._column = Column(spacing=theme.GAP)
        self.rows: dict[str, OptionRow] = {}
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[ScorePhoto]) -> None:
        words, draft = view.words, view.state.draft
        rule_set = RULE_SETS[draft.rules]
        title = words.both(rule_set.title, rule_set.title_zh)[0]
        self.title.text = words("House rules: {game}", game=title)
        self.done.text = words("Done")
        if self._game != draft.rules:
            self._game = draft.rules
            self._column.inside.clear_widgets()
            self.rows = {option.key: OptionRow(option, self._set) for option in rule_set.options}
            for row in self.rows.values():
                self._column.inside.add_widget(row)
        for key, row in self.rows.items():
            row.show(draft.option(key), words)

    def _set(self, key: str, value: OptionValue) -> None:
        self._controller.do(lambda state: how_won.set_option(state, key, value))


class OptionRow(Card):
    """One option."""

    def __init__(self, option: Option, choose: Callable[[str, OptionValue], None]) -> None:
        super().__init__(
            orientation="horizontal",
            size_hint_y=None,
            colour=theme.PANEL_RAISED,
            padding=(theme.PAD, theme.GAP),
            spacing=theme.PAD,
        )
        self._option = option
        self._value: OptionValue = option.default
        values = () if isinstance(option.values, range) else option.values
        if isinstance(option.default, bool):
            values = (False, True)
        if all(type(one) is int for one in values):
            values = tuple(sorted(values))
        self._values = {str(one): one for one in values}
        self.meaning = Text()
        self._small = Text(size=theme.TEXT_TINY, colour=theme.IVORY_DIM)
        texts = BoxLayout(orientation="vertical", size_hint_y=None)
        texts.bind(minimum_height=texts.setter("height"))
        texts.add_widget(self.meaning)
        texts.add_widget(self._small)
        left, right = (
            AnchorLayout(),
            AnchorLayout(size_hint_x=None, width=SETTING_WIDTH * min(theme.SCALE, SETTING_GROWS)),
        )
        left.add_widget(texts)
        wordy = len(values) > 2 and any(isinstance(one, str) for one in values)
        self.choices = Choices(
            lambda key: choose(option.key, self._values[key]), size=theme.TEXT_SMALL, a_row=2 if wordy else 9
        )
        self.stepper = Stepper(lambda step: self._step(step, choose))
        right.add_widget(self.choices if self._values else self.stepper)
        self.add_widget(left)
        self.add_widget(right)
        for side in (texts, self.choices):
            side.bind(
                height=lambda *_: setattr(
                    self, "height", max(texts.height, self.choices.height) + 2 * theme.GAP
                )
            )

    def show(self, value: OptionValue, words: Words) -> None:
        self._value = value
        self.meaning.text = describe_option(self._option, words)
        usual = describe_setting(self._option.default, words)
        self._small.text = words("default: {setting}", setting=usual)
        self.paint(theme.PANEL_RAISED if value == self._option.default else theme.PANEL_PRESSED)
        if self._values:
            self.choices.offer(
                [(key, describe_setting(one, words)) for key, one in self._values.items()], str(value)
            )
        else:
            self.stepper.show(int(value))

    def _step(self, step: int, choose: Callable[[str, OptionValue], None]) -> None:
        value = int(self._value) + step
        if self._option.allows(value):
            choose(self._option.key, value)
