"""A win that serves as an example, drawn and in a few words. Imports no Kivy of its own."""

from __future__ import annotations

from collections.abc import Iterator

from companion.app.widgets.tile_strip import Group
from companion.rules import RULE_SETS, Source
from companion.rules.fields import FIELDS
from companion.rules.hand import GroupKind
from companion.rules.win import HandReading, ScoreRequest
from companion.sheets.wording import say_points
from companion.tiles import BACK, KINDS, Meld, MeldKind, Suit
from companion.words import Words
from companion.words.filling import SEAT_NAMES

TOLD = ("streak", "discards", "gambits", "consecutive_kongs", "round_wind", "fortune", "flowers")
"""Fields of a request that are told where they say something."""


def say_win(request: ScoreRequest, words: Words) -> str:
    """How the hand was won, in a few words."""
    rules = RULE_SETS[request.rules]
    said = [words("self-drawn") if request.source is Source.SELF_DRAW else words("on a discard")]
    if request.source is Source.ROBBED_KONG:
        said = [words("by robbing a kong")]
    said.append(words("by the dealer") if request.winner == request.dealer else words("not by the dealer"))
    for situation in rules.situations:
        if situation.id in request.situation:
            said.append(words.both(situation.label, situation.label_zh)[0])
    return words.join([*said, *_say_numbers(request, words)])


def _say_numbers(request: ScoreRequest, words: Words) -> Iterator[str]:
    """What else is told of the win, each with its name: deals in a row, the Fortune tile."""
    rules = RULE_SETS[request.rules]
    for name in TOLD:
        field = FIELDS[name]
        if field.ask is None or not field.used_by(rules):
            continue
        value = request.value(field.attribute)
        usual = field.default_in(rules)
        if name == "round_wind":
            usual = None
        if value in (usual, None, 0):
            continue
        yield words("{what}: {value}", what=words(field.label_in(rules)), value=value)


def list_laid(meld: Meld) -> list[str]:
    """A meld as it lies: of a concealed kong two tiles show their backs."""
    codes = [tile.code for tile in meld.tiles]
    return [BACK, codes[1], codes[2], BACK] if meld.kind is MeldKind.KONG_CONCEALED else codes


def say_payments(payments: tuple[int, ...], words: Words) -> str:
    """What each seat gets or pays."""
    moved = [
        f"{words(name)} {say_points(each)}" for name, each in zip(SEAT_NAMES, payments, strict=True) if each
    ]
    return "  ·  ".join(moved) or "0"


def group_read(request: ScoreRequest, reading: HandReading | None) -> list[Group]:
    """The hand as it was read, set by set, with flowers; the winning tile is ringed. Where nothing was read,
    as `group_tiles`."""
    if reading is None or not reading.groups:
        return group_tiles(request)
    groups: list[Group] = []
    for group in reading.groups:
        codes = [tile.code for tile in group.tiles]
        if group.kind is GroupKind.KONG and group.concealed:
            codes = [BACK, codes[1], codes[2], BACK]
        ringed = -1
        if group.won and request.winning_tile in group.tiles:
            ringed = group.tiles.index(request.winning_tile)
        drawn = [(code, at == ringed) for at, code in enumerate(codes)]
        if groups and group.kind is GroupKind.SINGLE:
            groups[-1] = [*groups[-1], *drawn]
        else:
            groups.append(drawn)
    if request.flowers:
        groups.append([(tile.code, False) for tile in request.flowers])
    return groups


def group_tiles(request: ScoreRequest) -> list[Group]:
    """The hand, its melds and flowers as drawn; the winning tile stands apart, ringed."""
    concealed = [tile.code for tile in request.hand]
    groups: list[Group] = []
    won = request.winning_tile.code if request.winning_tile else None
    if won in concealed:
        concealed.remove(won)
    if concealed:
        groups.append([(code, False) for code in concealed])
    if won:
        groups.append([(won, True)])
    groups += [[(code, False) for code in list_laid(meld)] for meld in request.melds]
    if request.flowers:
        groups.append([(tile.code, False) for tile in request.flowers])
    if request.situation & RULE_SETS[request.rules].flower_wins and not request.flowers:
        groups.append([(tile.code, False) for tile in KINDS if tile.suit is Suit.FLOWERS])
    return groups
