"""Advice in full: the hand with its dangers, each choice and what it is worth, what helps, what is left."""

from __future__ import annotations

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout

from companion.app.coach.looks import list_useful, note_hand, note_useful
from companion.app.coach.noted_tiles import Noted, NotedTiles, format_percent
from companion.app.coach.state import CoachState
from companion.app.coach.thinking import Answer
from companion.app.coach.wording import say_first
from companion.app.feature import Controller, View
from companion.app.widgets import theme
from companion.app.widgets.basics import Card, Column, Press, Tag, Text, adopt
from companion.coach.results import Advised, Level
from companion.coach.words.wording import (
    AT_MOST,
    WHOLE_FROM,
    describe_best,
    list_action_tiles,
    name_action,
    name_seats,
    phrase,
)
from companion.tiles import KINDS, Suit
from companion.words import Words
from companion.words.filling import SEAT_NAMES

CHOICES_MOST = 14
ROW_HEIGHT = dp(64)
ROW_TILE = dp(40)
DANGERS_MOST = 3
HAND_HEIGHT = dp(120)
COUNT_ROW = dp(78)


class AdvicePart(BoxLayout):
    """Beside each other in a wide window, else below each other."""

    def __init__(self, controller: Controller[CoachState]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP)
        self._controller = controller
        self.said = Text(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.hand = NotedTiles(tile_width=theme.TILE_WIDTH_MAX, size_hint_y=None, height=HAND_HEIGHT)
        self.tell = Press(" ", main=True, act=lambda: controller.do(CoachState.begin_entering))
        self.choices = Column(spacing=theme.GAP / 2)
        self.side = Column(spacing=theme.GAP)
        self._body = BoxLayout(spacing=theme.GAP)
        self._shown: object = None

    def show(self, view: View[CoachState]) -> None:
        state, words = view.state, view.words
        names = SEAT_NAMES if state.game is None else name_seats(state.game, words)
        shown = state.answer, state.position, state.subject, words, view.size, names
        if shown == self._shown:
            return
        self._shown = shown
        answer = state.answer
        self.said.text = self._say(state, words, names)
        counts = state.level is Level.LEFT
        self.hand.show([] if answer is None or counts else note_hand(answer))
        self.tell.text = words("Tell the hand")
        self._arrange(view, asks=state.position.wants_hand and state.game is not None, counts=counts)
        self.choices.inside.clear_widgets()
        self.side.inside.clear_widgets()
        if answer is None:
            return
        if self.hand.tiles and answer.advice is not None:
            self.choices.inside.add_widget(_head(words("Below each tile: how often it deals in")))
        self._fill_choices(answer, words, names)
        self._fill_side(answer, words, names)

    def _say(self, state: CoachState, words: Words, names: tuple[str, ...]) -> str:
        position, answer = state.position, state.answer
        if position.trouble is not None and answer is None:
            return phrase(position.trouble, words, names)
        if answer is None:
            return words("Thinking …") if state.question is not None else ""
        said = say_first(answer, words, names)
        if answer.advice is not None and answer.advice.choices:
            return describe_best(answer.advice.choices[0], said, words)
        return said

    def _arrange(self, view: View[CoachState], *, asks: bool, counts: bool) -> None:
        wide = view.size[0] > view.size[1]
        for each in (self, self._body):
            each.clear_widgets()
        self._body.orientation = "horizontal" if wide else "vertical"
        adopt(self, self.said)
        if asks:
            adopt(self, self.tell)
        if self.hand.tiles:
            adopt(self, self.hand)
        self.choices.size_hint = (1.35, 1) if wide else (1, 1)
        if not counts:
            adopt(self._body, self.choices)
        adopt(self._body, self.side)
        self.add_widget(self._body)

    def _fill_choices(self, answer: Answer, words: Words, names: tuple[str, ...]) -> None:
        inside = self.choices.inside
        if answer.advice is None:
            return
        dangers = {each.code: each.chance for each in answer.dangers}
        for rank, choice in enumerate(answer.advice.choices[:CHOICES_MOST]):
            inside.add_widget(ChoiceRow(choice, dangers, words, first=rank == 0))

    def _fill_side(self, answer: Answer, words: Words, names: tuple[str, ...]) -> None:
        inside, useful = self.side.inside, list_useful(answer)
        if useful:
            count = sum(each.unseen for each in useful)
            inside.add_widget(_head(words("What helps: {count} left", count=count)))
            inside.add_widget(_grow(NotedTiles(tile_width=dp(44), least=dp(36)), note_useful(useful)))
        grave = [each for each in answer.dangers if each.chance >= 0.02][:DANGERS_MOST]
        if grave:
            inside.add_widget(_head(words("Dangerous")))
        for each in grave:
            row = BoxLayout(size_hint_y=None, height=ROW_HEIGHT, spacing=theme.GAP)
            face = NotedTiles(tile_width=ROW_TILE, notes=False, size_hint_x=None, width=ROW_TILE)
            face.show([Noted(each.code)])
            row.add_widget(face)
            row.add_widget(_middle(Text(phrase(each.why, words, names), size=theme.TEXT_SMALL)))
            inside.add_widget(row)
        if answer.left:
            heading = words("Can still come")
            if answer.at_least:
                heading = f"{heading} ({words(AT_MOST)})"
            inside.add_widget(_head(heading))
            for suit in Suit:
                kinds = [kind.code for kind in KINDS if kind.suit is suit and kind.code in answer.left]
                if kinds:
                    row_tiles = [
                        Noted(code, str(answer.left[code]), faded=not answer.left[code]) for code in kinds
                    ]
                    large = answer.advice is None and answer.standing is None
                    counts = NotedTiles(
                        tile_width=theme.TILE_WIDTH_MAX,
                        size_hint_y=None,
                        height=COUNT_ROW * (1.3 if large else 1),
                    )
                    counts.show(row_tiles)
                    inside.add_widget(counts)


class ChoiceRow(Card):
    """One choice: what it is, how the hand stands after it, what it is worth."""

    def __init__(self, choice: Advised, dangers: dict[str, float], words: Words, *, first: bool) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, height=ROW_HEIGHT, padding=theme.GAP / 2,
            spacing=theme.GAP, colour=theme.PANEL_PRESSED if first else theme.PANEL,
        )  # fmt: skip
        self.choice = choice
        tiles = NotedTiles(tile_width=ROW_TILE, notes=False, size_hint_x=None)
        codes = list_action_tiles(choice)
        tiles.width = ROW_TILE * max(1, len(codes))
        tiles.show([Noted(code) for code in codes])
        self.add_widget(tiles)
        act = name_action(choice, words)
        if choice.then is not None:
            act = f"{act} →"
        self.add_widget(Tag(act, size=theme.TEXT_SMALL, size_hint_x=0.8))
        if choice.then is not None:
            then = NotedTiles(tile_width=ROW_TILE, notes=False, size_hint_x=None, width=ROW_TILE)
            then.show([Noted(choice.then.code)])
            self.add_widget(then)
        self.add_widget(_pair(*_say_shape(choice, words)))
        if choice.value is not None:
            deal_in = choice.deal_in or 0.0
            self.add_widget(_pair(_say_worth(choice.value, choice.value_error or 0.0), words("worth")))
            self.add_widget(_pair(format_percent(choice.win_rate or 0.0), words("wins")))
            self.add_widget(_pair(format_percent(deal_in), words("deals in")))


def _say_worth(value: float, error: float) -> str:
    """The mean payment and, where it is no exact one, how far it may be off; large ones in whole numbers."""
    digits = 0 if abs(value) >= WHOLE_FROM or error >= WHOLE_FROM else 1
    said = f"{value:+.{digits}f}".replace("-", "−")
    return f"{said} ±{error:.{digits}f}" if error else said


def _say_shape(choice: Advised, words: Words) -> tuple[str, str]:
    """How many tiles help, and how far the hand is then."""
    count = sum(each.unseen for each in choice.useful)
    if choice.shanten < 0:
        return "", words("wins now")
    away = words("ready to win") if choice.shanten == 0 else words("{count} from ready", count=choice.shanten)
    return words("{count} tiles", count=count), away


def _pair(large: str, small: str) -> BoxLayout:
    box = BoxLayout(orientation="vertical")
    box.add_widget(Tag(large, size=theme.TEXT, align="center", bold=True))
    box.add_widget(Tag(small, size=theme.TEXT_TINY, colour=theme.IVORY_DIM, align="center"))
    return box


def _middle(text: Text) -> Text:
    """In the middle of its row."""
    text.pos_hint = {"center_y": 0.5}
    return text


def _head(text: str) -> Text:
    return Text(text, size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)


def _grow(row: NotedTiles, tiles: list[Noted]) -> NotedTiles:
    """As high as its tiles need in its width."""
    row.size_hint_y = None
    row.show(tiles)

    def measure(*_: object) -> None:
        row.height = row.measure(row.width, len(tiles))

    row.bind(width=measure)
    measure()
    return row
