"""How the hand was won: game, source, seats, circumstances. Every change scores the hand anew.

The rows follow from the table of a request's fields; what is rare stands on the page "More".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.score_photo.cases import CaseChoice
from companion.app.score_photo.editing import Page
from companion.app.score_photo.game_win import WHOSE_HAND, ask
from companion.app.score_photo.more import count_unusual
from companion.app.score_photo.rows import (
    CELLS,
    ROWS,
    Asker,
    GiverChoice,
    Maker,
    SeatChoice,
    label_of,
)
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.fields import Pick
from companion.photo_hand.draft import WinDraft
from companion.profiles import find_scored_by
from companion.rules import RULE_SETS
from companion.rules.fields import FIELDS, AskedOn
from companion.rules.kinds import Kind
from companion.words import Words

LABEL_WIDTH, LABEL_GROWS = dp(104), 1.25
"""What stands before a choice, and how many times as wide it becomes with larger letters."""
MORE_WIDTH = dp(84)
TABLE_SHARE = 1.6
"""Width of the table's name, in widths of the game's."""
SITUATIONS_A_ROW = 4


class WinPane(Card):
    """Rows of choices, the likeliest first. `wanted_height` shows them all."""

    wanted_height = NumericProperty(0)

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._controller = controller
        self._labels: dict[str, Tag] = {}
        column = Column(spacing=theme.GAP * 0.75)
        self.add_widget(column)
        self._inside = column.inside
        self._inside.bind(height=lambda _, height: setattr(self, "wanted_height", height + 2 * theme.PAD))
        self.rules = Pick(lambda key: controller.do(lambda state: state.pick_game(key)))
        self.options = Press(
            " ", icon="settings", act=lambda: controller.do(lambda state: state.show(Page.OPTIONS)),
            size=theme.TEXT_SMALL, size_hint_x=TABLE_SHARE,
        )  # fmt: skip
        self.more = Press(
            " ", act=lambda: controller.do(lambda state: state.show(Page.MORE)),
            size=theme.TEXT_SMALL, size_hint_x=None, width=MORE_WIDTH,
        )  # fmt: skip
        self.askers: dict[str, Asker] = {}
        """The widget of each field that is asked for here, by name."""
        self._rows = self._ask(ROWS)
        self._cells = self._ask(CELLS)
        self.giver = GiverChoice(controller)
        self.claimed_from = Choices(
            lambda key: controller.do(lambda state: state.with_claimed_from(int(key))), size=theme.TEXT_SMALL
        )
        self._giver_row = self._row("giver", self.giver)
        self.cases = CaseChoice(controller)
        self._asks_who = Text(size=theme.TEXT)
        self._case_rows = BoxLayout(orientation="vertical", size_hint_y=None, spacing=theme.GAP * 0.75)
        self._case_rows.bind(minimum_height=self._case_rows.setter("height"))
        for child in (self._asks_who, self.cases):
            self._case_rows.add_widget(child)
        self._claimed_row = self._row("claimed_from", self.claimed_from)
        self.kong = Press(
            " ", act=lambda: controller.do(ScorePhoto.declare_kong), size=theme.TEXT_SMALL
        )  # fmt: skip
        self._kong_row = self._row("kong", self.kong)
        self._fields = GridLayout(cols=2, size_hint_y=None, spacing=(theme.GAP, theme.GAP * 0.75))
        self._fields.bind(minimum_height=self._fields.setter("height"))
        self.situations: dict[str, Press] = {}
        self._flags = GridLayout(cols=SITUATIONS_A_ROW, size_hint_y=None, spacing=theme.GAP / 2)
        self._flags.bind(minimum_height=self._flags.setter("height"))
        game = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        for child in (self.rules, self.options, self.more):
            game.add_widget(child)
        self._game = self._row("game", game)
        self._arranged: object = None
        self.known = Text(size=theme.TEXT)

    def show(self, view: View[ScorePhoto]) -> None:
        words, draft = view.words, view.state.draft
        rule_set = draft.rule_set
        names = [words.say(name) for name in view.state.seat_names]
        self._arrange(view.state)
        self._labels["game"].text = words("Game")
        winner = self.askers["winner"]
        assert isinstance(winner, SeatChoice)
        unsaid = view.state.open_questions
        winner.is_open, self.giver.is_open = "winner" in unsaid, "from" in unsaid
        win = view.state.game_win
        winner.ruled_out = win.settled_seats if win else frozenset()
        for name, asker in self.askers.items():
            self._labels[name].text = label_of(FIELDS[name], draft, words)
            self._labels[name].color = theme.GOLD if name in unsaid else theme.IVORY_DIM
            asker.show_draft(draft, words, names)
        self._show_game(view, names)
        self.rules.offer(
            [(rules.name, words.both(rules.title, rules.title_zh)[0]) for rules in RULE_SETS.values()],
            draft.rules,
        )
        self.options.text = _name_table(draft, words)
        self.options.chosen = bool(draft.options)
        unusual = count_unusual(draft)
        self.more.text = words("More: {count}", count=unusual) if unusual else words("More")
        self.more.chosen = unusual > 0
        situations = win.situations if win and win.is_settled(draft) else ()
        self.known.text = "   ".join(
            [words.say(each) for each in view.state.known_facts]
            + [words.both(each.name, each.name_zh)[0] for each in situations]
        )
        for situation in rule_set.situations:
            press = self.situations.get(situation.id)
            if press is None:
                continue
            press.text = words.both(situation.label, situation.label_zh)[0]
            press.chosen = situation.id in draft.situation

    def _show_game(self, view: View[ScorePhoto], names: list[str]) -> None:
        """What is asked of a win in a game only."""
        win, words, draft = view.state.game_win, view.words, view.state.draft
        if win is None:
            return
        self._labels["winner"].text = words(WHOSE_HAND) if win.shows else words.say(ask("winner"))
        winner_is_open = "winner" in view.state.open_questions
        self._asks_who.text = words.say(ask("winner"))
        self._asks_who.color = theme.IVORY_DIM if win.is_settled(draft) else theme.GOLD
        cases = win.list_cases()
        known = win.find_chance(draft)
        is_said = not winner_is_open and (known is None or win.is_settled(draft))
        way = (draft.winner, known.source if known else None) if is_said else None
        self.cases.show_cases(cases, draft.seats, way, words, names)
        self._labels["giver"].text = words.say(ask("from"))
        self._labels["giver"].color = theme.GOLD if self.giver.is_open else theme.IVORY_DIM
        self.giver.show_draft(draft, words, names, winner=None if winner_is_open else draft.winner)
        self._labels["claimed_from"].text = words("Melds from")
        self._labels["kong"].text, self.kong.text = words("Kongs"), words("A kong is paid …")
        others = [(str(seat), names[seat]) for seat in draft.seats if seat != draft.winner]
        chosen = win.claimed_from
        self.claimed_from.offer(others, None if chosen is None else str(chosen))

    def _list_rows(self, state: ScorePhoto) -> list[Widget]:
        draft, asked, win = state.draft, state.asked_fields, state.game_win
        if win is None or asked is None:
            return [row for name, row in self._rows.items() if not draft.is_overruled(FIELDS[name])]
        rows = [self._case_rows if "case" in asked else self._rows["winner"]]
        if "from" in asked and win.find_chance(draft) is None:
            rows.append(self._giver_row)
        if win.asks_claimed_from(draft):
            rows.append(self._claimed_row)
        return [*rows, self._kong_row] if win.asks_kongs else rows

    def _arrange(self, state: ScorePhoto) -> None:
        draft, asked = state.draft, state.asked_fields
        rows = self._list_rows(state)
        told = (draft.rules, rows, asked)
        if told == self._arranged:
            return
        self._arranged = told
        rule_set = draft.rule_set
        cells = [
            cell
            for name, cell in self._cells.items()
            if FIELDS[name].used_by(rule_set) and (asked is None or name in asked)
        ]
        filler = [Widget(size_hint_y=None, height=theme.TOUCH)] if len(cells) % 2 else []
        _fill(self._fields, cells + filler)
        flags = rule_set.situations if asked is None or "situation" in asked else ()
        self.situations = {situation.id: self._flag(situation.id) for situation in flags}
        self._flags.cols = min(SITUATIONS_A_ROW, len(self.situations)) or 1
        _fill(self._flags, list(self.situations.values()))
        game = [self._game] if asked is None else [self.known]
        _fill(
            self._inside,
            [*game, *rows, *([self._fields] if cells else []), *([self._flags] if flags else [])],
        )

    def _ask(self, makers: Mapping[type[Kind], Maker]) -> dict[str, Widget]:
        """A row for each field that is asked for here and has one of these kinds, by name."""
        rows = {}
        for name, field in FIELDS.items():
            if field.asked_at(AskedOn.WIN) and type(field.kind) in makers:
                self.askers[name] = makers[type(field.kind)](self._controller, field)
                rows[name] = self._row(name, self.askers[name])
        return rows

    def _row(self, name: str, choice: Widget) -> BoxLayout:
        row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        choice.bind(height=lambda _, height: setattr(row, "height", max(height, theme.TOUCH)))
        self._labels[name] = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        holder = AnchorLayout(size_hint_x=None, width=LABEL_WIDTH * min(theme.SCALE, LABEL_GROWS))
        holder.add_widget(self._labels[name])
        row.add_widget(holder)
        row.add_widget(choice)
        return row

    def _flag(self, name: str) -> Press:
        return Press(
            " ",
            act=lambda: self._controller.do(lambda state: state.toggle_situation(name)),
            size=theme.TEXT_SMALL,
        )


def _name_table(draft: WinDraft, words: Words) -> str:
    """The ready-made table that the hand is scored by, or how many house rules are not as written."""
    if not draft.options:
        return words("House rules")
    ready = find_scored_by(draft.rules, draft.all_options, draft.currency)
    return words("House rules: {count}", count=len(draft.options)) if ready is None else words(ready.title)


def _fill(box: Widget, children: Sequence[Widget]) -> None:
    box.clear_widgets()
    for child in children:
        if child.parent:
            child.parent.remove_widget(child)
        box.add_widget(child)
