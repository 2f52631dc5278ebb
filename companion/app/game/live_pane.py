"""The table that is followed: the camera's picture, what lies before each player, what has happened."""

from __future__ import annotations

from collections.abc import Callable

from kivy.metrics import dp
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.app.feature import Controller, View
from companion.app.game.board import Board
from companion.app.game.events_pane import EventsPane
from companion.app.game.fix_sheet import FixSheet
from companion.app.game.followed import Beginning, Followed, describe_turn, describe_wall
from companion.app.game.notices import CornersCard, DoubtCard, LostCard, QuestionCard
from companion.app.game.players import PlayersPane
from companion.app.game.state import FollowGame, Pane
from companion.app.game.table_stage import TableStage
from companion.app.widgets import theme
from companion.app.widgets.arrangement import Arrangement, choose_arrangement
from companion.app.widgets.basics import Card, Press, Tag, Text
from companion.running.live_following import LiveFollowing, TablePicture
from companion.running.lost_words import UNEXPLAINED
from companion.sentences import Sentence

BUTTON_WIDTH = dp(96)
CAPTION_HEIGHT = dp(22)
PICTURE_PART = {Arrangement.WIDE: 0.56, Arrangement.TALL: 0.42}
"""Of the width, or of the height."""
PLAYERS_PART = 0.62
"""Of the height of the lists, at most: what lies before the players."""


class LivePane(Card):
    """`update` shows the newest picture; all else is shown with the view."""

    def __init__(self, controller: Controller[FollowGame]) -> None:
        super().__init__()
        self.status = Tag(size=theme.TEXT_LARGE, colour=theme.GOLD)
        self.corners = _button(lambda: controller.do(FollowGame.touch_corners))
        self.stop = _button(lambda: controller.do(FollowGame.stop))
        self.back = _button(lambda: controller.do(FollowGame.step_back))
        self._head = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.GAP)
        for child in (self.status, self.corners, self.stop, self.back):
            self._head.add_widget(child)
        self.stage = TableStage(lambda place: controller.do(lambda state: state.touch_corner(place)))
        self.caption = Text(size=theme.TEXT_SMALL, align="center")
        self.board = Board()
        self.believed = Tag(
            size=theme.TEXT_SMALL, colour=theme.IVORY_DIM, size_hint_y=None, height=CAPTION_HEIGHT,
            align="center",
        )  # fmt: skip
        self.players = PlayersPane()
        self.events = EventsPane(lambda number: controller.do(lambda state: state.select(number)))
        self.fix = FixSheet(controller)
        self.question = QuestionCard(controller)
        self.lost = LostCard(controller)
        self.doubt = DoubtCard(controller)
        self.corners_card = CornersCard(controller)
        self.players.inside.bind(height=self._share_height)
        self._placed: object = None
        self._view: View[FollowGame] | None = None
        self._following: LiveFollowing | None = None
        self._picture: tuple[TablePicture, bool] | None = None
        self._drawn: object = None
        self._beginning = Beginning()
        self._has_begun = False

    def show(self, view: View[FollowGame]) -> None:
        self._view = view
        words, state = view.words, view.state
        self.corners.text, self.stop.text, self.back.text = words("Corners"), words("Stop"), words("Back")
        self.corners.disabled = self.stop.disabled = not state.runs
        if self._following is not state.following:
            self._following, self._picture = state.following, None
            self._beginning, self._has_begun = Beginning(), False
            self.stage.forget()
        followed = state.followed
        if followed is None:
            return
        turn = describe_turn(followed.state, has_begun=self._has_begun)
        parts = (turn, *describe_wall(followed.state))
        self.status.text = " · ".join(words.say(part) for part in parts)
        roomy = choose_arrangement(view.size) is not Arrangement.SMALL
        self.players.show(followed.state, words, wide=roomy)
        self.events.show(followed, words, has_begun=self._has_begun)
        self.board.bottom = state.plan.bottom
        self.board.show(followed.state)
        if state.entry is not None:
            self.fix.show(state.entry, followed.state, words)
        self.believed.text = words("What should lie there")
        self._arrange(view, self._choose_notice(view, followed))
        self._drawn = None

    def update(self) -> bool:
        """Show the newest picture; whether to go on."""
        following, view = self._following, self._view
        if following is None or view is None:
            return False
        if following.is_silent:
            following.lose(Sentence("The camera gives no picture any more: check its plug, then go on."))
            return False
        following.shows_edges = view.state.corners is not None
        picture = following.picture
        self.caption.text, self.caption.color = self._describe(picture, view)
        if picture is None:
            return True
        self._note_beginning(picture, view)
        whole = view.state.corners is not None
        if (picture, whole) != self._picture:
            self._picture = picture, whole
            self.stage.fill_table(picture, whole=whole)
        drawn = (
            picture.table,
            picture.tiles,
            view.state.corners,
            tuple(self.stage.pos),
            tuple(self.stage.size),
        )
        if drawn != self._drawn:
            self._drawn = drawn
            self.stage.show(picture, view.state.corners)
        return True

    def _note_beginning(self, picture: TablePicture, view: View[FollowGame]) -> None:
        """Say that a hand has begun as soon as its tiles lie there."""
        if picture.table is None or view.state.followed is None:
            return
        faces = sum(not tile.unsure for tile in picture.tiles)
        has_begun = self._beginning.look(view.state.followed.state, faces)
        if has_begun is not self._has_begun:
            self._has_begun = has_begun
            self.show(view)

    def forget(self) -> None:
        """Show no picture any more."""
        self._picture, self._drawn, self._following = None, None, None
        self.stage.forget()

    def _choose_notice(self, view: View[FollowGame], followed: Followed) -> Widget | None:
        """What a person is asked or told: one thing at a time."""
        state, words = view.state, view.words
        if state.corners is not None:
            self.corners_card.show(len(state.corners), words)
            return self.corners_card
        if state.entry is not None:
            return None
        if followed.lost:
            self.lost.show(followed.lost, words, flat=choose_arrangement(view.size) is Arrangement.SMALL)
            return self.lost
        question = followed.questions[0] if followed.questions else None
        entry = followed.find(question.number) if question else None
        if question is not None and entry is not None:
            self.question.show(question, entry.said, words)
            return self.question
        if followed.doubted:
            flat = choose_arrangement(view.size) is Arrangement.SMALL
            self.doubt.show(followed.doubted, words, flat=flat)
            return self.doubt
        return None

    def _describe(self, picture: TablePicture | None, view: View[FollowGame]) -> tuple[str, theme.Colour]:
        """What the picture shows."""
        words = view.words
        if picture is None:
            return words("Waiting for the camera …"), theme.IVORY_DIM
        if view.state.corners is not None:
            return words(
                "Blurred but for straight edges, so that nothing in a hand can be read."
            ), theme.IVORY_DIM
        if picture.table is None:
            if view.state.found is None:
                return words("Looking for the table …"), theme.IVORY_DIM
            return words("Blurred, since nobody knows where the hands are."), theme.IVORY_DIM
        pose = view.state.pose
        if pose is None:
            return "", theme.IVORY_DIM
        return words.say(pose.sentence), theme.IVORY_DIM if pose.good else theme.UNSURE

    def _arrange(self, view: View[FollowGame], notice: Widget | None) -> None:
        state, arrangement = view.state, choose_arrangement(view.size)
        why = state.followed.lost if state.followed else None
        lost = why is not None and why.template == UNEXPLAINED and state.corners is None
        fixing = state.entry is not None
        placed = arrangement, state.pane, lost, fixing, notice
        if placed == self._placed:
            return
        self._placed = placed
        for each in (self, *self._boxes()):
            each.clear_widgets()
        self.add_widget(self._head)
        pictures = _box("vertical" if arrangement is Arrangement.WIDE else "horizontal")
        pictures.add_widget(_stack(self.stage, self.caption))
        if lost:
            pictures.add_widget(_stack(self.board, self.believed))
        lists = _box("vertical")
        lists.bind(height=self._share_height)
        if fixing:
            lists.add_widget(self.fix)
        else:
            lists.add_widget(self.players)
            lists.add_widget(self.events)
            self._share_height()
        match arrangement:
            case Arrangement.SMALL:
                if notice is not None:
                    self.add_widget(notice)
                self.add_widget(self._choose_small(state, pictures, lists))
            case _:
                wide = arrangement is Arrangement.WIDE
                body, side = _box("horizontal" if wide else "vertical"), _box("vertical")
                if notice is not None:
                    side.add_widget(notice)
                side.add_widget(lists)
                part = PICTURE_PART[arrangement]
                if wide:
                    pictures.size_hint_x, side.size_hint_x = part, 1 - part
                else:
                    pictures.size_hint_y, side.size_hint_y = part, 1 - part
                body.add_widget(pictures)
                body.add_widget(side)
                self.add_widget(body)

    def _choose_small(self, state: FollowGame, pictures: Widget, lists: BoxLayout) -> Widget:
        """The one part for which a small window has room."""
        if state.entry is not None:
            return lists
        lists.clear_widgets()
        self.players.size_hint_y = 1
        return {Pane.PICTURE: pictures, Pane.PLAYERS: self.players, Pane.EVENTS: self.events}[state.pane]

    def _share_height(self, *_: object) -> None:
        """What lies before the players is as high as it needs to be, and the events have the rest."""
        lists = self.players.parent
        if lists is not None and self.events.parent is lists:
            self.players.size_hint_y = None
            self.players.height = min(self.players.inside.height, lists.height * PLAYERS_PART)

    def _boxes(self) -> list[Widget]:
        """The boxes in which the parts are now, to be emptied before these are put elsewhere."""
        parts = (
            self.stage, self.caption, self.board, self.believed, self.players, self.events, self.fix,
            self.question, self.lost, self.doubt, self.corners_card,
        )  # fmt: skip
        return [part.parent for part in parts if part.parent is not None]


def _box(orientation: str) -> BoxLayout:
    return BoxLayout(orientation=orientation, spacing=theme.GAP)


def _stack(*children: Widget) -> BoxLayout:
    """These below each other."""
    box = BoxLayout(orientation="vertical", spacing=theme.GAP / 2)
    for child in children:
        box.add_widget(child)
    return box


def _button(act: Callable[[], None]) -> Press:
    return Press(" ", act=act, size=theme.TEXT_SMALL, size_hint_x=None, width=BUTTON_WIDTH)
