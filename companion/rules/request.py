"""Requests as outside programs write them: every error names the field and what is allowed in it.

`cap` and `balances` are agreements that any table may make: `cap` is the most that each player's share of a
win comes to, and one who pays for all pays the sum of such shares (0 or null: no limit); `balances` is what
each seat has to pay with, and a player never pays more (null: debts are allowed).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

from companion.errors import NotationError, RequestError, quote
from companion.rules import messages
from companion.rules.options import settings
from companion.rules.registry import RULE_SETS, rule_set
from companion.rules.rule_set import RuleSet
from companion.rules.win import WINDS, DeclaredKong, Options, ScoreRequest, Source
from companion.tiles import Meld, MeldKind, Suit, Tile, parse_meld, parse_tiles

T = TypeVar("T")

REQUIRED = ("rules", "hand", "winner", "source")
WIND_NAMES = ("east", "south", "west", "north")
SEATS = range(4)
NUMBER_MAX = 1_000_000_000
"""Above any score at any table; keeps results within what other programs read as whole numbers."""
STREAK_MAX = 1_000
CHAIN_MAX = 8
"""More fortunes or kongs than anybody can have in a row."""
DISCARDS_MAX = 144

SAYS_NOTHING: Mapping[str, tuple[object, ...]] = {
    "flowers": ("",),
    "streak": (0, 1),
    "discards": (None,),
    "fortune": (None,),
    "gambits": (0,),
    "consecutive_kongs": (0,),
    "three_melds": ([],),
    "kongs_declared": ([],),
}
"""The fields that only some games have, with the values that say nothing and do no harm elsewhere."""
FIELDS = (
    "rules", "options", "hand", "melds", "winning_tile", "flowers", "winner", "dealer", "round_wind",
    "source", "from", "streak", "situation", "discards", "fortune", "gambits", "consecutive_kongs",
    "three_melds", "kongs_declared", "base", "cap", "balances",
)  # fmt: skip


def decode_request(given: Mapping[str, Any] | str | bytes) -> ScoreRequest:
    """The request in `given`, a JSON text or what it decodes to; RequestError where it cannot be scored.

    Fields, types and defaults are those of the package's interface description. A field that means nothing in
    the game is refused unless it says nothing; `round_wind` alone may be given in every game.
    """
    fields = _object(given)
    for field in fields:
        if field not in FIELDS:
            raise RequestError(
                messages.UNKNOWN_FIELD, field=str(field), given=quote(field), allowed=", ".join(FIELDS)
            )
    for field in REQUIRED:
        if field not in fields:
            raise RequestError(messages.MISSING, field=field, allowed=_HINTS[field])
    rules = rule_set(_choice(fields, "rules", tuple(RULE_SETS)))
    fields = _used(rules, fields)
    source = Source(_choice(fields, "source", tuple(Source)))
    winner = _seat(fields, "winner")
    request = ScoreRequest(
        rules=rules.name,
        options=_options(rules, fields.get("options", {})),
        hand=tuple(sorted(_tiles(fields, "hand"))),
        melds=tuple(sorted(_melds(fields))),
        winning_tile=_tile(fields, "winning_tile"),
        flowers=tuple(sorted(_tiles(fields, "flowers"))),
        winner=winner,
        dealer=_seat(fields, "dealer", default=0),
        round_wind=WINDS[WIND_NAMES.index(_choice(fields, "round_wind", WIND_NAMES, default="east"))],
        source=source,
        discarder=_discarder(fields, source, winner),
        streak=_number(fields, "streak", rules.streak_default, STREAK_MAX, default=rules.streak_default),
        situation=frozenset(_texts(fields, "situation")),
        discards=None if fields.get("discards") is None else _number(fields, "discards", 0, DISCARDS_MAX),
        fortune=_tile(fields, "fortune"),
        gambits=_number(fields, "gambits", 0, CHAIN_MAX, default=0),
        consecutive_kongs=_number(fields, "consecutive_kongs", 0, CHAIN_MAX, default=0),
        three_melds=_three_melds(fields),
        kongs_declared=_kongs_declared(fields),
        base=_number(fields, "base", 1, NUMBER_MAX, default=1),
        cap=None if fields.get("cap") is None else _number(fields, "cap", 0, NUMBER_MAX) or None,
        balances=_balances(fields),
    )
    check(rules, request)
    return request


def check(rules: RuleSet, request: ScoreRequest) -> None:
    """Raise RequestError where the parts of a request do not go together under `rules`."""
    _check_seats(rules, request)
    _check_melds(rules, request)
    _check_tiles(rules, request)
    _check_situation(rules, request)
    _check_winning_tile(rules, request)
    for demand in rules.demands:
        if not demand.holds(request):
            raise RequestError(demand.template, field=demand.field)


def _check_seats(rules: RuleSet, request: ScoreRequest) -> None:
    playing = rules.seats(request.options)
    if len(playing) == len(SEATS):
        return
    named = [
        ("winner", request.winner),
        ("dealer", request.dealer),
        ("from", request.discarder),
        *(("three_melds", seat) for pair in request.three_melds for seat in pair),
        *(("kongs_declared", seat) for k in request.kongs_declared for seat in (k.seat, k.discarder)),
    ]
    for field, seat in named:
        if seat is not None and seat not in playing:
            allowed = ", ".join(map(str, playing))
            raise RequestError(messages.SITS_OUT, field=field, seat=seat, allowed=allowed)


def _check_melds(rules: RuleSet, request: ScoreRequest) -> None:
    allowed = rules.allowed_melds(request.options)
    for meld in request.melds:
        if meld.kind not in allowed:
            option = rules.meld_kinds.get(meld.kind)
            raise RequestError(
                messages.NO_SUCH_MELD if option is None else messages.NO_SUCH_MELD_OPTION,
                field="melds", meld=quote(str(meld)), rules=rules.title, option=option,
                allowed=", ".join(allowed),
            )  # fmt: skip
    if len(request.melds) > rules.sets:
        raise RequestError(
            messages.TOO_MANY_MELDS,
            field="melds", found=len(request.melds), rules=rules.title, allowed=rules.sets,
        )  # fmt: skip


def _check_tiles(rules: RuleSet, request: ScoreRequest) -> None:
    """Only the winner's own tiles are counted against the set.

    With a robbed kong (C-11) three more copies of the winning tile lie before another player. They are not
    counted: the rulings' worked example HB-R04 robs a tile that the winner holds twice, five copies in all.
    """
    _check_set(rules, "melds", [tile for meld in request.melds for tile in meld.tiles])
    own = [*request.hand, *(tile for meld in request.melds for tile in meld.tiles)]
    _check_set(rules, "hand", own)
    _check_set(rules, "flowers", request.flowers)
    for tile in own:
        if tile.suit is Suit.FLOWERS:
            raise RequestError(messages.FLOWER_IN_HAND, field="hand", tile=quote(tile.code))
    for tile in request.flowers:
        if tile.suit is not Suit.FLOWERS:
            raise RequestError(messages.NO_FLOWER, field="flowers", tile=quote(tile.code))
    wild = rules.wild(request.options, request.fortune)
    if wild is not None and wild.count_held(request.hand, request.melds) > wild.copies:
        raise RequestError(
            messages.TOO_MANY_WILD,
            field="hand", tile=quote(wild.tile.code), found=wild.count_held(request.hand, request.melds),
            copies=wild.copies,
        )  # fmt: skip
    finished = rules.hand_size + 1 - 3 * len(request.melds)
    by_flowers = not rules.flower_wins.isdisjoint(request.situation)
    if len(request.hand) > finished or (len(request.hand) < finished and not by_flowers):
        raise RequestError(
            messages.TOO_FEW_TILES if len(request.hand) < finished else messages.TOO_MANY_TILES,
            field="hand", found=len(request.hand), rules=rules.title, melds=len(request.melds),
            allowed=finished, lacking=finished - len(request.hand), extra=len(request.hand) - finished,
        )  # fmt: skip


def _check_set(rules: RuleSet, field: str, tiles: list[Tile] | tuple[Tile, ...]) -> None:
    try:
        rules.tile_set.check(tiles)
    except NotationError as problem:
        raise RequestError(messages.UNREADABLE, field=field, problem=problem) from None


def _check_situation(rules: RuleSet, request: ScoreRequest) -> None:
    known = {situation.id: situation for situation in rules.situations}
    for id in sorted(request.situation):
        if id not in known:
            raise RequestError(
                messages.UNKNOWN_SITUATION,
                field="situation", given=quote(id), rules=rules.title, allowed=", ".join(known),
            )  # fmt: skip
    for id in sorted(request.situation):
        for other in known[id].excludes:
            if other in request.situation:
                raise RequestError(messages.EXCLUDES, field="situation", situation=id, other=other)
    for id in sorted(request.situation):
        for need in known[id].needs:
            if not need.holds(request):
                raise RequestError(need.template, field="situation", situation=id)


def _check_winning_tile(rules: RuleSet, request: ScoreRequest) -> None:
    tile = request.winning_tile
    without = [situation.id for situation in rules.situations if situation.no_winning_tile]
    for id in without:
        if tile is not None and id in request.situation:
            raise RequestError(
                messages.TILE_FORBIDDEN, field="winning_tile", tile=quote(tile.code), situation=id
            )
    if tile is None and not request.situation.intersection(without):
        if not without:
            raise RequestError(messages.TILE_ALWAYS_NEEDED, field="winning_tile")
        raise RequestError(messages.TILE_NEEDED, field="winning_tile", allowed=" or ".join(without))
    if tile is not None and tile not in request.hand:
        raise RequestError(messages.NOT_IN_HAND, field="winning_tile", tile=quote(tile.code))


def _object(given: Mapping[str, Any] | str | bytes) -> Mapping[str, Any]:
    if isinstance(given, (str, bytes)):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError) as problem:
            raise RequestError(messages.NOT_JSON, problem=problem) from None
    if not isinstance(given, Mapping):
        raise RequestError(messages.NOT_AN_OBJECT, value=quote(given))
    return given


def _used(rules: RuleSet, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields without those that mean nothing in the game; RequestError where one of these says more."""
    for field, nothing in SAYS_NOTHING.items():
        if field in fields and field not in rules.uses:
            value = fields[field]
            if not any(type(value) is type(none) and value == none for none in nothing):
                raise RequestError(messages.NOT_USED, field=field, rules=rules.title, value=quote(value))
    return {field: fields[field] for field in fields if field in rules.uses or field not in SAYS_NOTHING}


def _wrong_type(field: str, allowed: str, value: object) -> RequestError:
    return RequestError(messages.WRONG_TYPE, field=field, allowed=allowed, value=quote(value))


def _choice(fields: Mapping[str, Any], field: str, allowed: tuple[str, ...], default: str = "") -> str:
    value = fields.get(field, default)
    if not isinstance(value, str) or value not in allowed:
        raise _wrong_type(field, " or ".join(allowed), value)
    return value


def _number(fields: Mapping[str, Any], field: str, least: int, most: int, default: int | None = None) -> int:
    value = fields.get(field, default)
    if type(value) is not int or not least <= value <= most:
        raise _wrong_type(field, f"a whole number from {least} to {most}", value)
    return value


def _is_seat(value: object) -> TypeGuard[int]:
    return type(value) is int and value in SEATS


def _seat(fields: Mapping[str, Any], field: str, default: int | None = None) -> int:
    value = fields.get(field, default)
    if not _is_seat(value):
        raise _wrong_type(field, "a seat, 0 to 3", value)
    return value


def _text(value: object, field: str) -> str:
    if not isinstance(value, str):
        raise _wrong_type(field, _HINTS[field], value)
    return value


def _list(fields: Mapping[str, Any], field: str) -> Sequence[object]:
    values = fields.get(field, [])
    if not isinstance(values, (list, tuple)):
        raise _wrong_type(field, _HINTS[field], values)
    return values


def _texts(fields: Mapping[str, Any], field: str) -> list[str]:
    return [_text(value, field) for value in _list(fields, field)]


def _read(field: str, read: Callable[[str], T], text: str) -> T:
    try:
        return read(text)
    except NotationError as problem:
        raise RequestError(messages.UNREADABLE, field=field, problem=problem) from None


def _tiles(fields: Mapping[str, Any], field: str) -> tuple[Tile, ...]:
    return _read(field, parse_tiles, _text(fields.get(field, ""), field))


def _melds(fields: Mapping[str, Any]) -> list[Meld]:
    return [_read("melds", parse_meld, text) for text in _texts(fields, "melds")]


def _tile(fields: Mapping[str, Any], field: str) -> Tile | None:
    value = fields.get(field)
    return None if value is None else _read(field, Tile.parse, _text(value, field))


def _three_melds(fields: Mapping[str, Any]) -> tuple[tuple[int, int], ...]:
    found = []
    for pair in _list(fields, "three_melds"):
        if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(map(_is_seat, pair)):
            raise _wrong_type("three_melds", _HINTS["three_melds"], pair)
        if pair[0] == pair[1]:
            raise _wrong_type("three_melds", _HINTS["three_melds"], pair)
        found.append((pair[0], pair[1]))
    return tuple(found)


def _kongs_declared(fields: Mapping[str, Any]) -> tuple[DeclaredKong, ...]:
    return tuple(_declared_kong(each) for each in _list(fields, "kongs_declared"))


def _declared_kong(given: object) -> DeclaredKong:
    wrong = _wrong_type("kongs_declared", _HINTS["kongs_declared"], given)
    if not isinstance(given, Mapping) or not {"kind", "seat"} <= set(given) <= {"kind", "seat", "from"}:
        raise wrong
    kind, seat, discarder = given["kind"], given["seat"], given.get("from")
    kongs = {kong.value: kong for kong in MeldKind if kong.is_kong}
    if not isinstance(kind, str) or kind not in kongs or not _is_seat(seat):
        raise wrong
    claimed = kongs[kind] is MeldKind.KONG_DISCARD
    if claimed != (discarder is not None) or (claimed and (not _is_seat(discarder) or discarder == seat)):
        raise wrong
    return DeclaredKong(kongs[kind], seat, discarder)


def _discarder(fields: Mapping[str, Any], source: Source, winner: int) -> int | None:
    if fields.get("from") is None:
        if source is not Source.SELF_DRAW:
            raise RequestError(messages.FROM_NEEDED, field="from")
        return None
    seat = _seat(fields, "from")
    if seat == winner:
        raise RequestError(messages.FROM_IS_WINNER, field="from", value=seat)
    return None if source is Source.SELF_DRAW else seat


def _balances(fields: Mapping[str, Any]) -> tuple[int, ...] | None:
    values = fields.get("balances")
    if values is None:
        return None
    right = isinstance(values, (list, tuple)) and len(values) == 4
    if not right or any(type(value) is not int or not 0 <= value <= NUMBER_MAX for value in values):
        raise _wrong_type("balances", _HINTS["balances"], values)
    return tuple(values)


def _options(rules: RuleSet, given: object) -> Options:
    if not isinstance(given, Mapping):
        raise _wrong_type("options", _HINTS["options"], given)
    return rules.settings(settings(rules.options, given, rules.title))


_HINTS = {
    "rules": " or ".join(RULE_SETS),
    "hand": "the concealed tiles, the winning tile included, as in 234567m88m345p678s",
    "winner": "the winner's seat, 0 to 3",
    "source": " or ".join(Source),
    "options": "an object of house options and their settings",
    "melds": "a list of melds, as in p222m and K5555p",
    "winning_tile": "one tile, as in 8s, or null for a dealt win",
    "flowers": "the flowers set out, as in 1f5f",
    "situation": "a list of situations",
    "fortune": "the kind that is wild, as in 9s",
    "three_melds": "a list of pairs of seats, as in [[1, 2]]: seat 1 has melded three times from seat 2",
    "kongs_declared": (
        'a list of kongs as in {"kind": "K", "seat": 0, "from": null}: kind k, a or K, a seat, and for k the'
        " seat that discarded the tile"
    ),
    "balances": f"null or four whole numbers from 0 to {NUMBER_MAX}, by seat",
}
