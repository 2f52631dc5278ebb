"""Requests as outside programs write them: every error names the field and its allowed values.

The fields are defined in fields.py; what cannot be checked field by field is checked here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import fields as attributes_of
from functools import cache
from typing import Any

from companion.errors import NotationError, RequestError, list_names, quote
from companion.foreign import Undecodable, load_json
from companion.rules import messages
from companion.rules.fields import ALL_FIELDS, ANSWER_FIELDS, FIELDS, REQUIRED, Field
from companion.rules.kinds import NUMBER_MAX, SEATS, RulesNameKind
from companion.rules.registry import rule_set
from companion.rules.rule_set import Need, RuleSet
from companion.rules.win import ScoreRequest, Source, Stakes
from companion.tiles import Meld, MeldKind, Suit, Tile

_REQUIRED = tuple(field for field in FIELDS.values() if field.default is REQUIRED)
_ATTRIBUTES = frozenset(attribute.name for attribute in attributes_of(ScoreRequest))
_EXTRA = tuple(field.name for field in FIELDS.values() if field.attribute not in _ATTRIBUTES)
"""The fields that ScoreRequest has no attribute for."""


@dataclass(frozen=True, slots=True)
class ScoreQuestion:
    """A request as a program sends it: the win, and what the answer should contain.

    id: a text that the answer repeats, if there is one. alternatives: whether other house options are
    compared. left_out: the fields of the win that were not given.
    """

    request: ScoreRequest
    id: str | None
    alternatives: bool
    left_out: frozenset[str]


def decode_question(given: Mapping[str, Any] | str | bytes, *, alternatives: bool = True) -> ScoreQuestion:
    """What is asked in `given`, a JSON text or what it decodes to; RequestError if it cannot be answered.

    `alternatives`: the default for requests without that field.
    """
    entries = load_request(given)
    request = decode_request(entries)
    wanted = {
        name: field.kind.decode(name, entries[name], rule_set(request.rules))
        for name, field in ANSWER_FIELDS.items()
        if name in entries
    }
    return ScoreQuestion(
        request,
        wanted.get("id"),
        wanted.get("alternatives", alternatives),
        frozenset(FIELDS.keys() - entries.keys()),
    )


def decode_request(given: Mapping[str, Any] | str | bytes) -> ScoreRequest:
    """The win in `given`, a JSON text or what it decodes to; RequestError if it cannot be scored.

    fields.py lists the fields, their values and their defaults. A field that the game does not read is
    refused unless its value says nothing.
    """
    entries = load_request(given)
    for name in entries:
        if name not in ALL_FIELDS:
            raise RequestError(
                messages.UNKNOWN_FIELD,
                field=str(name), given=quote(name), allowed=list_names(name, ALL_FIELDS),
            )  # fmt: skip
    rules = find_rules(entries)
    for field in _REQUIRED:
        check_given(field, entries)
    values = dict(_defaults(rules))
    for field in FIELDS.values():
        if field.name not in entries:
            continue
        value = entries[field.name]
        if field.nothing is None or field.name in rules.uses:
            values[field.attribute] = field.kind.decode(field.name, value, rules)
        elif not field.says_nothing(value):
            raise RequestError(messages.NOT_USED, field=field.name, rules=rules.title, value=quote(value))
    _settle_discarder(values)
    _settle_flowers(values)
    if _EXTRA:
        values["extra"] = {name: values.pop(name) for name in _EXTRA}
    request = ScoreRequest(**values)
    check(rules, request)
    return request


def find_rules(entries: Mapping[str, Any]) -> RuleSet:
    """The rule set that a request names. RequestError if it names none."""
    check_given(FIELDS["rules"], entries)
    return rule_set(RulesNameKind().decode("rules", entries["rules"]))


def check_given(field: Field, entries: Mapping[str, Any]) -> None:
    """Raise RequestError if that field was left out."""
    if field.name not in entries:
        raise RequestError(messages.MISSING, field=field.name, allowed=field.kind.describe())


@cache
def _defaults(rules: RuleSet) -> Mapping[str, Any]:
    """The values of the fields that may be left out, by attribute."""
    return {
        field.attribute: field.kind.decode(field.name, field.default_in(rules), rules)
        for field in FIELDS.values()
        if field.default is not REQUIRED
    }


def _settle_discarder(values: dict[str, Any]) -> None:
    """Check who discarded the winning tile, and leave it out of a self-draw."""
    drawn, discarder = values["source"] is Source.SELF_DRAW, values["discarder"]
    if discarder is None and not drawn:
        raise RequestError(messages.FROM_NEEDED, field="from")
    if discarder is not None and discarder == values["winner"]:
        raise RequestError(messages.FROM_IS_WINNER, field="from", value=discarder)
    if drawn:
        values["discarder"] = None


def _settle_flowers(values: dict[str, Any]) -> None:
    """Separate unknown flowers from none."""
    values["flowers_known"] = values["flowers"] is not None
    values["flowers"] = values["flowers"] or ()


def with_value(request: ScoreRequest, field: Field, value: Any) -> ScoreRequest:
    """The request with another value of that field, as its kind decodes it."""
    values = {field.attribute: value}
    if field.attribute == "flowers":
        _settle_flowers(values)
    return request.changed(**values)


def check(rules: RuleSet, request: ScoreRequest) -> None:
    """Raise RequestError if the parts of a request do not go together under `rules`."""
    check_stakes(rules, request.stakes, request.base)
    _check_melds(rules, request)
    _check_tiles(rules, request)
    check_circumstances(rules, request)
    _check_winning_tile(rules, request)


def check_circumstances(rules: RuleSet, request: ScoreRequest) -> None:
    """Raise RequestError if the fields other than the tiles contradict each other under `rules`."""
    _check_seats(rules, request)
    check_situation(rules, request)
    for demand in rules.demands:
        if not demand.holds(request):
            raise RequestError(demand.template, field=demand.field)


def check_stakes(rules: RuleSet, stakes: Stakes, base: int) -> None:
    """Raise RequestError if the stakes, times the base, exceed NUMBER_MAX."""
    if stakes != rules.own_stakes and max(stakes.base, stakes.unit) * base > NUMBER_MAX:
        raise RequestError(messages.STAKES_TOO_LARGE, field="stakes", most=NUMBER_MAX)


def is_valid(
    rules: RuleSet, request: ScoreRequest, check: Callable[[RuleSet, ScoreRequest], None] = check
) -> bool:
    """Whether `check` accepts the request under `rules`."""
    try:
        check(rules, request)
    except RequestError:
        return False
    return True


def _check_seats(rules: RuleSet, request: ScoreRequest) -> None:
    playing = rules.seats(request.options)
    if len(playing) == len(SEATS):
        return
    for field in FIELDS.values():
        for seat in field.kind.seats(request.value(field.attribute)):
            if seat not in playing:
                allowed = ", ".join(map(str, playing))
                raise RequestError(messages.SITS_OUT, field=field.name, seat=seat, allowed=allowed)


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

    With a robbed kong (C-11) three more copies of the winning tile are in front of another player. They are
    not counted: the rulings' worked example HB-R04 robs a tile that the winner holds twice, five copies in
    all.
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
    extra = len(request.hand) - finished
    if not extra:
        return
    said: dict[str, Any] = {
        "field": "hand", "found": len(request.hand), "rules": rules.title, "melds": len(request.melds),
        "allowed": finished,
    }  # fmt: skip
    if extra > 0:
        four = _find_four(rules, request, extra)
        if four is None:
            raise RequestError(messages.TOO_MANY_TILES, **said, extra=extra)
        kong, claimed = (
            str(Meld((four,) * 4, kind)) for kind in (MeldKind.KONG_CONCEALED, MeldKind.KONG_DISCARD)
        )
        raise RequestError(
            messages.MAYBE_KONG, **said, extra=extra, tile=four.code, kong=kong, claimed=claimed
        )
    if rules.flower_wins.isdisjoint(request.situation):
        raise RequestError(messages.TOO_FEW_TILES, **said, lacking=-extra)


def _find_four(rules: RuleSet, request: ScoreRequest, extra: int) -> Tile | None:
    """Of the kinds that the hand holds four of, one that may be a kong, for which a hand has one tile more:
    rather not the one that won. None if these are fewer than the tiles too many."""
    fours = [tile for tile, number in Counter(request.hand).items() if number == 4]
    kinds = {MeldKind.KONG_CONCEALED, MeldKind.KONG_DISCARD}
    if (
        len(fours) < extra
        or len(request.melds) == rules.sets
        or not kinds.issubset(rules.allowed_melds(request.options))
    ):
        return None
    return min(fours, key=lambda tile: (tile is request.winning_tile, tile))


def _check_set(rules: RuleSet, field: str, tiles: list[Tile] | tuple[Tile, ...]) -> None:
    try:
        rules.tile_set.check(tiles)
    except NotationError as problem:
        raise RequestError(messages.UNREADABLE, field=field, problem=problem) from None


def check_situation(
    rules: RuleSet,
    request: ScoreRequest,
    holds: Callable[[Need, ScoreRequest], bool] = lambda need, request: need.holds(request),
) -> None:
    """Raise RequestError if the situations of the win contradict each other, or what they take for granted
    is not so."""
    known = {situation.id: situation for situation in rules.situations}
    for id in sorted(request.situation):
        for other in known[id].excludes:
            if other in request.situation:
                raise RequestError(messages.EXCLUDES, field="situation", situation=id, other=other)
    for id in sorted(request.situation):
        for need in known[id].needs:
            if not holds(need, request):
                raise RequestError(need.template, field="situation", situation=id)


def _check_winning_tile(rules: RuleSet, request: ScoreRequest) -> None:
    tile = request.winning_tile
    without = rules.wins_without_tile
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


def load_request(given: Mapping[str, Any] | str | bytes, line: int = 1) -> Mapping[str, Any]:
    """The entries of the request in `given`, a JSON text or what it decodes to. RequestError.

    `line`: the number of the text's first line in the file that it is from.
    """
    if isinstance(given, (str, bytes)):
        try:
            given = load_json(given, line)
        except Undecodable as problem:
            raise RequestError(messages.NOT_JSON, problem=problem.why) from None
    if not isinstance(given, Mapping):
        raise RequestError(messages.NOT_AN_OBJECT, value=quote(given))
    return given
