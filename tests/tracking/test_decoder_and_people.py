"""What people say to the decoder: an event put right, one that the camera missed, one that cannot be."""

from __future__ import annotations

import pytest

from companion.errors import EventError
from companion.table.apply import fold
from companion.table.events import Claimed, Corrected, Discarded
from companion.tracking.decoder import Decoder
from tests.tracking.test_decoder import START, see, stated, watch


def test_a_person_puts_a_discard_right_and_the_game_goes_on_from_there() -> None:
    decoder = Decoder([START])
    tiles = [see(1, "6m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    decoder.hear(Corrected(number=4, right=Discarded(seat=0, tile="8m")))
    tiles.append(see(2, "1s", 90, 0, 5.0, 1.57))
    events = stated(watch(decoder, tiles, 5.0, 9.0))
    assert events[-1] == Discarded(seat=1, tile="1s")
    assert not any(isinstance(event, Corrected) for event in events)
    state = fold(decoder.log)
    assert state is not None
    assert state.hand is not None
    assert [tile.code for tile in state.hand.players[0].discards if tile] == ["8m"]


def test_a_person_enters_what_the_camera_missed() -> None:
    decoder = Decoder([START])
    tiles = [see(1, "6m", 0, -90, 1.0)]
    watch(decoder, tiles, 1.0, 4.0)
    decoder.hear(Claimed(seat=1, meld="p666m"))
    events = stated(watch(decoder, [see(2, "1s", 90, 0, 5.0, 1.57)], 5.0, 9.0))
    assert Discarded(seat=1, tile="1s") in events


def test_what_cannot_have_happened_is_refused() -> None:
    decoder = Decoder([START])
    with pytest.raises(EventError):
        decoder.hear(Discarded(seat=0, tile="6m"))
