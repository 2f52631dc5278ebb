"""Pictures that a request for advice names, of the hand and of the table, read into fields. It is imported
only where advice is asked for: what it needs takes a while to load."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach import messages
from companion.coach.described import HIDDEN_KONG, read_four, read_seat
from companion.commands.tile_sets import load_named_set
from companion.config import models_dir
from companion.errors import CompanionError, PictureError, RequestError, quote
from companion.photo_hand.from_reading import hand_fields, unsure
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.open_tiles import (
    Held,
    encode_open_tiles,
    find_other_tiles,
    limit_to_copies,
    read_table,
)
from companion.rules import RuleSet
from companion.rules.kinds import HouseOptions
from companion.rules.request import find_rules
from companion.tiles import UNKNOWN, Tile, format_tiles, parse_meld, parse_tiles

if TYPE_CHECKING:
    from companion.vision import Reading, Recogniser

HAND_PHOTO, TABLE_PHOTO = "hand_photo", "table_photo"
OF_HAND = ("hand", "melds")
"""Fields that a picture of the hand stands for."""


class ReadRequest(NamedTuple):
    """A request with what was read in its pictures. unsure: by the field that names the picture, its tiles
    that a person should look at, as `companion read` lists them; None where there is no picture."""

    request: dict[str, Any]
    unsure: dict[str, list[dict[str, Any]]] | None = None

    def list_melds(self) -> list[str]:
        """The own melds, as they were named and read."""
        melds: list[str] = self.request.get("melds", [[]] * 4)[self.request.get("seat", 0)]
        return melds

    def explain(self, problem: RequestError) -> RequestError:
        """What is wrong with the request, with the tiles that were read where it is the photographed hand."""
        if problem.field not in OF_HAND or HAND_PHOTO not in (self.unsure or {}):
            return problem
        tiles = " ".join((self.request["hand"], *self.list_melds()))
        return RequestError(
            messages.READ_AS, field=problem.field, photo=HAND_PHOTO, tiles=tiles, problem=problem
        )


class PhotoReader:
    """Reads the pictures of requests, with the learned set of that name; models are loaded for the first."""

    def __init__(self, set_name: str | None = None) -> None:
        self._set_name = set_name
        self._recogniser: Recogniser | None = None

    def read(self, request: Mapping[str, Any]) -> ReadRequest:
        """The request without the names of pictures; RequestError names the field that is wrong.

        The hand is the row that stands apart in its picture. All other faces of that picture lie open, or,
        where there is a picture of the table, all faces of that one but the hand's own. Those that the
        request names too, as discards, or melds and flowers of others, count once.
        """
        named = {name: request[name] for name in (HAND_PHOTO, TABLE_PHOTO) if request.get(name) is not None}
        filled = {name: value for name, value in request.items() if name not in (HAND_PHOTO, TABLE_PHOTO)}
        if not named:
            return ReadRequest(filled)
        for name, value in named.items():
            if not isinstance(value, str):
                raise RequestError(
                    messages.WRONG_TYPE, field=name, allowed="the name of a picture", value=quote(value)
                )
        rules = find_rules(request)
        options = HouseOptions().decode("options", request.get("options", {}), rules)
        kinds = rules.allowed_melds(rules.settings(options))
        table, doubts = PhotoHand(), {}
        if HAND_PHOTO in named:
            reading = self._look(HAND_PHOTO, named[HAND_PHOTO], rules)
            doubts[HAND_PHOTO] = unsure(reading)
            filled |= _fill_hand(filled, reading, rules)
            table = find_other_tiles(PhotoHand().read_again(reading.tiles, rules, kinds))
        held = _find_held(filled)
        if TABLE_PHOTO in named and not _is_same_file(named):
            reading = self._look(TABLE_PHOTO, named[TABLE_PHOTO], rules)
            doubts[TABLE_PHOTO] = unsure(reading)
            table = read_table(PhotoHand(), reading.tiles, held, rules, kinds)
        seen = encode_open_tiles(limit_to_copies(table, held, rules.tile_set), rules.tile_set)
        seen = _leave_out(seen, _count_laid(filled))
        given = filled.get("seen", "")  # after what was read, so that a rank without its suit stays one
        return ReadRequest(filled | {"seen": seen + given if isinstance(given, str) else given}, doubts)

    def _look(self, field: str, name: str, rules: RuleSet) -> Reading:
        from companion.vision import Recogniser

        if self._recogniser is None:
            self._recogniser = Recogniser(models_dir())
        learned = load_named_set(self._set_name, self._recogniser)
        try:
            reading = self._recogniser.read_file(Path(name), rules=rules.name, tile_set=learned)
        except PictureError as problem:
            raise RequestError(messages.UNREADABLE, field=field, problem=problem) from None
        if not reading.tiles:
            raise RequestError(messages.NOTHING_READ, field=field, file=quote(name))
        return reading


def _fill_hand(request: Mapping[str, Any], reading: Reading, rules: RuleSet) -> dict[str, Any]:
    """The fields that the picture of the hand stands for: the hand, and the seat's melds and flowers."""
    if "hand" in request:
        raise RequestError(messages.GIVEN_TWICE, field="hand", photo=HAND_PHOTO)
    seat = read_seat(request.get("seat", 0), "seat")
    melds, flowers = list(read_four(request, "melds", [])), list(read_four(request, "flowers", ""))
    if not isinstance(melds[seat], list) or not all(isinstance(each, str) for each in melds[seat]):
        raise RequestError(
            messages.WRONG_TYPE, field="melds", allowed="a list of melds for each seat",
            value=quote(melds[seat]),
        )  # fmt: skip
    face_down = [text for text in melds[seat] if text.strip() == HIDDEN_KONG]
    laid = [text for text in melds[seat] if text.strip() != HIDDEN_KONG]
    asked = {"rules": rules.name, "options": request.get("options", {}), "melds": laid}
    try:
        found = hand_fields(reading, {}, "", asked, rules.tile_set)
    except CompanionError as problem:
        raise RequestError(messages.UNREADABLE, field=HAND_PHOTO, problem=problem) from None
    melds[seat] = [*face_down, *found.get("melds", laid)]
    flowers[seat] = flowers[seat] or found.get("flowers", "")
    return {"hand": found["hand"], "melds": melds, "flowers": flowers}


def _find_held(request: Mapping[str, Any]) -> Held:
    """The tiles of the seat's hand, as far as the request names them; it is checked later."""
    try:
        seat = read_seat(request.get("seat", 0), "seat")
        concealed = parse_tiles(str(request.get("hand", "")).replace("?", ""))
        own = [text for text in read_four(request, "melds", [])[seat] if text.strip() != HIDDEN_KONG]
        melds = [parse_meld(text) for text in own]
        flowers = parse_tiles(read_four(request, "flowers", "")[seat])
    except (CompanionError, TypeError, AttributeError):
        return Held(())
    laid = [*(tile for meld in melds for tile in meld.tiles), *flowers]
    return Held(tuple(tile.code for tile in concealed), tuple(tile.code for tile in laid))


def _count_laid(request: Mapping[str, Any]) -> Counter[Tile]:
    """The tiles that the request names as discards, and as melds and flowers of others; they are checked
    later."""
    try:
        seat = read_seat(request.get("seat", 0), "seat")
        rivers = [*read_four(request, "rivers", [])]
        others = [each for each in range(len(rivers)) if each != seat]
        melds, flowers = read_four(request, "melds", []), read_four(request, "flowers", "")
        laid = [text for each in rivers for text in ([each] if isinstance(each, str) else each)]
        laid += [text.strip()[1:] for each in others for text in melds[each]] + [
            flowers[each] for each in others
        ]
        return Counter(tile for text in laid for tile in parse_tiles(text.replace(UNKNOWN, " ")))
    except (CompanionError, TypeError, AttributeError):
        return Counter()


def _leave_out(seen: str, laid: Counter[Tile]) -> str:
    """The tiles of the field `seen` without those that are named elsewhere."""
    tiles = Counter(parse_tiles(seen.replace(UNKNOWN, " "))) - laid
    return format_tiles(sorted(tiles.elements())) + UNKNOWN * seen.count(UNKNOWN)


def _is_same_file(named: Mapping[str, str]) -> bool:
    """Whether one picture shows both."""
    if HAND_PHOTO not in named:
        return False
    return os.path.realpath(named[HAND_PHOTO]) == os.path.realpath(named[TABLE_PHOTO])
