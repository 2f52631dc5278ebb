"""The page of what a table seldom has to say: stakes, purses, and what only some games ask of a win."""

from __future__ import annotations

from typing import Any

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.score_photo.numbers import NumberField
from companion.app.score_photo.state import Page, ScorePhoto
from companion.app.score_photo.tile_sheet import MELD_NAMES
from companion.app.text import SEAT_NAMES, Words
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.photo_hand.draft import NO_BALANCES, WinDraft
from companion.rules.request import DISCARDS_MAX
from companion.tiles import MeldKind

LABEL_WIDTH = dp(132)
NUMBER_WIDTH = dp(160)
KONGS = tuple(kind for kind in MeldKind if kind.is_kong)


def told_more(draft: WinDraft) -> int:
    """How many of this page's matters are not as they usually are, in this game."""
    uses = draft.rule_set.uses
    return sum(
        (
            draft.base != 1,
            draft.cap is not None,
            draft.balances != NO_BALANCES,
            "discards" in uses and draft.discards is not None,
            "three_melds" in uses and bool(draft.three_melds),
            "kongs_declared" in uses and bool(draft.kongs_declared),
        )
    )


class MorePage(Card):
    """A list of cards, those of this game first; made anew only where there is another thing to show."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__()
        self._controller = controller
        self._key: object = None
        self._titles: dict[str, str] = {}
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(
            " ", main=True, act=lambda: controller.do(lambda state: state.show(Page.TABLE)),
            size_hint_x=None, width=dp(120),
        )  # fmt: skip
        head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        head.add_widget(self.title)
        head.add_widget(self.done)
        self._column = Column(spacing=theme.GAP)
        self.numbers: dict[str, NumberField] = {}
        self.kongs: list[KongCard] = []
        self.add_kong = Press(" ", icon="plus", act=lambda: controller.do(lambda state: state.add_kong()))
        self.three_melds: dict[tuple[int, int], Press] = {}
        self.add_widget(head)
        self.add_widget(self._column)

    def show(self, view: View[ScorePhoto]) -> None:
        words, draft = view.words, view.state.draft
        self.title.text = words("More about this hand")
        self.done.text = words("Done")
        key = draft.rules, draft.seats, len(draft.kongs_declared), words.language
        if key != self._key:
            self._key = key
            self._build(draft, words)
        numbers = {"base": draft.base, "cap": draft.cap, "discards": draft.discards}
        numbers |= {f"balance {seat}": draft.balances[seat] for seat in draft.seats}
        none = {"base": "", "cap": words("no limit"), "discards": words("not known")}
        for name, field in self.numbers.items():
            title = self._titles[name]
            field.show(numbers[name], words, title=title, none=none.get(name, words("no limit")))
            field.chosen = numbers[name] not in (None, 1) or (name != "base" and numbers[name] == 1)
        for pair, press in self.three_melds.items():
            press.chosen = pair in draft.three_melds
        for place, card in enumerate(self.kongs):
            card.show(draft, place, words)

    def _build(self, draft: WinDraft, words: Words) -> None:
        uses = draft.rule_set.uses
        self._column.inside.clear_widgets()
        self.numbers, self.three_melds, self.kongs, self._titles = {}, {}, [], {}
        if "kongs_declared" in uses:
            self._kongs(draft, words)
        if "discards" in uses:
            meaning = words("Of all players, the winning one included.")
            self._number("discards", words("Discards so far"), meaning)
        if "three_melds" in uses:
            self._three_melds(draft, words)
        self._number("base", words("Base"), words("What one point is worth at this table."))
        self._number("cap", words("Limit"), words("The most that one player's share of a win comes to."))
        card = self._card(words("What each player has"), words("Nobody pays more than that."))
        row = _row()
        for seat in draft.seats:
            self._field(f"balance {seat}", words("What each player has"), row, words(SEAT_NAMES[seat]))
        card.add_widget(row)

    def _card(self, title: str, meaning: str) -> Card:
        card = Card(size_hint_y=None, colour=theme.PANEL_RAISED, padding=(theme.PAD, theme.GAP))
        card.bind(minimum_height=card.setter("height"))
        card.add_widget(_heading(title, meaning))
        self._column.inside.add_widget(card)
        return card

    def _number(self, name: str, title: str, meaning: str) -> None:
        card = Card(
            orientation="horizontal", size_hint_y=None, height=theme.TOUCH + 2 * theme.GAP,
            colour=theme.PANEL_RAISED, padding=(theme.PAD, theme.GAP), spacing=theme.PAD,
        )  # fmt: skip
        card.add_widget(_heading(title, meaning))
        self._field(name, title, card)
        self._column.inside.add_widget(card)

    def _field(self, name: str, title: str, place: Widget, label: str = "") -> None:
        least, most = (0, DISCARDS_MAX) if name == "discards" else (1 if name == "base" else 0, None)

        def choose(number: int | None) -> None:
            if number is not None:
                number = max(number, least) if most is None else min(max(number, least), most)
            if name.startswith("balance "):
                self._controller.do(lambda state: state.with_balance(int(name.split()[1]), number))
            else:
                self._controller.do(lambda state: state.record(**{name: number}))

        self._titles[name] = f"{title}: {label}" if label else title
        self.numbers[name] = NumberField(choose, size_hint_x=None if not label else 1, width=NUMBER_WIDTH)
        if label:
            place.add_widget(_label(label, width=dp(52)))
        place.add_widget(self.numbers[name])

    def _three_melds(self, draft: WinDraft, words: Words) -> None:
        card = self._card(
            words("Three melds from one player"), words("Who melded three times from whom, kongs included.")
        )
        for seat in draft.seats:
            row = _row()
            row.add_widget(_label(words("{seat}, from", seat=words(SEAT_NAMES[seat]))))
            for other in draft.seats:
                if other != seat:
                    self.three_melds[seat, other] = self._pair((seat, other), words(SEAT_NAMES[other]))
                    row.add_widget(self.three_melds[seat, other])
            card.add_widget(row)

    def _pair(self, pair: tuple[int, int], text: str) -> Press:
        def toggle() -> None:
            self._controller.do(lambda state: state.toggle_three_melds(pair))

        return Press(text, act=toggle, size=theme.TEXT_SMALL)

    def _kongs(self, draft: WinDraft, words: Words) -> None:
        card = self._card(words("Kongs of this hand"), words("Every player's: they are paid beside the win."))
        for place in range(len(draft.kongs_declared)):
            self.kongs.append(KongCard(self._controller, place))
            card.add_widget(self.kongs[-1])
        self.add_kong.text = words("Add a kong")
        if self.add_kong.parent:
            self.add_kong.parent.remove_widget(self.add_kong)
        card.add_widget(self.add_kong)


class KongCard(Card):
    """One declared kong: its kind, whose it is, and for a claimed one who threw the tile."""

    def __init__(self, controller: Controller[ScorePhoto], place: int) -> None:
        super().__init__(size_hint_y=None, colour=theme.PANEL, padding=theme.GAP, spacing=theme.GAP / 2)
        self.bind(minimum_height=self.setter("height"))

        def change(**changes: Any) -> None:
            controller.do(lambda state: state.change_kong(place, **changes))

        self.kind = Choices(lambda key: change(kind=MeldKind(key)), size=theme.TEXT_SMALL)
        self.seat = Choices(lambda key: change(seat=int(key)), size=theme.TEXT_SMALL)
        self.thrown_by = Choices(lambda key: change(discarder=int(key)), size=theme.TEXT_SMALL)
        self.remove = Press(
            icon="close", act=lambda: controller.do(lambda state: state.remove_kong(place)),
            size_hint_x=None, width=theme.TOUCH,
        )  # fmt: skip
        first, self._second, self._third = _row(), _row(), _row()
        first.add_widget(self.kind)
        first.add_widget(self.remove)
        self._whose, self._from = _label(""), _label("")
        for row, label, choices in (
            (self._second, self._whose, self.seat), (self._third, self._from, self.thrown_by)
        ):  # fmt: skip
            row.add_widget(label)
            row.add_widget(choices)
        self.add_widget(first)
        self.add_widget(self._second)

    def show(self, draft: WinDraft, place: int, words: Words) -> None:
        kong = draft.kongs_declared[place]
        self._whose.text, self._from.text = words("Whose"), words("Thrown by")
        self.kind.offer([(kind.value, words(MELD_NAMES[kind])) for kind in KONGS], kong.kind.value)
        seats = [(str(seat), words(SEAT_NAMES[seat])) for seat in draft.seats]
        self.seat.offer(seats, str(kong.seat))
        self.thrown_by.offer([one for one in seats if one[0] != str(kong.seat)], str(kong.discarder))
        claimed = kong.discarder is not None
        if claimed and self._third.parent is None:
            self.add_widget(self._third)
        elif not claimed and self._third.parent:
            self.remove_widget(self._third)


def _row() -> BoxLayout:
    return BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)


def _label(text: str, width: float = LABEL_WIDTH) -> Tag:
    return Tag(text, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_x=None, width=width)


def _heading(title: str, meaning: str) -> BoxLayout:
    box = BoxLayout(orientation="vertical", size_hint_y=None)
    box.bind(minimum_height=box.setter("height"))
    box.pos_hint = {"center_y": 0.5}
    box.add_widget(Text(title))
    box.add_widget(Text(meaning, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM))
    return box
