"""Pictures that a request for advice names, of the hand and of the table, read into fields. It is imported
only where advice is asked for: what it needs takes a while to load."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.coach import messages
from companion.coach.described import read_four, read_seat
from companion.commands.tile_sets import load_named_set
from companion.config import models_dir
from companion.errors import CompanionError, PictureError, RequestError, quote
from companion.photo_hand.from_reading import hand_fields, unsure
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.open_tiles import Held, fit_beside, lay_beside, name_open, read_table
from companion.rules import RuleSet, rule_set
from companion.rules.kinds import HouseOptions, RulesName
from companion.tiles import parse_meld, parse_tiles

if TYPE_CHECKING:
    from companion.vision import Reading, Recogniser

HAND_PHOTO, TABLE_PHOTO = "hand_photo", "table_photo"


class ReadRequest(NamedTuple):
    """A request with what was read in its pictures. unsure: by the field that names the picture, its tiles
    that a person should look at, as `companion read` lists them; None where there is no picture."""

    request: dict[str, Any]
    unsure: dict[str, list[dict[str, Any]]] | None = None


class PhotoReader:
    """Reads the pictures of requests, with the learned set of that name; models are loaded for the first."""

    def __init__(self, set_name: str | None = None) -> None:
        self._set_name = set_name
        self._recogniser: Recogniser | None = None

    def read(self, request: Mapping[str, Any]) -> ReadRequest:
        """The request without the names of pictures; RequestError names the field that is wrong.

        The hand is the row that stands apart in its picture. All other faces of that picture lie open, or,
        where there is a picture of the table, all faces of that one but the hand's own.
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
        if "rules" not in request:
            raise RequestError(messages.MISSING, field="rules", allowed=RulesName().describe())
        rules = rule_set(RulesName().decode("rules", request["rules"]))
        options = HouseOptions().decode("options", request.get("options", {}), rules)
        kinds = rules.allowed_melds(rules.settings(options))
        table, doubts = PhotoHand(), {}
        if HAND_PHOTO in named:
            reading = self._look(HAND_PHOTO, named[HAND_PHOTO], rules)
            doubts[HAND_PHOTO] = unsure(reading)
            filled |= _fill_hand(filled, reading, rules)
            table = lay_beside(PhotoHand().read_again(reading.tiles, rules, kinds))
        held = _find_held(filled)
        if TABLE_PHOTO in named and not _is_same_file(named):
            reading = self._look(TABLE_PHOTO, named[TABLE_PHOTO], rules)
            doubts[TABLE_PHOTO] = unsure(reading)
            table = read_table(PhotoHand(), reading.tiles, held, rules, kinds)
        seen = name_open(fit_beside(table, held, rules.tile_set), rules.tile_set)
        given = filled.get("seen", "")
        return ReadRequest(filled | {"seen": given + seen if isinstance(given, str) else given}, doubts)

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
    asked = {"rules": rules.name, "options": request.get("options", {}), "melds": melds[seat]}
    try:
        found = hand_fields(reading, {}, "", asked, rules.tile_set)
    except CompanionError as problem:
        raise RequestError(messages.UNREADABLE, field=HAND_PHOTO, problem=problem) from None
    melds[seat] = found.get("melds", melds[seat])
    flowers[seat] = flowers[seat] or found.get("flowers", "")
    return {"hand": found["hand"], "melds": melds, "flowers": flowers}


def _find_held(request: Mapping[str, Any]) -> Held:
    """The tiles of the seat's hand, as far as the request names them; it is checked later."""
    try:
        seat = read_seat(request.get("seat", 0), "seat")
        concealed = parse_tiles(str(request.get("hand", "")).replace("?", ""))
        melds = [parse_meld(text) for text in read_four(request, "melds", [])[seat] if text != "K"]
        flowers = parse_tiles(read_four(request, "flowers", "")[seat])
    except (CompanionError, TypeError, AttributeError):
        return Held(())
    laid = [*(tile for meld in melds for tile in meld.tiles), *flowers]
    return Held(tuple(tile.code for tile in concealed), tuple(tile.code for tile in laid))


def _is_same_file(named: Mapping[str, str]) -> bool:
    """Whether one picture shows both."""
    if HAND_PHOTO not in named:
        return False
    return os.path.realpath(named[HAND_PHOTO]) == os.path.realpath(named[TABLE_PHOTO])
