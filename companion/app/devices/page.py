"""The page of devices: the state and last report of each one, connecting and forgetting; and what a roll or a
wall means for the next hand."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

from kivy.clock import Clock
from kivy.graphics import Color, SmoothEllipse, SmoothRoundedRectangle
from kivy.metrics import dp
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.devices.state import Devices, DevicesController
from companion.app.feature import Controller, View
from companion.app.widgets import layout, theme
from companion.app.widgets.basics import Card, Choices, Column, Press, Tag, Text
from companion.app.widgets.name_field import NameField
from companion.live.device_words import (
    STATES,
    Mood,
    describe_first_tile,
    describe_link,
    describe_report,
    join_dice,
    list_abilities,
    name_kind,
)
from companion.live.devices import DevicesView, DeviceView, can_shuffle, may_shuffle
from companion.table.state import State
from companion.table.wall import Layer, WallPlace, locate
from companion.words import Words
from companion.words.filling import SEAT_NAMES
from firmware_bridge.events import Table, TableState
from firmware_bridge.handshake import Capability
from firmware_bridge.link import LinkState
from firmware_bridge.ports import PortInfo

DIE = dp(40)
PIPS = {
    1: ((0, 0),),
    2: ((-1, 1), (1, -1)),
    3: ((-1, 1), (0, 0), (1, -1)),
    4: ((-1, 1), (1, 1), (-1, -1), (1, -1)),
    5: ((-1, 1), (1, 1), (0, 0), (-1, -1), (1, -1)),
    6: ((-1, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (1, -1)),
}
"""Positions of the pips of each face, in steps from its middle."""
PIP_STEP = 0.26
PIP_SIZE = 0.19
WALL_SIDE = dp(208)
BESIDE_FROM = dp(600)
ASIDE = 1.12
"""Distance of a wall's side from the middle, in half side lengths, so that sides do not touch at the corners.
"""
STACK_PART = 0.86
DEPTH = 1.5
"""Depth of a stack from above, to its width: a tile is placed with its long side across the wall."""
NAME_SIZE = (dp(80), dp(24))


class ThrowPanel(Card):
    """The game, the dice, where the first tile stands, and the wall: next to them if there is room."""

    def __init__(self) -> None:
        super().__init__(colour=theme.FELT, size_hint_y=None)
        self.bind(minimum_height=self.setter("height"), width=self._arrange)
        self.game = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.dice = DiceFaces()
        self.first = Text()
        self.wall = WallPicture()
        self._texts = layout.column(size_hint_y=None, pos_hint={"center_y": 0.5})
        self._texts.bind(minimum_height=self._texts.setter("height"))
        for child in (self.game, self.dice, self.first):
            self._texts.add_widget(child)
        self._holder = AnchorLayout(size_hint=(None, None), size=(WALL_SIDE, WALL_SIDE))
        self._holder.add_widget(self.wall)
        self.add_widget(self._texts)
        self.add_widget(self._holder)

    def _arrange(self, *_: object) -> None:
        beside = self.width >= BESIDE_FROM
        self.orientation = "horizontal" if beside else "vertical"
        self._holder.size_hint_x = None if beside else 1
        self._holder.width = WALL_SIDE

    def show(self, start: State, words: Words) -> None:
        hand = start.hand
        assert hand is not None
        rules = start.house.rules
        dealer = words("dealer: {who}", who=SEAT_NAMES[hand.deal.dealer])
        thrown = join_dice(hand.dice) if hand.dice else ""
        parts = [words.both(rules.title, rules.title_zh)[0], dealer, thrown]
        self.game.text = " · ".join(filter(None, parts))
        self.dice.show(hand.dice or ())
        self.first.text = words.say(describe_first_tile(hand, SEAT_NAMES))
        self.wall.show(hand.wall.stacks, hand.wall.next_place, [words(name) for name in SEAT_NAMES])


class DiceFaces(Widget):
    """Dice side by side; no dice, no height."""

    def __init__(self) -> None:
        super().__init__(size_hint_y=None, height=0)
        self._faces: tuple[int, ...] = ()
        self.bind(pos=self._draw, size=self._draw)

    def show(self, faces: Sequence[int]) -> None:
        if tuple(faces) != self._faces:
            self._faces = tuple(faces)
            self.height = DIE if faces else 0
            self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.clear()
        with self.canvas:
            for number, face in enumerate(self._faces):
                left = self.x + number * (DIE + theme.GAP)
                Color(*theme.IVORY)
                SmoothRoundedRectangle(pos=(left, self.y), size=(DIE, DIE), radius=[DIE * 0.18])
                Color(*(theme.TROUBLE if face in (1, 4) else theme.INK))  # Chinese dice: one and four are red
                for right, up in PIPS[face]:
                    middle = left + DIE * (0.5 + PIP_STEP * right), self.y + DIE * (0.5 + PIP_STEP * up)
                    half = DIE * PIP_SIZE / 2
                    SmoothEllipse(pos=(middle[0] - half, middle[1] - half), size=(2 * half, 2 * half))


class WallPicture(Widget):
    """The wall from above, the viewer below; the stack of the first tile in gold."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None), size=(WALL_SIDE, WALL_SIDE))
        self.head: WallPlace | None = None
        self._stacks: tuple[int, int, int, int] = (1, 1, 1, 1)
        self._names = [Tag(size=theme.TEXT_TINY, colour=theme.IVORY_DIM, align="center",
                           size_hint=(None, None)) for _ in SEAT_NAMES]  # fmt: skip
        for name in self._names:
            name.size = NAME_SIZE
            self.add_widget(name)
        self.bind(pos=self._draw, size=self._draw)

    def show(self, stacks: tuple[int, int, int, int], head: WallPlace | None, names: Sequence[str]) -> None:
        for tag, name in zip(self._names, names, strict=True):
            tag.text = name
        if (stacks, head) != (self._stacks, self.head):
            self._stacks, self.head = stacks, head
            self._draw()

    def _draw(self, *_: object) -> None:
        self.canvas.before.clear()
        longest = max(self._stacks)
        width = self.width / (longest * ASIDE + DEPTH)
        with self.canvas.before:
            for side, count in enumerate(self._stacks):
                for stack in range(1, count + 1):
                    self._stack(WallPlace(side, stack, Layer.UPPER), width, longest)
        for number, (x, y) in enumerate(((0, -0.72), (0.6, 0), (0, 0.72), (-0.6, 0))):
            self._names[number].center = (
                self.center_x + x * self.width / 2,
                self.center_y + y * self.height / 2,
            )

    def _stack(self, place: WallPlace, width: float, longest: int) -> None:
        seen = locate(place, self._stacks)
        reach = width * self._stacks[place.side] / 2
        out = width * longest / 2 * ASIDE
        upright = seen.direction % 2
        x = self.center_x + seen.x * (out if upright else reach)
        y = self.center_y + seen.y * (reach if upright else out)
        size = (width * DEPTH, width * STACK_PART) if upright else (width * STACK_PART, width * DEPTH)
        is_head = self.head is not None and (place.side, place.stack) == (self.head.side, self.head.stack)
        Color(*(theme.GOLD if is_head else theme.IVORY_DIM))
        SmoothRoundedRectangle(pos=(x - size[0] / 2, y - size[1] / 2), size=size, radius=[width * 0.15])


BUTTON_WIDTH = dp(124)
WIDE_FROM = dp(700)
HIGH_FROM, HIGH_GROWS = dp(900), 2.0
"""Window height from which the search button is enlarged while there is no device, and its enlargement."""
DOT = dp(12)
COUNT_EVERY_S = 0.5
"""Seconds between two updates of the displayed seconds of silence."""
SITS = Capability.WALL | Capability.TILE_POSITIONS | Capability.DISCARDS | Capability.BUTTONS
ADDRESS_LETTERS_MAX = 1000
"""More than the path of a port has."""


class DevicesPage(Card):
    """Cards that change in place: a device may report many things a second."""

    def __init__(self, controller: Controller[Devices], links: DevicesController) -> None:
        super().__init__()
        self._links = links
        self._view: View[Devices] | None = None
        self._forgetting: str | None = None
        self._placed: object = None
        self.title = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.done = Press(" ", act=lambda: controller.do(Devices.step_back), size_hint_x=None, width=dp(110))
        head = layout.row(self.title, self.done, height=theme.TOUCH)
        self.cards: dict[str, DeviceCard] = {}
        self.throw = ThrowPanel()
        self.connect = ConnectCard(links)
        self.column, self._aside = Column(), Column()
        self._body = layout.row()
        self.add_widget(head)
        self.add_widget(self._body)
        self._tick = Clock.schedule_interval(self._count, COUNT_EVERY_S)
        self._tick.cancel()
        self.bind(size=lambda *_: self._view and self.show(self._view))

    def show(self, view: View[Devices]) -> None:
        self._view = view
        words, devices = view.words, view.state.devices
        self.title.text, self.done.text = words("Devices"), words("Back")
        shown = {each.chosen.target: each for each in devices.devices}
        for target in shown.keys() - self.cards.keys():
            self.cards[target] = DeviceCard(
                partial(self._ask, target), partial(self._forget, target),
                partial(self._links.seat, target), partial(self._links.shuffle, target),
            )  # fmt: skip
        self.cards = {target: self.cards[target] for target in shown}
        for target, card in self.cards.items():
            card.show(shown[target], words, devices, asking=target == self._forgetting)
        newest = devices.newest_start
        if newest and newest.start:
            self.throw.show(newest.start, words)
        self.connect.show(view)
        self._arrange(newest is not None)
        self._tick()

    def _arrange(self, thrown: bool) -> None:
        wide = thrown and self.width > self.height and self.width >= WIDE_FROM
        placed = wide, thrown, tuple(self.cards)
        if placed == self._placed:
            return
        self._placed = placed
        for place in (self._body, self.column.inside, self._aside.inside):
            place.clear_widgets()
        self._body.add_widget(self.column)
        if wide:
            self._body.add_widget(self._aside)
            self._aside.size_hint_x = 0.55
        for card in self.cards.values():
            self.column.inside.add_widget(card)
        if thrown:
            (self._aside if wide else self.column).inside.add_widget(self.throw)
        self.column.inside.add_widget(self.connect)

    def _count(self, _: float) -> bool:
        """Count the seconds of silence although nothing is reported."""
        if self.parent is None or self._view is None:
            return False
        for linked in self._view.state.devices.devices:
            self.cards[linked.chosen.target].show_standing(linked, self._view.words)
        return True

    def _ask(self, target: str, forget: bool) -> None:
        self._forgetting = target if forget else None
        if self._view:
            self.show(self._view)

    def _forget(self, target: str) -> None:
        self._forgetting = None
        self._links.forget(target)


class DeviceCard(Card):
    """One device."""

    def __init__(
        self,
        ask: Callable[[bool], None],
        forget: Callable[[], None],
        seat: Callable[[int], None],
        shuffle: Callable[[], None],
    ) -> None:
        super().__init__(
            orientation="horizontal", size_hint_y=None, colour=theme.FELT,
            padding=(theme.PAD, theme.GAP), spacing=theme.GAP,
        )  # fmt: skip
        self.name = Text()
        self.dot = Dot()
        self.state = Text()
        self.why = Text(size=theme.TEXT_SMALL, colour=theme.UNSURE)
        self.reported = Text()
        self.wrong = Text(size=theme.TEXT_SMALL, colour=theme.UNSURE)
        self.doing = Text(size=theme.TEXT_SMALL)
        self.about = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self._seat_label = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.seats = Choices(lambda key: seat(int(key)), size=theme.TEXT_SMALL)
        self._state_row = layout.row(self.dot, self.state, size_hint_y=None)
        self.state.bind(height=self._state_row.setter("height"))
        self._texts = layout.column(size_hint_y=None, spacing=theme.GAP / 2, pos_hint={"top": 1})
        self._texts.bind(minimum_height=self._texts.setter("height"))
        self.shuffle = _button(shuffle)
        self.forget = _button(lambda: ask(True))
        self.really = _button(forget, main=True)
        self.keep = _button(lambda: ask(False))
        self._steps = BoxLayout(
            orientation="vertical", size_hint=(None, None), width=BUTTON_WIDTH, spacing=theme.GAP,
            pos_hint={"top": 1},
        )  # fmt: skip
        self._steps.bind(minimum_height=self._steps.setter("height"))
        for side in (self._texts, self._steps):
            side.bind(height=self._fit)
            self.add_widget(side)

    def show(self, linked: DeviceView, words: Words, devices: DevicesView, *, asking: bool) -> None:
        device = linked.device
        target = linked.chosen.target
        self.name.text = (device.model or words.say(name_kind(device))) if device else target
        self.show_standing(linked, words)
        self.reported.text = _describe_last(linked, words)
        self.wrong.text = words.say(linked.wrong.sentence) if linked.wrong else ""
        self.about.text = _describe_device(linked, words)
        sits = device is not None and bool(device.capabilities & SITS)
        self._seat_label.text = words("Who sits at side 0?") if sits else ""
        if sits:
            seats = [(str(seat), words(name)) for seat, name in enumerate(SEAT_NAMES)]
            self.seats.offer(seats, str(linked.chosen.first_seat))
        shuffles = device is not None and can_shuffle(device) and linked.state is LinkState.OPEN
        self.doing.text = _describe_doing(linked, devices, words) if shuffles else ""
        self.shuffle.text, self.forget.text = words("Shuffle"), words("Forget")
        self.shuffle.disabled = linked.shuffle_asked or not may_shuffle(linked.table)
        self.shuffle.chosen = linked.table is None or linked.table.state == TableState.IDLE
        self.really.text, self.keep.text = words("Forget it"), words("Keep it")
        steps = (self.really, self.keep) if asking else (self.forget,)
        _fill(self._steps, (self.shuffle, *steps) if shuffles else steps)
        self._fill_texts()

    def show_standing(self, linked: DeviceView, words: Words) -> None:
        how = describe_link(linked, time.monotonic())
        self.dot.paint(_colour_of(how.mood))
        self.state.text, self.state.color = words.say(how.short), _colour_of(how.mood)
        self.why.text = words.say(how.why) if how.why else ""
        self._fill_texts()

    def _fill_texts(self) -> None:
        said = (
            self.name, self._state_row, self.why, self.reported, self.wrong, self.doing, self.about,
            self._seat_label,
        )  # fmt: skip
        wanted: list[Widget] = [each for each in said if not isinstance(each, Text) or each.text]
        if self._seat_label.text:
            wanted.append(self.seats)
        _fill(self._texts, wanted)

    def _fit(self, *_: object) -> None:
        self.height = max(self._texts.height, self._steps.height) + 2 * theme.GAP


class ConnectCard(Card):
    """Looking for devices, the ports of this computer, and any other port by its name."""

    def __init__(self, links: DevicesController) -> None:
        super().__init__(size_hint_y=None, colour=theme.FELT)
        self.bind(minimum_height=self.setter("height"))
        self._links = links
        self._listed: object = None
        self.intro = Text(colour=theme.IVORY_DIM)
        self.looking = Press(" ", act=self._toggle)
        self.explained = Text(size=theme.TEXT_SMALL, colour=theme.IVORY_DIM)
        self.ports: dict[str, Press] = {}
        self._list = layout.column(size_hint_y=None)
        self._list.bind(minimum_height=self._list.setter("height"))
        self.field = NameField(lambda _: None, ADDRESS_LETTERS_MAX)
        self.field.bind(on_text_validate=lambda *_: self._take())
        self.take = _button(self._take)
        row = layout.row(self.field, self.take, height=theme.TOUCH)
        for child in (self.intro, self.looking, self.explained, self._list, row):
            self.add_widget(child)

    def show(self, view: View[Devices]) -> None:
        words, devices = view.words, view.state.devices
        self.intro.text = words(
            "You can play without devices. A dice cup or an automatic table on a serial line reports its"
            " rolls, its wall and its buttons."
        )
        self.looking.text = words("Look for devices automatically")
        self.looking.chosen = devices.looking
        is_high = view.size[1] >= HIGH_FROM and not devices.devices
        self.intro.font_size = theme.TEXT_LARGE if is_high else theme.TEXT
        self.explained.font_size = theme.TEXT if is_high else theme.TEXT_SMALL
        self.looking.grow(theme.TOUCH * (HIGH_GROWS if is_high else 1))
        self.explained.text = words(
            "Greets every USB serial port once when something is plugged in; some boards then restart."
        )
        self.field.hint_text = words("Port or address")
        self.take.text = words("Connect")
        in_use = {each.chosen.target for each in devices.devices} | {each.port for each in devices.devices}
        ports = tuple(port for port in devices.ports if port.path not in in_use)
        if (ports, words) != self._listed:
            self._listed = ports, words
            self._list.clear_widgets()
            self.ports = {}
            for port in ports:
                self._list.add_widget(self._row(port, words))

    def _row(self, port: PortInfo, words: Words) -> Widget:
        row = layout.row(size_hint_y=None)
        name = port.path if port.name in ("n/a", port.path) else f"{port.path} · {port.name}"
        text = Text(name, pos_hint={"center_y": 0.5})
        text.bind(height=lambda _, height: setattr(row, "height", max(height, theme.TOUCH)))
        row.height = theme.TOUCH
        press = _button(partial(self._links.listen, port.path))
        press.text = words("Connect")
        self.ports[port.path] = press
        row.add_widget(text)
        row.add_widget(press)
        return row

    def _toggle(self) -> None:
        self._links.look_for(not self._links.view.looking)

    def _take(self) -> None:
        target = self.field.text
        self.field.show("")
        self._links.listen(target)


class Dot(Widget):
    """A spot in the colour of how things are."""

    def __init__(self) -> None:
        super().__init__(size_hint=(None, None), size=(DOT, DOT), pos_hint={"center_y": 0.5})
        with self.canvas:
            self._colour = Color(*theme.IVORY_DIM)
            self._spot = SmoothEllipse(size=self.size)
        self.bind(pos=lambda *_: setattr(self._spot, "pos", self.pos))

    def paint(self, colour: theme.Colour) -> None:
        self._colour.rgba = colour


def _fill(place: BoxLayout, wanted: list[Widget] | tuple[Widget, ...]) -> None:
    """Put these below each other, unless they are."""
    if place.children[::-1] != list(wanted):
        place.clear_widgets()
        for child in wanted:
            place.add_widget(child)


def _button(act: Callable[[], None], *, main: bool = False) -> Press:
    return Press(
        " ", act=act, main=main, size=theme.TEXT_SMALL, size_hint_x=None, width=BUTTON_WIDTH,
        pos_hint={"center_y": 0.5},
    )  # fmt: skip


def _describe_last(linked: DeviceView, words: Words) -> str:
    """What it reported last, and when that was."""
    if linked.last is None:
        return words("No reports yet.") if linked.device else ""
    at = time.localtime(time.time() - (time.monotonic() - linked.last.happened))
    said = words.say(describe_report(linked.last.message, linked.chosen.first_seat, SEAT_NAMES))
    return f"{said} · {time.strftime('%H:%M:%S', at)}"


def _describe_doing(linked: DeviceView, devices: DevicesView, words: Words) -> str:
    """What a table is doing, and for which wall it would shuffle."""
    assert linked.device is not None
    if linked.shuffle_asked:
        return words("Shuffle requested …")
    is_last = linked.last is not None and isinstance(linked.last.message, Table)
    known = linked.table is not None and not linked.table.error and not is_last
    state = words.say(STATES[TableState(linked.table.state)]) if linked.table and known else ""
    count = devices.tiles
    if linked.table and linked.table.tile_count and Capability.TILE_COUNT not in linked.device.capabilities:
        count = linked.table.tile_count
    plan = words("Next shuffle: {count} tiles, dealer: {who}", count=count, who=SEAT_NAMES[devices.dealer])
    return " · ".join(filter(None, (state, plan)))


def _describe_device(linked: DeviceView, words: Words) -> str:
    """What sort of device it is, its serial number, its port, what it can do."""
    device = linked.device
    if device is None:
        return ""
    parts = [words.say(name_kind(device)), f"{device.serial} {device.firmware}".strip(), linked.port]
    reports, can = (words(", ").join(map(words, group)) for group in list_abilities(device))
    parts += [words("reports: {things}", things=reports) if reports else ""]
    parts += [words("can: {things}", things=can) if can else ""]
    return " · ".join(filter(None, parts))


def _colour_of(mood: Mood) -> theme.Colour:
    return {Mood.WELL: theme.SURE, Mood.WAITING: theme.IVORY_DIM, Mood.TROUBLE: theme.UNSURE}[mood]
