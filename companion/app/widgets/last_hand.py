"""How the hand before ended, while the next one has not begun: who won on what, with which tiles, and what
everybody got and has."""

from __future__ import annotations

from functools import partial

from kivy.uix.boxlayout import BoxLayout

from companion.app.text import name_seats
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Tag, Text
from companion.app.widgets.game_words import list_flowers, list_melds
from companion.app.widgets.name_tag import NameTag
from companion.app.widgets.tiles import Group, TileStrip
from companion.live.event_words import describe_value, describe_win
from companion.money import amount, format_money
from companion.sentences import Sentence, write_number
from companion.sheets.wording import NEW_TOTAL, write_line, write_points
from companion.table.state import HandResult, PaymentReason, Player, State, is_cancelled
from companion.words import Words
from companion.words.filling import SEAT_NAMES

ROW_LINES, LONG_ROW_LINES = 1.7, 2.6
"""The height of a player's row, in sizes of its letters, and its height if a name takes two lines."""
LETTERS_A_LINE = 18


class LastHand(BoxLayout):
    """Each win in words, and its tiles below; then a row for each player if there is room."""

    def __init__(self) -> None:
        super().__init__(
            orientation="vertical", size_hint_y=None, spacing=theme.GAP, padding=(0, theme.PAD, 0, 0)
        )
        self.bind(minimum_height=self.setter("height"))
        self._shown: object = None

    def show(self, game: State, words: Words, *, has_room: bool, explains: bool = False) -> None:
        """has_room: for what everybody got and has. explains: whether it says what each win was counted
        for."""
        shown = game, words, has_room, explains
        if shown == self._shown:
            return
        self._shown = shown
        self.clear_widgets()
        hand = game.hand
        results = () if hand is None or game.playing else hand.results
        for result, said in zip(results, describe_end(game), strict=True):
            assert hand is not None
            self.add_widget(Text(words.say(said), size=theme.TEXT_LARGE))
            groups = group_tiles(hand.players[result.winner], result)
            self.add_widget(TileStrip(groups, tile_width=theme.TILE_WIDTH_MAX))
            if explains:
                self._show_lines(result, words)
        if has_room:
            paid = describe_paid_kongs(game, words)
            if paid:
                self.add_widget(Text(paid, colour=theme.IVORY_DIM))
            self._show_points(game, words)

    def _show_lines(self, result: HandResult, words: Words) -> None:
        for line in result.score.lines:
            row = layout.row(height=theme.TEXT * ROW_LINES)
            name = words.both(line.name, line.name_zh)[0]
            row.add_widget(Tag(f"{name} ×{line.count}" if line.count > 1 else name, size_hint_x=3))
            worth = write_line(line, result.score.sign, result.score)
            row.add_widget(Tag(worth, colour=theme.GOLD, align="right", bold=True))
            self.add_widget(row)

    def _show_points(self, game: State, words: Words) -> None:
        hand, names = game.hand, name_seats(game)
        booked = () if hand is None else game.ledger[hand.booked :]
        is_long = max(len(words.say(name)) for name in names) > LETTERS_A_LINE
        high = theme.TEXT_LARGE * (LONG_ROW_LINES if is_long else ROW_LINES)
        for seat in game.house.seats:
            person = game.seated[seat]
            got = sum(entry.points[person] for entry in booked)
            row = layout.row(
                NameTag(words.say(names[seat]), size=theme.TEXT_LARGE, size_hint_x=2), height=high
            )
            if booked:
                colour = theme.GAIN if got > 0 else theme.LOSS if got < 0 else theme.IVORY_DIM
                row.add_widget(
                    Tag(write_points(got), size=theme.TEXT_LARGE, colour=colour, align="right", bold=True)
                )
                if game.currency is not None:
                    money = format_money(amount(got, game.currency), game.currency)
                    row.add_widget(Tag(money, size=theme.TEXT_LARGE, colour=colour, align="right"))
            total = words(NEW_TOTAL, points=write_number(game.balances[seat]))
            row.add_widget(Tag(total, size=theme.TEXT_LARGE, colour=theme.IVORY_DIM, align="right"))
            self.add_widget(row)


def describe_paid_kongs(game: State, words: Words) -> str:
    """The kongs of the last hand that were paid for by themselves: whose, and what they brought."""
    hand, names = game.hand, name_seats(game)
    entries = () if hand is None or game.playing else list(enumerate(game.ledger))[hand.booked :]
    paid = [
        words(
            "kong of {who} {points}",
            who=words.say(names[entry.seat]),
            points=write_points(entry.points[game.seated[entry.seat]]),
        )
        for number, entry in entries
        if entry.reason is PaymentReason.KONG and entry.seat is not None and not is_cancelled(game, number)
    ]
    return words("Also paid: {payments}", payments=words.join(paid)) if paid else ""


def group_tiles(player: Player, result: HandResult) -> list[Group]:
    """A winning hand as drawn tiles: concealed, the winning tile apart and ringed, melds, flowers."""
    concealed = sorted(player.concealed)
    if result.tile is not None and result.tile in concealed:
        concealed.remove(result.tile)
    groups: list[Group] = [[(tile.code, False) for tile in concealed]]
    if result.tile is not None:
        groups.append([(result.tile.code, True)])
    groups += [[(code, False) for code in codes] for codes in (*list_melds(player), list_flowers(player))]
    return [group for group in groups if group]


def describe_end(state: State) -> tuple[Sentence, ...]:
    """How the last hand ended; nothing before the first."""
    hand = state.hand
    if hand is None or state.playing:
        return ()
    seats = [state.names[who] or place for who, place in zip(hand.seated, SEAT_NAMES, strict=True)]
    value = partial(describe_value, currency=state.currency)
    return tuple(describe_win(each, seats, value) for each in hand.results)
