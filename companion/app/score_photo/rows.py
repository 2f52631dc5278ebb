"""Widgets that ask for one field of a request beside the hand, one for each kind of value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller
from companion.app.score_photo.seats import SOURCE_NAMES
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press
from companion.app.widgets.fields import NumberField, Pick, Stepper
from companion.app.widgets.tiles import TileFace
from companion.photo_hand.draft import WinDraft
from companion.rules import Source, kinds
from companion.rules.fields import Field
from companion.rules.kinds import Kind
from companion.sentences import msgid
from companion.words import Words

NAME_LEAST = dp(84)
"""Of a button with a name."""
ROB_WIDTH = dp(104)
OWN_DRAW = "self"
"""The key of the winner's own draw, beside the seats."""
WIND_LABELS = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))


class Asker(Protocol):
    """A widget that asks for a field: it is made with the controller and the field, and shows a draft."""

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None: ...


class SourceChoice(Choices):
    """Where the winning tile came from."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        super().__init__(
            lambda key: controller.do(lambda state: state.with_source(Source(key))), size=theme.TEXT_SMALL
        )

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        ways = [(source.value, words(name)) for source, name in SOURCE_NAMES.items()]
        self.offer(ways, draft.source.value)


class SeatChoice(Choices):
    """One of the seats that play. The winner cannot have discarded the winning tile. is_open: whether nobody
    has said it yet, so that none is marked. ruled_out: the seats that it cannot be."""

    is_open = False
    ruled_out: frozenset[int] = frozenset()

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        self._field = field
        super().__init__(
            lambda key: controller.do(lambda state: self._with_seat(state, int(key))), size=theme.TEXT_SMALL
        )

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        left_out = draft.winner if self._field.name == "from" else None
        ruled_out = self.ruled_out | {left_out}
        seats = [(str(seat), names[seat]) for seat in draft.seats if seat not in ruled_out]
        self.offer(seats, None if self.is_open else str(draft.value(self._field)))

    def _with_seat(self, state: ScorePhoto, seat: int) -> ScorePhoto:
        if self._field.name == "winner":
            return state.with_winner(seat)
        return state.record(**{self._field.attribute: seat})


class GiverChoice(BoxLayout):
    """Whose the winning tile was: the winner's own draw, or another's discard or kong. is_open: as above."""

    is_open = False

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP / 2)
        self._controller = controller
        self._robs = False
        self._choices = Choices(self._choose, size=theme.TEXT_SMALL, least=NAME_LEAST * theme.SCALE)
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
        """winner: None while nobody has said who it is."""
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
        self._controller.do(lambda state: state.with_giver(seat, source))

    def _rob(self) -> None:
        source = Source.DISCARD if self._robs else Source.ROBBED_KONG
        self._controller.do(lambda state: state.with_giver(state.draft.discarder, source))


class NumberStepper(Stepper):
    """A number, changed step by step."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        def change(state: ScorePhoto, step: int) -> ScorePhoto:
            return state.with_number(field.name, (state.draft.number(field) or 0) + step)

        super().__init__(lambda step: controller.do(lambda state: change(state, step)))
        self._field = field

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        self.show(draft.number(self._field))


class NumberPress(NumberField):
    """A number that need not be known, typed."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        super().__init__(lambda number: controller.do(lambda state: state.with_number(field.name, number)))
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
        super().__init__(lambda key: controller.do(lambda state: state.record(**{field.attribute: int(key)})))
        self._field = field

    def show_draft(self, draft: WinDraft, words: Words, names: Sequence[str]) -> None:
        winds = [(str(i), words(name)) for i, name in enumerate(WIND_LABELS)]
        self.offer(winds, str(draft.value(self._field)))


class FortunePress(Press):
    """The fortune tile, or a word while there is none; touched, it opens the keyboard of tiles."""

    def __init__(self, controller: Controller[ScorePhoto], field: Field) -> None:
        super().__init__(" ", act=lambda: controller.do(ScorePhoto.name_fortune), size=theme.TEXT_SMALL)
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
ROWS: Mapping[type[Kind], Maker] = {
    kinds.WonBy: SourceChoice,
    kinds.Seat: SeatChoice,
}
"""What has a whole row, by kind of value."""
CELLS: Mapping[type[Kind], Maker] = {
    kinds.Number: _ask_number,
    kinds.Streak: NumberStepper,
    kinds.Wind: WindPick,
    kinds.WildTile: FortunePress,
}
"""What has half a row, by kind of value."""


def label_of(field: Field, draft: WinDraft, words: Words) -> str:
    """What stands before the widget of a field."""
    robbed = field.name == "from" and draft.source is Source.ROBBED_KONG
    return words("Robbed of") if robbed else words(field.label_in(draft.rule_set))
