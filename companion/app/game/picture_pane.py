"""The live picture of the table, small or filling the page, with what is read on it."""

from __future__ import annotations

from kivy.uix.boxlayout import BoxLayout

from companion.app.feature import Controller, View
from companion.app.game.films import describe_place
from companion.app.game.follow_pane import CameraHead
from companion.app.game.followed import Beginning
from companion.app.game.state import GameTable
from companion.app.game.table_stage import TableStage
from companion.app.widgets import theme
from companion.app.widgets.basics import Text
from companion.images import Point
from companion.live.live_following import LiveFollowing, TablePicture
from companion.sentences import Sentence


class PicturePane(BoxLayout):
    """`update` shows the newest picture. A touch on it makes it large, and small again. has_begun: whether
    tiles of a new hand lie there of which no event is known yet."""

    def __init__(self, controller: Controller[GameTable]) -> None:
        super().__init__(orientation="vertical", spacing=theme.GAP / 2)
        self._controller = controller
        self.head = CameraHead(controller)
        self.stage = TableStage(self._touch)
        self.caption = Text(size=theme.TEXT_SMALL, align="center")
        for child in (self.stage, self.caption, self.head):
            self.add_widget(child)
        self.has_begun = False
        self._beginning = Beginning()
        self._view: View[GameTable] | None = None
        self._following: LiveFollowing | None = None
        self._picture: tuple[TablePicture, bool] | None = None
        self._drawn: object = None

    def measure(self, picture_px: float) -> float:
        """The height with which the picture is that high, px."""
        return float(picture_px + self.caption.height + self.head.height + 2 * self.spacing)

    def show(self, view: View[GameTable]) -> None:
        self._view = view
        self.head.show(view)
        if self._following is not view.state.following:
            self._following, self._picture = view.state.following, None
            self._beginning, self.has_begun = Beginning(), False
            self.stage.forget()
        self._drawn = None

    def _touch(self, place: Point) -> None:
        """Where its corners are asked for, one of these is there; else it is to be larger, or smaller."""
        self._controller.do(
            lambda state: (
                state.enlarge(not state.large) if state.corners is None else state.touch_corner(place)
            )
        )

    def update(self) -> bool:
        """Show the newest picture; whether to go on."""
        following, view = self._following, self._view
        if following is None or view is None:
            return True
        if following.is_silent and not view.state.follows_film:  # a film may be slow to decode
            following.lose(Sentence("The camera gives no picture any more: check its plug, then go on."))
            return True
        following.shows_edges = view.state.corners is not None
        picture = following.picture
        self.caption.text, self.caption.color = self._describe(picture, view)
        if picture is None:
            return True
        self._note_beginning(picture, view)
        if self.parent is None:
            return True
        whole = view.state.corners is not None
        if (picture, whole) != self._picture:
            self._picture = picture, whole
            self.stage.fill_table(picture, whole=whole)
        places = tuple(self.stage.pos), tuple(self.stage.size)
        drawn = (picture.table, picture.tiles, view.state.corners, *places)
        if drawn != self._drawn:
            self._drawn = drawn
            self.stage.show(picture, view.state.corners)
        return True

    def forget(self) -> None:
        """Show no picture any more."""
        self._picture, self._drawn, self._following = None, None, None
        self.stage.forget()

    def _note_beginning(self, picture: TablePicture, view: View[GameTable]) -> None:
        """Say that a hand has begun as soon as its tiles lie there."""
        if picture.table is None or view.state.followed is None:
            return
        faces = sum(not tile.unsure for tile in picture.tiles)
        self.has_begun = self._beginning.look(view.state.followed.state, faces)

    def _describe(self, picture: TablePicture | None, view: View[GameTable]) -> tuple[str, theme.Colour]:
        """What the picture shows; of a film also how far it is."""
        state, said = view.state, self._describe_picture(picture, view)
        if state.film is None or state.following is None or not state.follows_film:
            return said
        place = view.words.say(describe_place(state.film, state.following.place_s))
        if state.film.session is not None or not said[0]:  # nothing is looked for in a recorded session
            return place, theme.IVORY_DIM
        return f"{place} · {said[0]}", said[1]

    def _describe_picture(
        self, picture: TablePicture | None, view: View[GameTable]
    ) -> tuple[str, theme.Colour]:
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
