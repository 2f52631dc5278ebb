"""The pane that asks how the hand was won: game, source, seats, situations. Every change scores the hand
again.

Its rows follow from the table of a request's fields; rare fields are on the page "More" (`more.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from kivy.metrics import dp
from kivy.properties import NumericProperty
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.score_photo import editing, entering, how_won, photo
from companion.app.score_photo.editing import Page
from companion.app.score_photo.game_win import WHOSE_HAND, GameWin, ask
from companion.app.score_photo.more import count_unusual
from companion.app.score_photo.score import SOURCE_NAMES
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.fields import NumberField, Pick, Stepper
from companion.app.widgets.tiles import TileFace
from companion.photo_hand.draft import WinDraft
from companion.profiles import find_scored_by
from companion.rules import RULE_SETS, Source, kinds
from companion.rules.fields import FIELDS, AskedOn, Field
from companion.rules.kinds import ValueKind
from companion.sentences import msgid, write_number
from companion.table.wins import Chance
from companion.tiles import Tile
from companion.words import Words

NAME_MIN = dp(84)
"""Minimum width of a button with a name."""
ROB_WIDTH = dp(104)
OWN_DRAW = "self"
"""The key of a self-draw among the keys of the seats."""
WIND_LABELS = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))
CHANCE_LABEL_WIDTH = dp(164)
LABEL_WIDTH, LABEL_GROWS = dp(104), 1.25
"""Width of the label before a choice, and its maximum growth with larger text."""
MORE_WIDTH = dp(84)
TABLE_SHARE = 1.6
"""Width of the table's name, in widths of the game's."""
SITUATIONS_A_ROW, SITUATION_LEAST = 4, dp(112)
"""Number of situations in a row, and the minimum width of one."""
NARROW = dp(560)
"""In a narrower pane the labels of the longest rows, the discarders and the values, are above them."""


class Asker(Protocol):
    """A widget that asks for a field: built from the controller and the field; shows a draft."""

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None: ...


class SourceChoice(Choices):
    """Where the winning tile came from."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        super().__init__(
            lambda key: controller.do(lambda state: how_won.set_source(state, Source(key))),
            size=theme.TEXT_SMALL,
        )

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        ways = [(source.value, words(name)) for source, name in SOURCE_NAMES.items()]
        self.offer(ways, draft.source.value)


class SeatChoice(Choices):
    """One of the seats that play; the winner cannot be the discarder. is_open: the question is not answered,
    so none is marked. ruled_out: the seats that are not possible."""

    is_open = False
    ruled_out: frozenset[int] = frozenset()

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        self._field = field
        super().__init__(
            lambda key: controller.do(entering.then_show(lambda state: self._with_seat(state, int(key)))),
            size=theme.TEXT_SMALL,
            whole=True,
        )

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        left_out = draft.winner if self._field.name == "from" else None
        ruled_out = self.ruled_out | {left_out}
        seats = [(str(seat), names[seat]) for seat in draft.seats if seat not in ruled_out]
        self.offer(seats, None if self.is_open else str(draft.value(self._field)))

    def _with_seat(self, state: ScorePhoto, seat: int) -> ScorePhoto:
        if self._field.name == "winner":
            return entering.set_winner(state, seat)
        return editing.record(state, **{self._field.attribute: seat})


class DiscarderChoice(BoxLayout):
    """Where the winning tile came from: a self-draw, or another player's discard or kong. is_open: as in
    SeatChoice."""

    is_open = False

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        self._controller = controller
        self._robs = False
        self._choices = Choices(self._choose, size=theme.TEXT_SMALL, least=NAME_MIN * theme.SCALE, whole=True)
        self._choices.bind(height=self.setter("height"))
        self.robbed = Press(" ", act=self._rob, size=theme.TEXT_SMALL, size_hint_x=None)
        self.add_widget(self._choices)
        self.robbed.width = ROB_WIDTH * theme.SCALE
        self.add_widget(self.robbed)

    def button(self, key: str) -> Press:
        return self._choices.button(key)

    def show_draft(
        self, draft: WinDraft, words: Words, names: Sequence[str], *, winner: int | None = None
    ) -> None:
        """winner: None while it is unknown."""
        drawn = draft.source is Source.SELF_DRAW
        self._robs = draft.source is Source.ROBBED_KONG
        others = [(str(seat), names[seat]) for seat in draft.seats if seat != winner]
        chosen = OWN_DRAW if drawn else str(draft.discarder)
        own = OWN_DRAW, words(SOURCE_NAMES[Source.SELF_DRAW])
        self._choices.offer([own, *others], None if self.is_open else chosen)
        self.robbed.text = words("Robbed kong")
        self.robbed.chosen = self._robs
        self.robbed.disabled = self.is_open or drawn

    def _choose(self, key: str) -> None:
        seat = None if key == OWN_DRAW else int(key)
        source = Source.ROBBED_KONG if self._robs else Source.DISCARD
        self._controller.do(entering.then_show(lambda state: entering.set_discarder(state, seat, source)))

    def _rob(self) -> None:
        source = Source.DISCARD if self._robs else Source.ROBBED_KONG
        self._controller.do(lambda state: entering.set_discarder(state, state.draft.discarder, source))


class NumberStepper(Stepper):
    """A number, changed by steps."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        def change(state: ScorePhoto, step: int) -> ScorePhoto:
            return how_won.set_number(state, field.name, (state.draft.number(field) or 0) + step)

        super().__init__(lambda step: controller.do(lambda state: change(state, step)))
        self._field = field

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        self.show(draft.number(self._field))


class NumberPress(NumberField):
    """A typed number, which may be unknown."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        super().__init__(
            lambda number: controller.do(lambda state: how_won.set_number(state, field.name, number))
        )
        self._field = field

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        ask = self._field.ask
        assert ask is not None
        self.show(draft.number(self._field), words, title=words(ask.meaning), none=words(ask.none))


def _ask_number(controller: Controller[ScorePhoto], field: Field) -> Asker:
    may_be_unknown = field.ask is not None and field.ask.none
    return NumberPress(controller, field) if may_be_unknown else NumberStepper(controller, field)


class WindPick(Pick):
    """One of the winds."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        super().__init__(
            lambda key: controller.do(lambda state: editing.record(state, **{field.attribute: int(key)}))
        )
        self._field = field

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        winds = [(str(i), words(name)) for i, name in enumerate(WIND_LABELS)]
        self.offer(winds, str(draft.value(self._field)))


class FortunePress(Press):
    """A button with the fortune tile, or a word while there is none; it opens the keyboard of tiles."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        super().__init__(" ", act=lambda: controller.do(editing.name_fortune), size=theme.TEXT_SMALL)
        self._code: str | None = None
        self._holder = AnchorLayout()

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        fixed = draft.fixed_fortune
        self._show_tile(fixed.code if fixed else draft.fortune, words("Choose"))
        self.disabled = fixed is not None

    def _show_tile(self, code: str | None, word: str) -> None:
        self.text = "" if code else word
        if code == self._code:
            return
        self._code = code
        self._holder.clear_widgets()
        self._words.size_hint_x, self._words.width = (None, 0) if code else (1, 0)
        if self._holder.parent:
            self.remove_widget(self._holder)
        if code:
            height = theme.TOUCH - theme.GAP
            self._holder.add_widget(TileFace(code, width=height * theme.TILE_ASPECT))
            self.add_widget(self._holder)


Maker = Callable[[Controller[ScorePhoto], Field], Asker]
ROWS: Mapping[type[ValueKind], Maker] = {
    kinds.WinSourceKind: SourceChoice,
    kinds.SeatKind: SeatChoice,
}
"""The widgets that have a whole row, by kind of value."""
CELLS: Mapping[type[ValueKind], Maker] = {
    kinds.NumberKind: _ask_number,
    kinds.StreakKind: NumberStepper,
    kinds.WindKind: WindPick,
    kinds.WildTileKind: FortunePress,
}
"""The widgets that have half a row, by kind of value."""


def label_of(field: Field, draft: WinDraft, words: Words) -> str:
    """The label before the widget of a field."""
    robbed = field.name == "from" and draft.source is Source.ROBBED_KONG
    return words("Robbed from") if robbed else words(field.label_in(draft.rule_set))


Way = tuple[Source, int | None, Tile | None]
"""A way to win: the source of the winning tile, its discarder, and the tile."""


UNIT_LABELS = {
    "fan": msgid("Fan"), "tai": msgid("Tai"), "zui": msgid("Zui"), "multiplier": msgid("Base times")
}  # fmt: skip
UNIT_LABEL_ELSE = msgid("Value")
VALUE_LEAST = dp(48)
STATING_WIDTH = dp(92)
"""Width of the buttons for another value and for the rows."""
VALUES_BESIDE_FROM = dp(400)
"""In a narrower row these two are below the values."""


class ValueChoice(BoxLayout):
    """What the win is worth, in place of its tiles: a low value, another one, or its rows."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(size_hint_y=None, spacing=theme.GAP / 2)
        self._controller = controller
        self._chosen: int | None = None
        self._key: object = None
        self.values = Choices(self._choose, size=theme.TEXT, least=VALUE_LEAST * theme.SCALE)
        self.other = NumberField(
            lambda value: controller.do(entering.then_show(lambda state: editing.state_value(state, value)))
        )
        self.rows = Press(" ", act=lambda: controller.do(editing.show_rows), size=theme.TEXT_SMALL)
        self._others = layout.row(
            self.other, self.rows, spacing=theme.GAP / 2, height=theme.TOUCH, width=2 * STATING_WIDTH
        )
        for child in (self.values, self._others):
            self.add_widget(child)
        self.bind(width=self._fit)
        self.values.bind(height=self._fit)
        self._fit()

    def _fit(self, *_: object) -> None:
        """Place the two buttons beside the values, or below them where there is little room."""
        beside = self.width >= VALUES_BESIDE_FROM
        self.orientation = "horizontal" if beside else "vertical"
        below = 0 if beside else theme.TOUCH + self.spacing
        self.height = max(self.values.height, theme.TOUCH) + below

    def show(self, state: ScorePhoto, win: GameWin, words: Words, title: str) -> None:
        shown = win, state.draft, words.language
        if shown == self._key:
            return
        self._key = shown
        stated = state.draft.stated
        offered = win.list_values(state.draft)
        self._chosen = stated.value if stated else None
        chosen = None if self._chosen is None else str(self._chosen)
        self.values.offer([(str(value), write_number(value)) for value in offered], chosen)
        another = self._chosen if self._chosen not in offered else None
        self.other.show(another, words, title=title, none=words("Other …"), no_key="")
        self.other.chosen = another is not None
        self.rows.text = words("Rows …")
        self.rows.chosen = bool(stated and stated.rows)

    def _choose(self, key: str) -> None:
        value = None if int(key) == self._chosen else int(key)
        self._controller.do(entering.then_show(lambda state: editing.state_value(state, value)))


class ChanceChoice(BoxLayout):
    """A row for each way in which the hand can be won now; in the last row the players who win in a way that
    the game does not know."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP * 0.75)
        self.bind(minimum_height=self.setter("height"))
        self._controller = controller
        self._rows: dict[Way | None, _Way] = {}

    def show_chances(
        self,
        chances: Sequence[Chance],
        seats: Sequence[int],
        chosen: tuple[int, Source | None] | None,
        words: Words,
        names: Sequence[str],
    ) -> None:
        """chosen: the winner and the source, None while unknown; the source is None for another way."""
        ways: dict[Way | None, list[int]] = {}
        for chance in chances:
            ways.setdefault((chance.source, chance.discarder, chance.tile), []).append(chance.seat)
        others = [seat for seat in seats if all(chance.seat != seat for chance in chances)]
        if others:
            ways[None] = others
        if list(ways) != list(self._rows):
            self.clear_widgets()
            self._rows = {way: _Way(way, self._controller) for way in ways}
            for row in self._rows.values():
                self.add_widget(row)
        for way, players in ways.items():
            is_so = chosen is not None and chosen[1] == (way[0] if way else None)
            winner = chosen[0] if chosen and is_so and chosen[0] in players else None
            self._rows[way].show([(str(seat), names[seat]) for seat in players], winner, words, names)

    def button(self, seat: int, source: Source | None) -> Press:
        """The button for that player and source; None: another way."""
        row = next(row for way, row in self._rows.items() if (way[0] if way else None) == source)
        return row.players.button(str(seat))


class _Way(BoxLayout):
    """One way to win, and the players who can win in it."""

    def __init__(self, way: Way | None, controller: Controller[ScorePhoto]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._way = way
        self._controller = controller
        head = BoxLayout(size_hint_x=None, width=CHANCE_LABEL_WIDTH * theme.SCALE, spacing=theme.GAP / 2)
        self.label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, least=theme.TEXT_TINY)
        head.add_widget(self.label)
        tile = way[2] if way else None
        if tile is not None:
            head.add_widget(TileFace(tile.code, width=theme.TOUCH * theme.TILE_ASPECT))
        else:
            head.add_widget(Widget(size_hint_x=None, width=0))
        self.players = Choices(self._choose, size=theme.TEXT_SMALL, least=NAME_MIN * theme.SCALE, whole=True)
        self.players.bind(height=self.setter("height"))
        self.add_widget(head)
        self.add_widget(self.players)

    def show(
        self, players: Sequence[tuple[str, str]], winner: int | None, words: Words, names: Sequence[str]
    ) -> None:
        self.players.offer(players, None if winner is None else str(winner))
        if self._way is None:
            self.label.text = words("Other winner")
            return
        source, discarder, _ = self._way
        if discarder is None:
            self.label.text = words(SOURCE_NAMES[source])
        else:
            said = msgid("{name}'s kong:") if source is Source.ROBBED_KONG else msgid("{name}'s tile:")
            self.label.text = words(said, name=names[discarder])

    def _choose(self, key: str) -> None:
        seat, way = int(key), self._way
        if way is None:
            self._controller.do(entering.then_show(lambda state: entering.set_winner(state, seat)))
        else:
            self._controller.do(entering.then_show(lambda state: entering.set_chance(state, seat, way[0])))


class LabelledRow(BoxLayout):
    """A choice, and its label before it or above it."""

    def __init__(self, choice: Widget) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self.label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._choice = choice
        self._holder = AnchorLayout(anchor_x="left")
        self._holder.add_widget(self.label)
        choice.bind(height=self._fit)
        for child in (self._holder, choice):
            self.add_widget(child)
        self.stack(False)

    def stack(self, above: bool) -> None:
        """Place the label above the choice, or before it."""
        self.orientation = "vertical" if above else "horizontal"
        self.spacing = theme.GAP / 4 if above else theme.GAP
        self._holder.size_hint = (1, None) if above else (None, 1)
        if above:
            self._holder.height = theme.TEXT_SMALL * 1.4
        else:
            self._holder.width = LABEL_WIDTH * min(theme.SCALE, LABEL_GROWS)
        self._fit()

    def _fit(self, *_: object) -> None:
        above = self._holder.height + self.spacing if self.orientation == "vertical" else 0.0
        self.height = above + max(self._choice.height, theme.TOUCH)


class WinPane(Card):
    """Rows of choices, the likeliest first. wanted_height: the height that shows them all."""

    wanted_height = NumericProperty(0)

    def __init__(self, controller: Controller[ScorePhoto], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._controller = controller
        self._labels: dict[str, Tag] = {}
        self._column = Column(spacing=theme.GAP * 0.75)
        self.add_widget(self._column)
        self._inside = self._column.inside
        self._inside.bind(height=lambda _, height: setattr(self, "wanted_height", height + 2 * theme.PAD))
        self.rules = Pick(lambda key: controller.do(lambda state: photo.pick_game(state, key)))
        self.options = Press(
            " ", icon="settings", act=lambda: controller.do(lambda state: editing.show(state, Page.OPTIONS)),
            size=theme.TEXT_SMALL, size_hint_x=TABLE_SHARE,
        )  # fmt: skip
        self.more = Press(
            " ", act=lambda: controller.do(lambda state: editing.show(state, Page.MORE)),
            size=theme.TEXT_SMALL, size_hint_x=None, width=MORE_WIDTH,
        )  # fmt: skip
        self.askers: dict[str, Asker] = {}
        """The widget of each field that is asked for here, by name."""
        self._rows = self._ask(ROWS)
        self._cells = self._ask(CELLS)
        self.discarder = DiscarderChoice(controller)
        self.claimed_from = Choices(
            lambda key: controller.do(
                entering.then_show(lambda state: entering.set_claimed_from(state, int(key)))
            ),
            size=theme.TEXT_SMALL,
        )
        self._discarder_row = self._row("discarder", self.discarder)
        self.chances = ChanceChoice(controller)
        self._asks_who = Text(size=theme.TEXT)
        self._chance_rows = BoxLayout(orientation="vertical", size_hint_y=None, spacing=theme.GAP * 0.75)
        self._chance_rows.bind(minimum_height=self._chance_rows.setter("height"))
        for child in (self._asks_who, self.chances):
            self._chance_rows.add_widget(child)
        self._claimed_row = self._row("claimed_from", self.claimed_from)
        self.value = ValueChoice(controller)
        self._value_row = self._row("value", self.value)
        self.kong = Press(
            " ", act=lambda: controller.do(entering.declare_kong), size=theme.TEXT_SMALL
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
        self.bind(width=self._fit_width)

    def show_start(self) -> None:
        """Show the first question."""
        self._column.show_start()

    def show(self, view: View[ScorePhoto]) -> None:
        words, draft = view.words, view.state.draft
        rule_set = draft.rule_set
        names = [words.say(name) for name in view.state.seat_names]
        self._arrange(view.state)
        self._labels["game"].text = words("Game")
        winner = self.askers["winner"]
        assert isinstance(winner, SeatChoice)
        unsaid = view.state.open_questions
        winner.is_open, self.discarder.is_open = "winner" in unsaid, "from" in unsaid
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
        situations = win.situations if win and win.is_ready_to_show(draft) else ()
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
        """Show the questions that concern only a win in a game."""
        win, words, draft = view.state.game_win, view.words, view.state.draft
        if win is None:
            return
        self._labels["winner"].text = words(WHOSE_HAND) if win.only_shown else words.say(ask("winner"))
        winner_is_open = "winner" in view.state.open_questions
        self._asks_who.text = words.say(ask("winner"))
        self._asks_who.color = theme.IVORY_DIM if win.is_ready_to_show(draft) else theme.GOLD
        chances = win.list_chances()
        known = win.find_chance(draft)
        is_said = not winner_is_open and (known is None or win.is_ready_to_show(draft))
        way = (draft.winner, known.source if known else None) if is_said else None
        self.chances.show_chances(chances, draft.seats, way, words, names)
        self._labels["discarder"].text = words.say(ask("from"))
        self._labels["discarder"].color = theme.GOLD if self.discarder.is_open else theme.IVORY_DIM
        self.discarder.show_draft(draft, words, names, winner=None if winner_is_open else draft.winner)
        unit = words(UNIT_LABELS.get(draft.rule_set.unit, UNIT_LABEL_ELSE))
        self._labels["value"].text = unit
        if self._value_row.parent is not None:
            self.value.show(view.state, win, words, unit)
        self._labels["claimed_from"].text = words("Melds claimed from")
        self._labels["kong"].text, self.kong.text = words("Kongs"), words("Pay for a kong …")
        others = [(str(seat), names[seat]) for seat in draft.seats if seat != draft.winner]
        chosen = win.claimed_from
        self.claimed_from.offer(others, None if chosen is None else str(chosen))

    def _list_rows(self, state: ScorePhoto) -> list[Widget]:
        draft, asked, win = state.draft, state.asked_fields, state.game_win
        if win is None or asked is None:
            return [row for name, row in self._rows.items() if not draft.is_overruled(FIELDS[name])]
        rows = [self._chance_rows if "chance" in asked else self._rows["winner"]]
        if "from" in asked and win.find_chance(draft) is None:
            rows.append(self._discarder_row)
        if win.asks_claimed_from(draft):
            rows.append(self._claimed_row)
        if win.may_be_stated and not draft.hand.tiles:
            rows.append(self._value_row)
        return [*rows, self._kong_row] if win.asks_kongs(draft) else rows

    def _arrange(self, state: ScorePhoto) -> None:
        draft, asked = state.draft, state.asked_fields
        rows = self._list_rows(state)
        rule_set = draft.rule_set
        cells = [
            cell
            for name, cell in self._cells.items()
            if FIELDS[name].used_by(rule_set)
            and rule_set.reads(name, draft.all_options)
            and (asked is None or name in asked)
        ]
        arranged = (draft.rules, rows, cells, asked)
        if arranged == self._arranged:
            return
        self._arranged = arranged
        filler = [Widget(size_hint_y=None, height=theme.TOUCH)] if len(cells) % 2 else []
        _fill(self._fields, cells + filler)
        flags = rule_set.situations if asked is None or "situation" in asked else ()
        self.situations = {situation.id: self._flag(situation.id) for situation in flags}
        self._fit_width()
        _fill(self._flags, list(self.situations.values()))
        more = [*([self._fields] if cells else []), *([self._flags] if flags else [])]
        about = self._game if asked is None else self.known
        questions_first = self._discarder_row in rows  # otherwise the facts say whose tile it was
        _fill(self._inside, [*rows, *more, about] if questions_first else [about, *rows, *more])

    def _ask(self, makers: Mapping[type[ValueKind], Maker]) -> dict[str, Widget]:
        """A row for each field asked for here that has one of these kinds, by name."""
        rows = {}
        for name, field in FIELDS.items():
            if field.asked_at(AskedOn.WIN) and type(field.kind) in makers:
                self.askers[name] = makers[type(field.kind)](self._controller, field)
                rows[name] = self._row(name, self.askers[name])
        return rows

    def _fit_width(self, *_: object) -> None:
        """Give the discarders the width that their row has, and the situations theirs."""
        for row in (self._discarder_row, self._value_row):
            row.stack(self.width < NARROW)
        fitting = int((self.width - 2 * theme.PAD) // (SITUATION_LEAST * theme.SCALE))
        self._flags.cols = max(1, min(SITUATIONS_A_ROW, len(self.situations), fitting))

    def _row(self, name: str, choice: Widget) -> LabelledRow:
        row = LabelledRow(choice)
        self._labels[name] = row.label
        return row

    def _flag(self, name: str) -> Press:
        return Press(
            " ",
            act=lambda: self._controller.do(lambda state: how_won.toggle_situation(state, name)),
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
