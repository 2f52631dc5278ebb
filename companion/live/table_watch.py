"""Pictures of a table become sights of it: the table is found in them, then observed. Where the camera was
moved, the table is found again; a table found with doubt, or contradicted by what is on it, is searched for
while it is followed.

Where a camera stood when it was last followed is kept in `cameras.json` in the user's data folder. Cameras
are moved, so whoever uses such a place checks it. Addresses are kept without secrets; a salted tag tells
apart those that then look alike.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Annotated, Protocol, Self

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion import config
from companion.cameras.frames import Frame
from companion.errors import InputError
from companion.files import read_whole, write_whole
from companion.foreign import Undecodable, decode_as
from companion.foreign_text import hide_password, make_tag
from companion.images import Image
from companion.live.mirror_watch import MirrorWatch, flip_corners
from companion.seeing.finding_table import (
    AGREED_P,
    SURE_FROM,
    FoundBy,
    FoundTable,
    Guess,
    LensWatch,
    change_lens,
    is_same_table,
    measure_change_mm,
    measure_sides,
    shows_table,
)
from companion.seeing.lens import Bend, Lens
from companion.seeing.outlines import TileSize
from companion.seeing.private_pictures import NONE_OPEN, OpenTiles, blur_people, hide_hands
from companion.seeing.seats import (
    REGAINED_WAIT_S,
    Regained,
    find_places,
    find_quarter_turn,
    move_to_camera,
    turn_places,
    turn_sight,
    turn_to_same_seats,
)
from companion.seeing.sights import MOVED_AWAY, NO_TABLE, OTHER_SIZE, SeenTile, Sight
from companion.seeing.table_camera import TableCamera

FILE = "cameras.json"
SALT_BYTES = 16
CAMERAS_MAX = 50
"""More are forgotten, the oldest first: addresses of the network come and go."""

Corners = tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
Size = Annotated[int, msgspec.Meta(ge=1, le=100_000)]

log = logging.getLogger(__name__)


class CameraPlace(msgspec.Struct, frozen=True):
    """Where a camera stood over its table.

    corners: of the table, px from the left one at the lower edge counterclockwise, in pictures of that size.
    focal_px: of the lens. bend: of the lens, as in `Lens`; it is the same wherever the camera is put. sides:
    how much of each side was seen, as from `measure_sides`. ambiguous: as in `FoundTable`. mirrored: whether
    the camera's pictures are, and the corners are those in flipped ones.
    """

    corners: Corners
    width: Size
    height: Size
    focal_px: float
    sides: tuple[float, float, float, float]
    ambiguous: bool = False
    bend: Bend = 0.0
    mirrored: bool = False

    @classmethod
    def of(cls, camera: TableCamera, bottom: int, sides: NDArray[np.floating], ambiguous: bool) -> Self:
        """The place of a camera with that seat at the lower edge."""
        a, b, c, d = ((float(x), float(y)) for x, y in np.roll(camera.corners, -bottom, axis=0))
        left, right, low, high = (float(side) for side in sides)
        size = camera.width, camera.height, camera.focal_px
        return cls((a, b, c, d), *size, (left, right, low, high), ambiguous, camera.lens.bend)

    @property
    def lens(self) -> Lens:
        """The camera's lens."""
        return Lens(self.bend)

    def change_lens(self, camera: TableCamera) -> CameraPlace:
        """The place by the corners and the lens of this camera, which stands there, whoever sits where."""
        turns = [np.roll(camera.corners, turn, axis=0) for turn in range(4)]
        nearest = min(turns, key=lambda corners: float(np.linalg.norm(corners - self.corners)))
        a, b, c, d = ((float(x), float(y)) for x, y in nearest)
        return msgspec.structs.replace(
            self, corners=(a, b, c, d), focal_px=camera.focal_px, bend=camera.lens.bend
        )

    def make_camera(self, bottom: int) -> TableCamera | None:
        """The camera with that seat at the lower edge; None if these are not the corners of a table."""
        corners = np.roll(np.array(self.corners), bottom, axis=0)
        try:
            return TableCamera.from_corners(corners, self.width, self.height, self.focal_px, self.lens)
        except InputError:
            return None


class _File(msgspec.Struct, frozen=True):
    """salt: of the names' tags; "" in files of earlier programs, whose names may hold passwords."""

    cameras: dict[str, CameraPlace] = {}
    salt: str = ""


class KeptPlace:
    """The place of that camera: its device, or its address, of which only `hide_password` and `make_tag` are
    kept."""

    def __init__(self, camera: str) -> None:
        self._camera = camera

    def load(self) -> CameraPlace | None:
        """Where it stood; None if unknown."""
        file = _read()
        return file.cameras.get(_name(self._camera, file.salt))

    def keep(self, place: CameraPlace) -> None:
        """It stands there. A disk that is full costs a search the next time, and nothing else."""
        file = _read()
        name = _name(self._camera, file.salt)
        cameras = {other: each for other, each in file.cameras.items() if other != name}
        _write(_File(dict([*cameras.items(), (name, place)][-CAMERAS_MAX:]), file.salt))

    def forget(self) -> None:
        """It does not stand where that was kept."""
        file = _read()
        name = _name(self._camera, file.salt)
        if name in file.cameras:
            _write(_File({other: each for other, each in file.cameras.items() if other != name}, file.salt))


def _name(camera: str, salt: str) -> str:
    """How the file names that camera."""
    return f"{hide_password(camera)} {make_tag(camera, salt.encode())}".rstrip()


def _write(file: _File) -> None:
    try:
        write_whole(config.data_dir() / FILE, msgspec.json.format(msgspec.json.encode(file), indent=1))
    except OSError:
        log.warning("the camera's place is not kept", exc_info=True)


def _read() -> _File:
    """The kept places; none if the file cannot be read. A file of an earlier program is rewritten."""
    try:
        file = decode_as(read_whole(config.data_dir() / FILE), _File)
    except FileNotFoundError:
        return _File(salt=token_hex(SALT_BYTES))
    except (OSError, Undecodable):
        log.warning("the kept places of cameras cannot be used", exc_info=True)
        return _File(salt=token_hex(SALT_BYTES))
    if not file.salt:
        salt = token_hex(SALT_BYTES)
        file = _File({_name(camera, salt): place for camera, place in file.cameras.items()}, salt)
        _write(file)
    return file


class Observes(Protocol):
    """What is seen in the pictures of one camera that does not move, or hardly. camera: its present pose;
    tile_size: as seen; knows_place: whether the last picture shows the table just there."""

    @property
    def camera(self) -> TableCamera: ...
    @property
    def tile_size(self) -> TileSize: ...
    @property
    def knows_place(self) -> bool: ...

    def teach(self, number: int, code: str) -> None: ...
    def look(self, image: Image, t: float) -> Sight | None: ...


class Turned:
    """An observer that knows everything it knew, with all places turned by a number of quarter turns
    counterclockwise."""

    def __init__(self, observer: Observes, quarters: int) -> None:
        self._observer = observer
        self._quarters = quarters

    @property
    def camera(self) -> TableCamera:
        return self._observer.camera.move_places(turn_places(self._quarters))

    @property
    def tile_size(self) -> TileSize:
        return self._observer.tile_size

    @property
    def knows_place(self) -> bool:
        return self._observer.knows_place

    def teach(self, number: int, code: str) -> None:
        self._observer.teach(number, code)

    def look(self, image: Image, t: float) -> Sight | None:
        sight = self._observer.look(image, t)
        return sight and turn_sight(sight, self._quarters)


LOOK_EVERY_S, LOOK_MOST_S = 0.5, 4.0
"""How often the table is searched for, which takes longer than following it: at first, and at least."""
PATIENT_LOOKS = 10
"""After this number of searches in vain the wait doubles each time."""
SMALL, OTHER_LEVELS = (32, 18), 12.0
"""Pictures are compared at this size; they show something else where they differ by this number of grey
levels, as where the camera is turned or a lamp is switched on: an arm changes less."""


@dataclass(slots=True)
class SearchPace:
    """When the table of one camera is searched for."""

    _looked_s: float | None = None
    _in_vain: int = 0
    _shown: NDArray[np.uint8] | None = None

    def is_due(self, image: Image, t: float, every_s: float = LOOK_EVERY_S) -> bool:
        """Whether to search now, at second t, in this picture (H, W, 3), at first as often as that."""
        waited_s = np.inf if self._looked_s is None or t < self._looked_s else t - self._looked_s
        if waited_s < every_s:
            return False
        shown = np.asarray(cv2.resize(image, SMALL, interpolation=cv2.INTER_AREA), np.uint8)
        if self._shown is None or float(cv2.absdiff(shown, self._shown).mean()) >= OTHER_LEVELS:
            self._shown, self._in_vain = shown, 0
        if waited_s < LOOK_EVERY_S * 2 ** max(0, self._in_vain - PATIENT_LOOKS) and waited_s < LOOK_MOST_S:
            return False
        self._looked_s = t
        self._in_vain += 1
        return True

    def begin(self) -> None:
        """Another search begins."""
        self._in_vain = 0


LENS_EVERY_S = 20.0
"""How often the lens is measured while the table is followed."""
LENS_MM = 2.0
"""A lens that moves nothing by more than this is the one that is known."""
KNOWN_AFTER = 6
"""Pictures without a table after which a kept place is used that cannot be checked, since too little of the
table's edges shows."""
REVIEW_S, REVIEW_MOST_S = 3.0, 60.0
"""How long after a table was found its place is reviewed, twice as long each time, up to the second."""
GIVEN = frozenset({FoundBy.PERSON, FoundBy.MARKERS})
"""These sources are believed about the table's place, whatever is on the table."""
CONTRADICTED_P = 0.5
"""How likely a table is still right after the tiles on it contradict it."""
LATER_SAYS_MORE = 0.1
"""A table that is found later replaces a doubtful one even if it seems less likely by this: by then more
tiles are on the table."""
AHEAD_S = 180.0
"""How far into a recording the table is searched for before it is followed: where neither edges nor walls
show it, some discards have to."""
NOTHING_LOOKS = 6
"""Searches in vain after which a recording is looked ahead no farther if no picture showed anything like a
table. It is followed only if one of the samples from all over it may show one."""
ASK_LOOKS = 2
"""Searches in vain after which the person is asked where the table is, while the search goes on."""
SAME_SHAPE = 0.01
"""How much the proportions of two pictures of the same view may differ."""


FindTable = Callable[[Image], FoundTable | None]


class Reviews(Protocol):
    """Reviews the place of a table that is being followed, as a `TableReview` does."""

    def find(self, image: Image) -> FoundTable | None: ...
    def contradicts(self, image: Image, camera: TableCamera) -> bool: ...


class TableWatch:
    """Makes sights of the pictures of one table.

    corners: of the table, (4, 2) px from the lower left counterclockwise; bottom: the seat at its lower edge.
    Without corners the result of `begin_search` finds the table; it is called again for each search. observe:
    makes the observer of the table for a camera and the size of its tiles as far as that is known. dealer: of
    the hand that begins, None if one is in play: the dealer's first discard shows who sits where if the
    camera is on a diagonal of the table. kept: the earlier place of the camera, used at once if the
    picture agrees. review: reviews the table while it is followed; without it the table stays where it was
    found. lens: measures the camera's lens. mirror: notices that its pictures are mirrored; all else is then
    seen, and all places are, in flipped pictures. guess: returns what is known of a table that is not found.
    """

    def __init__(
        self,
        begin_search: Callable[[], FindTable],
        observe: Callable[[TableCamera, TileSize], Observes],
        *,
        corners: NDArray[np.floating] | None = None,
        bottom: int = 0,
        dealer: int | None = None,
        kept: KeptPlace | None = None,
        review: Reviews | None = None,
        lens: LensWatch | None = None,
        mirror: MirrorWatch | None = None,
        guess: Callable[[], Guess] = Guess,
    ) -> None:
        self._mirror = mirror
        self._review = review
        self._guess = guess
        self._review_s, self._review_wait_s = 0.0, REVIEW_S
        self._p, self._by = 0.0, FoundBy.PERSON
        self._lens = lens or LensWatch()
        self._lens_s = -np.inf
        self._kept = kept
        self._known = None if kept is None else kept.load()
        self._place: CameraPlace | None = None
        self._looks = 0
        self.shows_nothing = False
        self._begin_search = begin_search
        self._observe = observe
        self._bottom = bottom
        self._open = NONE_OPEN
        self._dealer = dealer
        self._corners = corners
        self._find: FindTable | None = None
        self._pace = SearchPace()
        self._missing = NO_TABLE
        self._observer: Observes | None = None
        self._is_lost = False
        self._sides = np.zeros(4)
        self._is_seated = True
        self._found_s = 0.0
        self._ambiguous = False
        self._tiles = Regained()
        self._lying: tuple[SeenTile, ...] = ()

    @property
    def camera(self) -> TableCamera | None:
        """Where the camera stands now; None while the table is not found."""
        return None if self._observer is None else self._observer.camera

    @property
    def is_mirrored(self) -> bool:
        """Whether the pictures are mirrored, and so are flipped."""
        return self._mirror is not None and self._mirror.is_mirrored

    @property
    def p(self) -> float:
        """How likely the table is where `camera` has it, 0..1; 1 where a person gave its place."""
        return self._p

    @property
    def guess(self) -> TableCamera | None:
        """The camera over the likeliest table while none is sure enough to be followed."""
        return self._guess().camera if self._observer is None else None

    @property
    def lying(self) -> tuple[SeenTile, ...]:
        """The tiles on the table at the last sight; none while it is unknown how the table is turned."""
        return self._lying if self._is_seated else ()

    def paint(self, image: Image) -> Image | None:
        """The last picture without the players' hands; None while it is unknown where they are: the camera
        moves, the table was found with doubt, or no tiles have confirmed its place yet."""
        return self._hide(image, hide_hands)

    def blur(self, image: Image) -> Image | None:
        """The same with people blurred instead of painted over."""
        return self._hide(image, blur_people)

    def _hide(
        self, image: Image, hide: Callable[[Image, TableCamera, TileSize, OpenTiles], Image]
    ) -> Image | None:
        seen = self._observer
        if seen is None or self._is_lost or self._p < SURE_FROM:
            return None
        if not seen.knows_place or not seen.tile_size.measured:
            return None
        return hide(self._straighten(image), seen.camera, seen.tile_size, self._open)

    @property
    def tile_size(self) -> TileSize:
        """The size of the tiles, as far as it is known."""
        return self._observer.tile_size if self._observer else TileSize()

    def place(self, corners: NDArray[np.floating] | None) -> None:
        """The table now has these corners, (4, 2) px as at the beginning; without them it is searched for
        again. The tiles on it are recognised again only where the camera was moved: otherwise their places
        were wrong."""
        if not self._is_lost:
            self._lying = ()
        self._known = None
        self._corners, self._observer, self._find = corners, None, None
        self._pace.begin()
        self._open = NONE_OPEN

    def teach(self, number: int, code: str) -> None:
        """A person names the tile of that number in the sights: similar ones are recognised by that."""
        if self._observer is not None:
            self._observer.teach(self._tiles.find(number), code)

    def look_ahead(self, frames: Iterable[Frame], samples: Iterable[Frame] = ()) -> Iterator[Sight]:
        """Find the table in the first minutes of a recording before it is followed: later tiles show better
        where the table is. Where the first picture contradicts that place, the table is searched for as
        usual; so it is where it is known why there is none to be found, or no picture shows anything like
        one. Yields a sight without tiles once the search takes long, and when the reason changes.

        samples: pictures from all over the recording, which decide `shows_nothing`.
        """
        if self._corners is not None:
            return
        first: Frame | None = None
        asked = ""
        for frame in frames:
            t = frame.t_ns / 1e9
            if t > AHEAD_S:
                break
            image = self._straighten(frame.image)
            first = first or Frame(image, frame.t_ns)
            found = self._search(image, t)
            if found is not None:
                shown = shows_table(first.image, found.camera, measure_sides(image, found.camera))
                if shown is not False:
                    self._use_found(found, first.image, 0.0)
                self._find = None
                self._pace.begin()
                break
            guess = self._guess()
            is_vain = guess.why is not None or (guess.camera is None and self._looks >= NOTHING_LOOKS)
            trouble = guess.why or self._missing
            if trouble != asked and (is_vain or self._looks >= ASK_LOOKS):
                asked = trouble
                yield Sight(first.t_ns / 1e9, trouble=trouble)
            if is_vain:
                may_follow = [self._may_follow(sample) for sample in samples]
                self.shows_nothing = bool(may_follow) and not any(may_follow)
                self._find = None
                self._pace.begin()
                break

    def _may_follow(self, sample: Frame) -> bool:
        """Whether a picture may show a table that can be followed."""
        found = self._begin_search()(self._straighten(sample.image))
        guess = self._guess()
        return found is not None or (guess.camera is not None and guess.why is None)

    def look(self, image: Image, t: float) -> Sight | None:
        """What is seen at `t`; None if that is nothing new. Raises InputError for corners that cannot be
        those of a table."""
        image = self._straighten(image)
        self._follow_size(image)
        if self._observer is None or self._is_lost:
            self._seek(image, t)
        if self._observer is None:
            return Sight(t, trouble=self._guess().why or self._missing)
        self._follow_lens(image, t)
        sight = self._observer.look(image, t)
        if sight is None:
            return None
        self._note_lost(sight.trouble == MOVED_AWAY)
        if sight.trouble:
            return sight
        seated = self._seat(sight, image)
        if self._is_turned(image):
            self.place(None)
            return Sight(t, trouble=self._missing)
        if self._is_seated and self._look_again(image, t):
            return None
        self._open = self._open.renew(image, self._observer.camera, self._observer.tile_size, self.lying)
        return seated

    def look_for_mirror(self, frames: Iterable[Frame]) -> None:
        """Notice by some pictures of a recording that it is mirrored, before it is followed."""
        if self._mirror is not None:
            self._mirror.look_ahead(frames)

    def _straighten(self, image: Image) -> Image:
        return image if self._mirror is None else self._mirror.straighten(image)

    def _is_turned(self, image: Image) -> bool:
        """Whether this picture shows that such pictures have to be flipped from now on."""
        seen, mirror = self._observer, self._mirror
        if seen is None or mirror is None:
            return False
        return mirror.is_turned(image, seen.camera, seen.tile_size, self.lying)

    def _note_lost(self, is_lost: bool) -> None:
        if is_lost and not self._is_lost:
            self._find = None
            self._pace.begin()
        self._is_lost = is_lost

    def _follow_size(self, image: Image) -> None:
        """Where the pictures have another size from now on, they show the same view, or one in which the
        table is to be found."""
        height, width = image.shape[:2]
        if self._observer is None:
            return
        camera = self._observer.camera
        if (camera.width, camera.height) == (width, height):
            return
        resized = camera.resize(width, height)
        same_shape = _has_shape(camera.width, camera.height, width, height)
        if same_shape and shows_table(image, resized, self._sides) is not False:
            self._watch_from(resized, image, self._is_seated)
        else:
            self._observer, self._find, self._missing = None, None, OTHER_SIZE

    def _follow_lens(self, image: Image, t: float) -> None:
        """Observe through another lens where it is clear by now that the camera's is not what it seemed."""
        seen = self._observer
        if seen is None or self._is_lost or not seen.knows_place or 0 <= t - self._lens_s < LENS_EVERY_S:
            return
        self._lens_s = t
        self._lens.measure(image)
        if self._lens.lens == seen.camera.lens:
            return
        camera = change_lens(image, seen.camera, self._lens.lens)
        if measure_change_mm(seen.camera, camera) > LENS_MM:
            self._watch_from(camera, image, self._is_seated)
            if self._place is not None and self._kept is not None and self._p >= SURE_FROM:
                self._place = self._place.change_lens(camera.resize(self._place.width, self._place.height))
                self._kept.keep(self._place)

    def _seek(self, image: Image, t: float) -> None:
        """Look for the table, where it is time to."""
        height, width = image.shape[:2]
        if self._corners is not None:
            self._lens.measure(image)
            corners = flip_corners(self._corners, width) if self.is_mirrored else self._corners
            corners, self._corners = np.roll(corners, self._bottom, axis=0), None
            camera = TableCamera.from_person(corners, width, height, self._lens.lens)
            self._use_found(FoundTable(camera, 1.0, FoundBy.PERSON, 0, 0, False), image, t)
        elif (found := self._search(image, t)) is not None:
            self._use_found(found, image, t)

    def _search(self, image: Image, t: float) -> FoundTable | None:
        """The table, where it is time to search for it and it is found."""
        every_s = LOOK_EVERY_S if self._guess().why is None else LOOK_MOST_S
        if not self._pace.is_due(image, t, every_s):
            return None
        self._find = self._find or self._begin_search()
        return self._find_known(image) or self._find(image) or self._trust_known(image)

    def _find_known(self, image: Image) -> FoundTable | None:
        """The table where it was before, where the picture shows it there: else it is elsewhere."""
        found = self._place_known(image)
        if found is None or self._known is None:
            return None
        shows = shows_table(image, found.camera, np.array(self._known.sides))
        if shows is False:
            self._known = None
        return found if shows else None

    def _trust_known(self, image: Image) -> FoundTable | None:
        """The table where it was before, after long enough a search for another place."""
        self._looks += 1
        return self._place_known(image) if self._looks >= KNOWN_AFTER else None

    def _place_known(self, image: Image) -> FoundTable | None:
        place, (height, width) = self._known, image.shape[:2]
        if place is None or not _has_shape(place.width, place.height, width, height):
            return None
        camera = place.make_camera(self._bottom)
        if camera is None:
            return None
        return FoundTable(camera.resize(width, height), 1.0, FoundBy.KEPT_PLACE, 0, 0, place.ambiguous)

    def _use_found(self, found: FoundTable, image: Image, t: float) -> None:
        """The table is there."""
        self._known = None
        self._p, self._by = found.p, found.by
        self._review_s, self._review_wait_s = t + REVIEW_S, REVIEW_S
        self._ambiguous, self._found_s = found.ambiguous and self._dealer is not None, t
        self._watch_from(found.camera, image, not self._lying and not self._ambiguous)
        self._place = self._describe_place(found)
        if found.by is not FoundBy.KEPT_PLACE:
            self._keep(found)

    def _keep(self, found: FoundTable) -> None:
        """Keep the place of the camera, if it is sure."""
        self._place = self._describe_place(found)
        if self._kept is not None and found.p >= SURE_FROM:
            self._kept.keep(self._place)

    def _describe_place(self, found: FoundTable) -> CameraPlace:
        place = CameraPlace.of(found.camera, self._bottom, self._sides, found.ambiguous)
        return msgspec.structs.replace(place, mirrored=self.is_mirrored)

    def _look_again(self, image: Image, t: float) -> bool:
        """Look whether the table is where it is thought to be, where it is time to; whether it is elsewhere,
        and is followed there from now on."""
        if self._review is None or self._observer is None or self._by in GIVEN or t < self._review_s:
            return False
        self._review_wait_s = min(2 * self._review_wait_s, REVIEW_MOST_S)
        self._review_s = t + self._review_wait_s
        camera = self._observer.camera
        straight, seen = camera.straighten(image)
        if self._review.contradicts(straight, seen):
            self._p = min(self._p, CONTRADICTED_P)
            if self._kept is not None:
                self._kept.forget()
        if self._p >= SURE_FROM:
            return False
        found = self._review.find(straight)
        if found is None or found.p < max(AGREED_P, self._p - LATER_SAYS_MORE):
            return False
        bent = found.camera.see_through(camera.lens, camera.width, camera.height)
        found = replace(found, camera=turn_to_same_seats(bent, camera))
        is_elsewhere = not is_same_table(camera, found.camera)
        self._p, self._by = (found.p, found.by) if is_elsewhere else (max(self._p, found.p), self._by)
        if is_elsewhere:
            self._lying = move_to_camera(self._lying, camera, found.camera, self.tile_size.depth_mm)
            self._watch_from(found.camera, image, True, TileSize())
        self._keep(found)
        return is_elsewhere

    def _watch_from(
        self, camera: TableCamera, image: Image, is_seated: bool, size: TileSize | None = None
    ) -> None:
        """Observe the table from that camera. is_seated: whether it is known who sits where. size: of the
        tiles, if it has changed."""
        self._observer = self._observe(camera, size or self.tile_size)
        self._open = NONE_OPEN
        self._find, self._is_lost = None, False
        self._sides = measure_sides(image, camera)
        self._is_seated = is_seated
        self._tiles = Regained(self._lying, self._tiles.last)

    def _seat(self, sight: Sight, image: Image) -> Sight | None:
        """The sight with everybody in the right place and every tile by its number; without tiles while
        nobody knows who sits where."""
        if not self._is_seated and self._lying:
            movement = find_places(self._lying, sight.tiles)
            if movement is not None:
                again = self._watch_moved(movement, sight.t, image)
                if again is None or again.trouble:
                    return again
                sight = again
            elif sight.t - self._found_s < REGAINED_WAIT_S:
                return Sight(sight.t, trouble=MOVED_AWAY)
            else:
                self._lying, self._tiles = (), Regained(last=self._tiles.last)
        if not self._is_seated:
            quarters = self._find_quarters(sight)
            if quarters is None:
                return replace(sight, tiles=(), covered=())
            sight = self._turn(quarters, sight, image)
        seated = self._tiles.number(sight)
        self._lying = tuple(tile for tile in seated.tiles if not tile.standing)
        return seated

    def _watch_moved(self, movement: NDArray[np.float64], t: float, image: Image) -> Sight | None:
        """Observe again with all places moved (3, 3), and return what is seen."""
        assert self._observer is not None
        self._watch_from(self._observer.camera.move_places(movement), image, True)
        return self._observer.look(image, t)

    def _find_quarters(self, sight: Sight) -> int | None:
        """The number of quarter turns to turn everything by; None while no discard shows it."""
        if not self._ambiguous or self._dealer is None:
            return 0
        return find_quarter_turn(sight, self._dealer)

    def _turn(self, quarters: int, sight: Sight, image: Image) -> Sight:
        """It is known now who sits where: the sight with these places."""
        assert self._observer is not None
        self._is_seated = True
        if not quarters:
            return sight
        self._observer = Turned(self._observer, quarters)
        self._sides = measure_sides(image, self._observer.camera)
        return turn_sight(sight, quarters)


def _has_shape(width: int, height: int, other_width: int, other_height: int) -> bool:
    """Whether two sizes of pictures have the same proportions."""
    return abs(width * other_height / (height * other_width) - 1) < SAME_SHAPE
