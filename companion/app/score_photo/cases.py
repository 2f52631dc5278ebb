"""Who wins on what, as the game knows it: a row for the tile that lies there and one for what is drawn next.

Beside each stand the players to whom it can happen: one touch says both."""

from __future__ import annotations

from collections.abc import Sequence

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller
from companion.app.score_photo.rows import NAME_LEAST
from companion.app.score_photo.seats import SOURCE_NAMES
from companion.app.score_photo.state import ScorePhoto
from companion.app.widgets import theme
from companion.app.widgets.basics import Choices, Press, Tag
from companion.app.widgets.tiles import TileFace
from companion.rules import Source
from companion.sentences import msgid
from companion.table.wins import Chance
from companion.tiles import Tile
from companion.words import Words

LABEL_WIDTH = dp(164)
OTHERWISE = "otherwise"
Way = tuple[Source, int | None, Tile | None]
"""How the winning tile came, whose it was, and which one."""


class CaseChoice(BoxLayout):
    """A row for each way in which the hand can end with a win now; in the last row who wins otherwise, of
    which the game knows nothing."""

    def __init__(self, controller: Controller[ScorePhoto]) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.GAP * 0.75)
        self.bind(minimum_height=self.setter("height"))
        self._controller = controller
        self._rows: dict[Way | None, _Way] = {}

    def show_cases(
        self,
        cases: Sequence[Chance],
        seats: Sequence[int],
        chosen: tuple[int, Source | None] | None,
        words: Words,
        names: Sequence[str],
    ) -> None:
        """chosen: who has won and how, None while nobody has said it; without a source of one who wins
        otherwise."""
        ways: dict[Way | None, list[int]] = {}
        for case in cases:
            ways.setdefault((case.source, case.discarder, case.tile), []).append(case.seat)
        others = [seat for seat in seats if all(case.seat != seat for case in cases)]
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
        """What says that this player won so; None: otherwise."""
        row = next(row for way, row in self._rows.items() if (way[0] if way else None) == source)
        return row.players.button(str(seat))


class _Way(BoxLayout):
    """One way, and to whom it can happen."""

    def __init__(self, way: Way | None, controller: Controller[ScorePhoto]) -> None:
        super().__init__(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        self._way = way
        self._controller = controller
        head = BoxLayout(size_hint_x=None, width=LABEL_WIDTH * theme.SCALE, spacing=theme.GAP / 2)
        self.label = Tag(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, least=theme.TEXT_TINY)
        head.add_widget(self.label)
        tile = way[2] if way else None
        if tile is not None:
            head.add_widget(TileFace(tile.code, width=theme.TOUCH * theme.TILE_ASPECT))
        else:
            head.add_widget(Widget(size_hint_x=None, width=0))
        self.players = Choices(self._choose, size=theme.TEXT_SMALL, least=NAME_LEAST * theme.SCALE)
        self.players.bind(height=self.setter("height"))
        self.add_widget(head)
        self.add_widget(self.players)

    def show(
        self, players: Sequence[tuple[str, str]], winner: int | None, words: Words, names: Sequence[str]
    ) -> None:
        self.players.offer(players, None if winner is None else str(winner))
        if self._way is None:
            self.label.text = words("Somebody else")
            return
        source, giver, _ = self._way
        if giver is None:
            self.label.text = words(SOURCE_NAMES[source])
        else:
            said = msgid("Kong of {name}:") if source is Source.ROBBED_KONG else msgid("Tile of {name}:")
            self.label.text = words(said, name=names[giver])

    def _choose(self, key: str) -> None:
        seat, way = int(key), self._way
        if way is None:
            self._controller.do(lambda state: state.with_winner(seat))
        else:
            self._controller.do(lambda state: state.with_case(seat, way[0]))
