"""What is remembered of tiles that are seen for a moment, covered, and gone."""

from __future__ import annotations

from companion.following.quarters import WITHOUT_WALL, find_rows
from companion.following.tracks import Tracks
from companion.seeing.sights import Box, SeenTile, Sight

X_MM, Y_MM = 345.0, 233.0
"""The end of a standing hand, where a drawn tile stands until it is put into the hand."""
COVERED = Box(X_MM - 20, Y_MM - 20, X_MM + 20, Y_MM + 20)


def see(t: float, *numbers: int, covered: bool = False) -> Sight:
    """Tiles of these numbers in that one place, each with a face of its own."""
    tiles = tuple(
        SeenTile(number, X_MM, Y_MM, 0.0, ((f"{number}m", 0.9), ("5z", 0.1)), still_since_s=t)
        for number in numbers
    )
    return Sight(t, tiles, (COVERED,) if covered else ())


def test_what_is_missing_for_a_moment_before_an_arm_covers_it_may_still_lie_there() -> None:
    tracks = Tracks()
    for t in (0.0, 0.5, 1.0):
        tracks.update(see(t, 1))
    tracks.update(see(1.5))
    tracks.update(see(2.0, covered=True))
    tracks.update(see(9.0, covered=True))
    assert tracks.by_number[1].gone_s is None


def test_nothing_lies_under_a_tile_that_came_to_its_place() -> None:
    tracks = Tracks()
    tracks.update(see(0.0, 1))
    for t in (0.5, 5.0):
        tracks.update(see(t, covered=True))
    tracks.update(see(5.5, 2))
    for at in (6.0, 7.0, 12.0, 13.0):
        tracks.update(see(at, covered=True))
    assert tracks.by_number[1].is_gone(13.0)
    assert not tracks.by_number[2].is_gone(13.0)


def test_a_row_has_one_tile_in_one_place() -> None:
    tracks = Tracks()
    tracks.update(see(0.0, 1))
    tracks.update(see(0.5, covered=True))
    tracks.update(see(1.0, 2, covered=True))
    lying = list(tracks.by_number.values())
    assert len(lying) == 2
    assert [[track.number for track in row] for row in find_rows(WITHOUT_WALL, 1, lying)] == [[2]]


def test_half_a_tile_that_is_seen_as_another_one_is_that_tile() -> None:
    """After a bump the half of a 4p in which nothing else fits was read as a 2p, turned."""
    tracks = Tracks()
    whole = SeenTile(1, 65.0, 93.0, 3.14, (("4p", 0.999),), still_since_s=0.6)
    half = SeenTile(2, 65.0, 109.0, 1.56, (("2p", 0.996),), still_since_s=0.6)
    for t in (1.0, 1.5, 2.0):
        tracks.update(Sight(t, (whole, half)))
    assert [track.face.top for track in tracks.list_lying()] == ["4p"]
    beside = SeenTile(3, 91.0, 93.0, 3.14, (("2p", 0.996),), still_since_s=2.4)
    for t in (2.5, 3.0, 3.5):
        tracks.update(Sight(t, (whole, beside)))
    assert [track.face.top for track in tracks.list_lying()] == ["4p", "2p"]
