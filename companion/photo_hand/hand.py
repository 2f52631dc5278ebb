"""The tiles of a picture as values, for the window and the command line: what was read (`PhotoTile`), what a
person corrected, and which tiles form melds (`PhotoHand`).

A tile keeps its id through corrections and through a second reading of the same picture.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.images import Quad, centre, same_place, short_side
from companion.photo_hand.which_hand import ASK_BELOW_P, WINNING_P, find_hand
from companion.tiles import BACK, KINDS, UNKNOWN, MeldKind, Suit, Tile, TileSet, format_tiles
from companion.vision.reading import TileReading

if TYPE_CHECKING:
    from companion.rules import RuleSet

ALTERNATIVES_SHOWN = 4
MELD_REACH = 4.0
"""Maximum distance between the centres of two tiles of one meld, in tile widths."""


@dataclass(frozen=True, slots=True)
class PhotoTile:
    """One tile on the table. `quad`: px of the upright picture, None for a tile added by hand.

    `code` is a kind, "back" or "?". `unsure`: it was read with little certainty. `settled`: a person named
    it.
    """

    id: int
    code: str
    quad: Quad | None = None
    p: float = 1.0
    alternatives: tuple[tuple[str, float], ...] = ()
    unsure: bool = False
    settled: bool = False

    @classmethod
    def read(cls, tile_id: int, reading: TileReading) -> PhotoTile:
        alternatives = tuple(reading.alternatives[:ALTERNATIVES_SHOWN])
        return cls(tile_id, reading.code, reading.quad, reading.p, alternatives, reading.is_unsure)

    def as_read(self) -> TileReading:
        """The tile as a reading of its picture, sure of what a person named. Its `quad` must be known."""
        assert self.quad is not None
        if self.settled:
            return TileReading(self.code, self.quad, 1.0, ((self.code, 1.0),))
        return TileReading(self.code, self.quad, self.p, self.alternatives)

    @property
    def is_kind(self) -> bool:
        return self.code not in (BACK, UNKNOWN)

    @property
    def needs_check(self) -> bool:
        return self.unsure and not self.settled

    def is_near(self, other: PhotoTile) -> bool:
        """Whether both can be in one meld; a tile added by hand can be anywhere."""
        if self.quad is None or other.quad is None:
            return True
        return math.dist(centre(self.quad), centre(other.quad)) < MELD_REACH * short_side(self.quad)


KINDS_CODES = frozenset(tile.code for tile in KINDS)


@dataclass(frozen=True, slots=True)
class PhotoMeld:
    """A meld: its kind, the ids of its tiles, and the code of each of them, face-down ones too."""

    kind: MeldKind
    members: tuple[int, ...]
    codes: tuple[str, ...]

    @property
    def notation(self) -> str:
        return self.kind + format_tiles(map(Tile.parse, self.codes))


@dataclass(frozen=True, slots=True)
class PhotoHand:
    """All tiles of one picture and those added by hand, in reading order.

    `others` are the ids of face-up tiles that do not count: discards, other hands. `chosen_win` is the
    winning tile's id where it is apart from the hand or a person chose it. `unnamed` are concealed kongs
    whose kind nobody has entered yet: the ids of four face-down tiles each. `p` is the probability of this
    division as it was found. `arranged`: a person has changed it, so a second reading keeps it.
    `claims_entered`: a person has said which of its sets were claimed.
    """

    tiles: tuple[PhotoTile, ...] = ()
    melds: tuple[PhotoMeld, ...] = ()
    chosen_win: int | None = None
    removed: tuple[Quad, ...] = ()
    next_id: int = 0
    others: tuple[int, ...] = ()
    p: float = 1.0
    arranged: bool = False
    unnamed: tuple[tuple[int, ...], ...] = ()
    claims_entered: bool = False

    def tile(self, tile_id: int) -> PhotoTile | None:
        return next((tile for tile in self.tiles if tile.id == tile_id), None)

    def meld_of(self, tile_id: int) -> PhotoMeld | None:
        return next((meld for meld in self.melds if tile_id in meld.members), None)

    def unnamed_of(self, tile_id: int) -> tuple[int, ...] | None:
        """The unnamed concealed kong of that tile, else None."""
        return next((members for members in self.unnamed if tile_id in members), None)

    @property
    def free(self) -> tuple[PhotoTile, ...]:
        """Every tile outside the melds that counts."""
        laid = (*self.unnamed, *(meld.members for meld in self.melds))
        taken = {*self.others, *(member for members in laid for member in members)}
        return tuple(tile for tile in self.tiles if tile.id not in taken)

    @property
    def concealed(self) -> tuple[PhotoTile, ...]:
        """The concealed hand: kinds and unread tiles outside the melds, no flowers."""
        return tuple(tile for tile in self.free if tile.code != BACK and not _is_flower(tile.code))

    @property
    def flowers(self) -> tuple[PhotoTile, ...]:
        return tuple(tile for tile in self.free if _is_flower(tile.code))

    @property
    def tiles_down(self) -> tuple[PhotoTile, ...]:
        """All face-down tiles."""
        return tuple(tile for tile in self.tiles if tile.code == BACK)

    @property
    def left_out(self) -> tuple[PhotoTile, ...]:
        """The tiles that do not count: discards, other hands, and face-down tiles outside the melds."""
        down = {tile.id for tile in self.free if tile.code == BACK}
        return tuple(tile for tile in self.tiles if tile.id in down or tile.id in self.others)

    def counts(self, tile_id: int) -> bool:
        """Whether the tile belongs to the hand."""
        return tile_id not in {tile.id for tile in self.left_out}

    @property
    def unsure(self) -> tuple[PhotoTile, ...]:
        """The tiles of the hand that need checking, and the first tile of each unnamed kong."""
        first = {members[0] for members in self.unnamed}
        later = {member for members in self.unnamed for member in members[1:]}
        return tuple(
            tile
            for tile in self.tiles
            if (tile.needs_check or tile.id in first) and tile.id not in later.union(self.others)
        )

    @property
    def winning(self) -> PhotoTile | None:
        """The winning tile: the chosen one, else the last concealed tile, where players put it."""
        concealed = self.concealed
        return next(
            (tile for tile in concealed if tile.id == self.chosen_win), concealed[-1] if concealed else None
        )

    @property
    def is_doubtful(self) -> bool:
        """Whether a person should be asked which of its tiles count."""
        return bool(self.others) and self.p < ASK_BELOW_P

    @property
    def is_valid(self) -> bool:
        """Whether its tiles and melds are consistent, so that the window can have made it."""
        ids = [tile.id for tile in self.tiles]
        laid = [member for members in self.unnamed for member in members]
        laid += [member for meld in self.melds for member in meld.members]
        return (
            {tile.code for tile in self.tiles} <= KINDS_CODES | {BACK, UNKNOWN}
            and {code for meld in self.melds for code in meld.codes} <= KINDS_CODES
            and all(len(meld.members) == len(meld.codes) for meld in self.melds)
            and all(len(members) == 4 for members in self.unnamed)
            and len(ids) == len(set(ids))
            and len(laid) == len(set(laid))
            and set(laid) <= set(ids)
            and set(self.others) <= set(ids) - set(laid)
            and all(tile_id < self.next_id for tile_id in ids)
        )

    def fields(self) -> dict[str, object]:
        """The hand, melds and flowers of a request; tiles without a kind are omitted."""
        kinds = [Tile.parse(tile.code) for tile in self.free if tile.is_kind]
        return {
            "hand": format_tiles(kind for kind in kinds if kind.suit is not Suit.FLOWERS),
            "melds": [meld.notation for meld in self.melds],
            "flowers": format_tiles(kind for kind in kinds if kind.suit is Suit.FLOWERS),
        }

    def correct(self, tile_id: int, code: str) -> PhotoHand:
        """The tile is a `code`. A pung or kong changes as a whole where its faces were read alike, and an
        unnamed kong gets its kind; a meld that the tile no longer fits is split."""
        unnamed = self.unnamed_of(tile_id)
        if unnamed and code not in (BACK, UNKNOWN):
            kong = PhotoMeld(MeldKind.KONG_CONCEALED, unnamed, (code,) * len(unnamed))
            return replace(self._part(unnamed), melds=(*self.melds, kong), arranged=True)
        meld = self.meld_of(tile_id)
        if meld is None:
            return self._settle((tile_id,), code)
        faces = [member for member in meld.members if (tile := self.tile(member)) and tile.code != BACK]
        alike = len({tile.code for tile in self.tiles if tile.id in faces}) <= 1
        if code == dict(zip(meld.members, meld.codes, strict=True))[tile_id]:
            return self._settle(faces if alike else (tile_id,), code)
        if code in (BACK, UNKNOWN) or meld.kind is MeldKind.CHOW or not alike:
            return self.split_meld(meld)._settle((tile_id,), code)
        new = replace(meld, codes=(code,) * len(meld.codes))
        return replace(self, melds=tuple(new if old is meld else old for old in self.melds))._settle(
            faces, code
        )

    def add(self, code: str) -> PhotoHand:
        """With one more tile, after the others."""
        tile = PhotoTile(self.next_id, code, settled=True)
        return replace(self, tiles=(*self.tiles, tile), next_id=self.next_id + 1)

    def remove(self, tile_id: int) -> PhotoHand:
        """Without that tile; its meld is split. A second reading does not bring it back."""
        gone = self.tile(tile_id)
        if gone is None:
            return self
        hand = self._open_up_at(tile_id)
        return replace(
            hand,
            tiles=tuple(tile for tile in hand.tiles if tile.id != tile_id),
            removed=(*hand.removed, gone.quad) if gone.quad else hand.removed,
            chosen_win=None if hand.chosen_win == tile_id else hand.chosen_win,
            others=tuple(other for other in hand.others if other != tile_id),
        )

    def win_with(self, tile_id: int) -> PhotoHand:
        return replace(self, chosen_win=tile_id, p=1.0, arranged=True)

    def include(self, tile_id: int, rules: RuleSet, kinds: Container[MeldKind]) -> PhotoHand:
        """With that tile counted, and with the meld it forms with tiles of no other meld."""
        others = tuple(other for other in self.others if other != tile_id)
        hand = replace(self, others=others, p=1.0, arranged=True)
        found = hand._arrange([tile for tile in hand.tiles if hand.counts(tile.id)], rules, kinds)
        meld = found.meld_of(tile_id)
        if meld is None or not set(meld.members) <= {tile.id for tile in hand.free}:
            return hand
        chosen = None if hand.chosen_win in meld.members else hand.chosen_win
        return replace(hand, melds=(*hand.melds, meld), chosen_win=chosen)

    def exclude(self, tile_id: int) -> PhotoHand:
        """With that tile not counted; its meld is split."""
        hand = self._open_up_at(tile_id)
        chosen = None if hand.chosen_win == tile_id else hand.chosen_win
        others = (*hand.others, tile_id) if tile_id not in hand.others else hand.others
        return replace(hand, others=others, chosen_win=chosen, p=1.0, arranged=True)

    def count_only(self, ids: Iterable[int], rules: RuleSet | None, kinds: Container[MeldKind]) -> PhotoHand:
        """Only these tiles of the picture count; their melds and the winning tile are found again. Unchanged
        if none of them is face up."""
        wanted = set(ids)
        chosen = [tile for tile in self.tiles if tile.id in wanted and tile.quad]
        if all(tile.code == BACK for tile in chosen):
            return self
        hand = replace(self, melds=(), others=(), chosen_win=None)._arrange(chosen, rules, kinds)
        outside = (
            tile.id for tile in self.tiles if tile.quad and tile.id not in wanted and tile.code != BACK
        )
        return replace(hand, others=tuple(outside), p=1.0, arranged=True)

    def make_meld(self, tile_id: int, kind: MeldKind) -> PhotoHand:
        """The tile and the nearest matching tiles become a meld; unchanged if there are too few."""
        members = self.find_meld_members(tile_id, kind)
        tile = self.tile(tile_id)
        if members is None or tile is None:
            return self
        codes = tuple(
            found.code if (found := self.tile(member)) and found.is_kind else tile.code for member in members
        )
        chosen = None if self.chosen_win in members else self.chosen_win
        melds = (*self.melds, PhotoMeld(kind, members, codes))
        return replace(self, melds=melds, chosen_win=chosen, arranged=True)

    def split_meld(self, meld: PhotoMeld) -> PhotoHand:
        melds = tuple(other for other in self.melds if other is not meld)
        return replace(self, melds=melds, arranged=True)

    def _open_up_at(self, tile_id: int) -> PhotoHand:
        """With the meld of that tile split, named or not; its tiles stay."""
        meld, unnamed = self.meld_of(tile_id), self.unnamed_of(tile_id)
        hand = self.split_meld(meld) if meld else self
        return hand._part(unnamed) if unnamed else hand

    def _part(self, unnamed: tuple[int, ...]) -> PhotoHand:
        """Without that unnamed kong."""
        return replace(self, unnamed=tuple(other for other in self.unnamed if other != unnamed))

    def find_meld_members(self, tile_id: int, kind: MeldKind) -> tuple[int, ...] | None:
        """The ids of the nearest tiles that form that meld with `tile_id`; None if there are too few.

        Two face-down tiles match in a concealed kong: players show it that way.
        """
        tile = self.tile(tile_id)
        if tile is None or not tile.is_kind or _is_flower(tile.code) or self.meld_of(tile_id):
            return None
        if kind is MeldKind.CHOW:
            return self._run(tile)
        size = 4 if kind.is_kong else 3
        equal = self._nearest(
            tile, [other for other in self.free if other.code == tile.code and other.id != tile.id]
        )
        if kind is MeldKind.KONG_CONCEALED and len(equal) + 1 < size:
            if not equal:
                return None
            backs = [other for other in self.free if other.code == BACK and tile.is_near(other)]
            equal = equal[: size - 1 - min(len(backs), 2)] + self._nearest(tile, backs)
        members = [tile, *equal[: size - 1]]
        return self._in_order(members) if len(members) == size else None

    def read_again(
        self,
        readings: Iterable[TileReading],
        rules: RuleSet | None = None,
        kinds: Container[MeldKind] = tuple(MeldKind),
    ) -> PhotoHand:
        """The hand after a (second) reading of its picture, found as a hand of that game. Anything that a
        person settled, removed or arranged stays."""
        kept = [tile for tile in self.tiles if tile.quad is None]
        seen = [tile for tile in self.tiles if tile.quad is not None]
        laid = {member for meld in self.melds for member in meld.members}
        fresh: list[PhotoTile] = []
        next_id = self.next_id
        for reading in readings:
            if any(same_place(reading.quad, quad) for quad in self.removed):
                continue
            old = next((tile for tile in seen if tile.quad and same_place(reading.quad, tile.quad)), None)
            if old:
                seen.remove(old)
                keep = old.settled or old.id in laid
                fresh.append(replace(old, quad=reading.quad) if keep else PhotoTile.read(old.id, reading))
            else:
                fresh.append(PhotoTile.read(next_id, reading))
                next_id += 1
        missed = [tile for tile in seen if tile.settled or tile.id in laid]
        hand = replace(self, tiles=(*fresh, *missed, *kept), next_id=next_id)
        if not self.arranged:
            return replace(hand, melds=(), others=(), chosen_win=None)._arrange(
                (*fresh, *missed), rules, kinds
            )
        present = {tile.id for tile in hand.tiles}
        known = {tile.id for tile in self.tiles}
        others = {
            *self.others,
            *replace(hand, melds=())._arrange((*fresh, *missed), rules, kinds).others,
        } & present
        others = {each for each in others if each in self.others or each not in known}
        chosen = hand.chosen_win if hand.chosen_win in present else None
        down = {tile.id for tile in hand.tiles_down}
        unnamed = tuple(members for members in hand.unnamed if down.issuperset(members))
        return replace(hand, others=tuple(sorted(others)), chosen_win=chosen, unnamed=unnamed)

    def _arrange(
        self, tiles: Sequence[PhotoTile], rules: RuleSet | None, kinds: Container[MeldKind]
    ) -> PhotoHand:
        """With the melds, the winning tile and the other tiles that are found among these. A tile that a meld
        needs as another kind than was read needs checking, and so do flowers that may be another player's."""
        tiles = [tile for tile in tiles if tile.quad]
        found = find_hand([tile.as_read() for tile in tiles], rules, kinds)
        ids = [tile.id for tile in tiles]
        melds = tuple(
            PhotoMeld(meld.kind, tuple(ids[tile] for tile in meld.tiles), meld.codes)
            for meld in found.melds
            if BACK not in meld.codes
        )
        unnamed = tuple(tuple(ids[tile] for tile in meld.tiles) for meld in found.melds if BACK in meld.codes)
        laid = {each: code for meld in melds for each, code in zip(meld.members, meld.codes, strict=True)}
        doubtful = {ids[tile] for tile in found.flowers} if found.flowers_p < ASK_BELOW_P else set()
        doubtful |= {tile.id for tile in self.tiles if laid.get(tile.id, tile.code) != tile.code != BACK}
        looked_at = tuple(replace(tile, unsure=True) if tile.id in doubtful else tile for tile in self.tiles)
        others = tuple(ids[tile] for tile in found.others if tiles[tile].code != BACK)
        apart = found.winning is not None and found.winning_p >= WINNING_P
        chosen = ids[found.winning] if apart and found.winning is not None else self.chosen_win
        return replace(
            self, tiles=looked_at, melds=melds, others=others, chosen_win=chosen, p=found.concealed_p,
            unnamed=unnamed,
        )  # fmt: skip

    def limit_to_tile_set(self, tile_set: TileSet, beside: Mapping[str, int] | None = None) -> PhotoHand:
        """The hand as the tile set allows it; the person is asked about the rest. beside: the number of tiles
        of each kind elsewhere.

        A kind that the game does not use stays where it was read with certainty; else the tile becomes
        unread. Where there are more copies than the set has, the least certain ones become unread.
        """
        copies = {kind.code: tile_set.copies[kind.index] for kind in tile_set.kinds}
        laid = {member for meld in self.melds for member in meld.members}
        firm = {tile.id for tile in self.tiles if tile.settled or tile.quad is None or tile.id in laid}
        left = Counter(copies)
        left.subtract(beside or {})
        decided = {}
        for tile in sorted(self.tiles, key=lambda tile: (tile.id not in firm, -tile.p)):
            if tile.is_kind and tile.id not in firm:
                if tile.code not in copies:
                    decided[tile.id] = replace(tile, code=UNKNOWN if tile.unsure else tile.code, unsure=True)
                elif left[tile.code] <= 0:
                    decided[tile.id] = replace(tile, code=UNKNOWN, unsure=True)
            left[tile.code] -= 1
        return replace(self, tiles=tuple(decided.get(tile.id, tile) for tile in self.tiles))

    def _settle(self, ids: Iterable[int], code: str) -> PhotoHand:
        wanted = set(ids)
        tiles = (replace(tile, code=code, settled=True) if tile.id in wanted else tile for tile in self.tiles)
        return replace(self, tiles=tuple(tiles))

    def _nearest(self, tile: PhotoTile, others: list[PhotoTile]) -> list[PhotoTile]:
        place = {other.id: i for i, other in enumerate(self.tiles)}
        return sorted(others, key=lambda other: abs(place[other.id] - place[tile.id]))

    def _in_order(self, members: Iterable[PhotoTile]) -> tuple[int, ...]:
        ids = {member.id for member in members}
        return tuple(tile.id for tile in self.tiles if tile.id in ids)

    def _run(self, tile: PhotoTile) -> tuple[int, ...] | None:
        kind = Tile.parse(tile.code)
        if kind.suit not in (Suit.CHARACTERS, Suit.DOTS, Suit.BAMBOO):
            return None
        for start in (kind.rank, kind.rank - 1, kind.rank - 2):
            members = [tile]
            for code in (f"{rank}{kind.suit}" for rank in range(start, start + 3) if rank != kind.rank):
                members += self._nearest(tile, [other for other in self.free if other.code == code])[:1]
            if len(members) == 3:
                return tuple(member.id for member in sorted(members, key=lambda member: member.code))
        return None


def _is_flower(code: str) -> bool:
    return code.endswith(Suit.FLOWERS.value)
