"""The lesson that teaches a tile set, as a frozen value: its photos, what was read in them, and what a person
entered for each tile. No Kivy.

It is saved with the hand, so that closing the window during a lesson loses nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from companion.images import Quad, same_place
from companion.photo_hand.hand import PhotoTile
from companion.tiles import BACK, KINDS, UNKNOWN, Suit, Tile
from companion.vision.reading import TileReading
from companion.vision.teaching import is_contradicted, place_kinds

PHOTOS_MAX = 2
FLOWERS = frozenset(kind.code for kind in KINDS if kind.suit is Suit.FLOWERS)


@dataclass(frozen=True, slots=True)
class LessonPhoto:
    """A photo by its path, the tiles read in it in reading order, and how many of them each row has."""

    path: str
    tiles: tuple[PhotoTile, ...]
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NamedTile:
    """What a tile counts as: a kind, "?", or None where it is left out. `needs_check`: a person is asked."""

    id: int
    quad: Quad
    kind: str | None
    needs_check: bool


@dataclass(frozen=True, slots=True)
class LessonDraft:
    """in_order: whether a person stated that the tiles are in the order shown, None if nobody did. front:
    the photo shown. selected: the tile that the keyboard corrects. doubted: tiles that were refused. anew:
    whether a set with that name is replaced instead of learning this too."""

    name: str = ""
    photos: tuple[LessonPhoto, ...] = ()
    in_order: bool | None = None
    front: int = 0
    selected: int | None = None
    doubted: tuple[int, ...] = ()
    anew: bool = False

    @property
    def is_full(self) -> bool:
        return len(self.photos) >= PHOTOS_MAX

    @property
    def photo(self) -> LessonPhoto | None:
        return self.photos[self.front] if self.photos else None

    @property
    def tiles(self) -> tuple[PhotoTile, ...]:
        """The tiles of all photos."""
        return tuple(tile for photo in self.photos for tile in photo.tiles)

    @property
    def kinds_by_place(self) -> tuple[Tile, ...] | None:
        """The kinds of the tiles in the order shown; None if their number does not match."""
        kinds = place_kinds(
            [[_read_surely(tile) for tile in photo.tiles if not _is_left_out(tile)] for photo in self.photos]
        )
        return None if kinds is None else tuple(kinds)

    @property
    def by_place(self) -> bool:
        """Whether the positions of the tiles decide their kinds: as a person stated, else as the certain
        readings agree."""
        kinds = self.kinds_by_place
        if kinds is None or self.in_order is not None:
            return kinds is not None and self.in_order is True
        kept = [tile for tile in self.tiles if not _is_left_out(tile)]
        read = [(_read_surely(tile), kind.code) for tile, kind in zip(kept, kinds, strict=True)]
        sure = [(code, expected) for code, expected in read if code]
        return not is_contradicted(sure)

    @property
    def named(self) -> tuple[tuple[NamedTile, ...], ...]:
        """What each tile of each photo counts as."""
        by_place = self.by_place
        places = iter((by_place and self.kinds_by_place) or ())
        return tuple(self._named(photo, [_kind(tile, places) for tile in photo.tiles], by_place)
                     for photo in self.photos)  # fmt: skip

    @property
    def to_check(self) -> tuple[int, ...]:
        return tuple(named.id for photo in self.named for named in photo if named.needs_check)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds taught so far."""
        kinds = {named.kind for photo in self.named for named in photo}
        return frozenset(kind for kind in kinds if kind not in (None, UNKNOWN))

    @property
    def missing(self) -> tuple[str, ...]:
        """The kinds not taught yet; flowers only if some are taught, since many sets have none."""
        taught = self.kinds
        return tuple(
            kind.code
            for kind in KINDS
            if kind.code not in taught and (kind.suit is not Suit.FLOWERS or taught & FLOWERS)
        )

    def called(self, name: str) -> LessonDraft:
        """With that name; spaces become hyphens, since a set's name has none."""
        return replace(self, name=re.sub(r"\s+", "-", name))

    def with_photo(self, path: str, readings: Sequence[TileReading], rows: Sequence[int]) -> LessonDraft:
        """With that photo in front. A photo read again keeps what a person entered for its tiles."""
        old = next((photo for photo in self.photos if photo.path == path), None)
        next_id = max((tile.id for tile in self.tiles), default=-1) + 1
        tiles = tuple(_kept(old, PhotoTile.read(next_id + at, one)) for at, one in enumerate(readings))
        photo = LessonPhoto(path, tiles, tuple(rows))
        if old:
            photos = tuple(photo if each is old else each for each in self.photos)
        else:
            photos = (*self.photos, photo)
        return replace(self, photos=photos, front=photos.index(photo), selected=None)

    def without_photo(self) -> LessonDraft:
        """Without the photo in front."""
        photos = self.photos[: self.front] + self.photos[self.front + 1 :]
        return replace(self, photos=photos, front=0, selected=None, doubted=())

    def bring_to_front(self, front: int) -> LessonDraft:
        return replace(self, front=front, selected=None)

    def set_in_order(self, in_order: bool) -> LessonDraft:
        """State whether the tiles are in the order shown."""
        return replace(self, in_order=in_order, selected=None)

    def select(self, tile_id: int | None) -> LessonDraft:
        """Select that tile for the keyboard, with its photo in front; close the keyboard where it is selected
        already."""
        if tile_id is None or tile_id == self.selected:
            return replace(self, selected=None)
        front = next(at for at, photo in enumerate(self.photos) if tile_id in {t.id for t in photo.tiles})
        return replace(self, selected=tile_id, front=front)

    def select_next_unsure(self) -> LessonDraft:
        """Select the next tile that needs checking, after the selected one; the first again after the
        last."""
        asked = self.to_check
        if not asked:
            return replace(self, selected=None)
        order = [tile.id for tile in self.tiles]
        here = order.index(self.selected) if self.selected in order else -1
        after = [tile_id for tile_id in asked if order.index(tile_id) > here]
        return replace(self, selected=None).select((after or asked)[0])

    def press_key(self, code: str) -> LessonDraft:
        """The selected tile is a `code`, "back" to leave it out; then select the next one that needs
        checking."""
        if self.selected is None:
            return self
        asked = self.selected in self.to_check

        def settle(tile: PhotoTile) -> PhotoTile:
            return replace(tile, code=code, settled=True) if tile.id == self.selected else tile

        photos = tuple(replace(photo, tiles=tuple(map(settle, photo.tiles))) for photo in self.photos)
        doubted = tuple(tile_id for tile_id in self.doubted if tile_id != self.selected)
        new = replace(self, photos=photos, doubted=doubted)
        return new.select_next_unsure() if asked else replace(new, selected=None)

    def doubt(self, numbers: Iterable[int]) -> LessonDraft:
        """The tiles with these numbers, from 1 through all photos, need checking."""
        ids = [tile.id for tile in self.tiles]
        new = replace(self, doubted=tuple(ids[number - 1] for number in numbers), selected=None)
        return new.select_next_unsure()

    def _named(
        self, photo: LessonPhoto, kinds: Sequence[str | None], by_place: bool
    ) -> tuple[NamedTile, ...]:
        often = Counter(kinds)
        found = []
        for tile, kind in zip(photo.tiles, kinds, strict=True):
            misplaced = not tile.unsure and tile.code != kind
            hard_or_twice = tile.unsure or often[kind] > 1  # one of each kind was asked for
            doubtful = misplaced if by_place else hard_or_twice
            asked = tile.id in self.doubted or (doubtful and not tile.settled and kind is not None)
            assert tile.quad is not None
            found.append(NamedTile(tile.id, tile.quad, kind, asked))
        return tuple(found)


def _kind(tile: PhotoTile, places: Iterator[Tile]) -> str | None:
    """What the tile counts as; it uses up its position unless it is left out."""
    if _is_left_out(tile):
        return None
    place = next(places, None)
    return tile.code if tile.settled or place is None else place.code


def _read_surely(tile: PhotoTile) -> str | None:
    """The kind of the tile where it was read with certainty or entered by a person."""
    return tile.code if tile.settled or not tile.unsure else None


def _is_left_out(tile: PhotoTile) -> bool:
    return tile.code == BACK


def _kept(old: LessonPhoto | None, fresh: PhotoTile) -> PhotoTile:
    """The tile as read now, with what a person entered for it before."""
    said = next(
        (t for t in (old.tiles if old else ()) if t.settled and t.quad and fresh.quad
         and same_place(fresh.quad, t.quad)),
        None,
    )  # fmt: skip
    return replace(fresh, code=said.code, settled=True) if said else fresh
