"""From the tiles read in a picture to the hand of a request: melds and flowers separated, corrections
applied; and how to take a better picture, in words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from companion.errors import InputError, quote
from companion.photo_hand.hand import PhotoHand
from companion.photo_hand.which_hand import WINNING_P, FoundHand, find_hand
from companion.rules import RULE_SETS, RuleSet
from companion.rules.win import Options
from companion.sentences import Sentence
from companion.tiles import BACK, KINDS, UNKNOWN, MeldKind, Tile, TileSet, parse_meld, parse_tiles
from companion.vision.reading import CLOSER, CUT_SHORT, MIRRORED, SHARPER

if TYPE_CHECKING:
    from companion.vision import Reading

SPAN = re.compile(r"([0-9]{1,4})(?:-([0-9]{1,4}))?")
FIX = re.compile(r"([0-9]{1,4})=(.*)", re.DOTALL)
ADVICE = {
    CLOSER: Sentence("Some tiles are too small to be read: go closer."),
    SHARPER: Sentence("Some tiles are blurred: hold the camera still and let it focus."),
}
"""The sentence for each advice of a reading, the most urgent first."""
WARNINGS = {
    MIRRORED: Sentence("The picture is mirrored, as the front camera of a phone makes it: it was flipped."),
    CUT_SHORT: Sentence("The file is cut short: only the part that is there was read. Copy it again."),
}
"""The sentence for each warning of a reading."""
WHICH_HAND = Sentence("Which tiles are the hand? Draw a frame around them.")


def unsure(reading: Reading) -> list[dict[str, Any]]:
    """The tiles that a person should check, numbered from 1 in reading order, with their alternatives."""
    return [
        {
            "tile": number,
            "code": tile.code,
            "p": round(tile.p, 4),
            "alternatives": [[code, round(p, 4)] for code, p in tile.alternatives],
        }
        for number, tile in enumerate(reading.tiles, start=1)
        if tile.is_unsure
    ]


def parse_fixes(texts: Sequence[str], tiles: int) -> dict[int, Tile | None]:
    """Corrections such as `{5: 3m}`, None for a find that is not a tile. Raises InputError, also for a tile
    corrected twice, and NotationError."""
    fixes: dict[int, Tile | None] = {}
    for text in texts:
        match = FIX.fullmatch(text)
        if match is None or not 1 <= int(match[1]) <= tiles:
            raise InputError(
                "--fix {given} must be N=TILE with N from 1 to {tiles}, the number of a tile that was read.",
                given=quote(text), tiles=tiles,
            )  # fmt: skip
        number = int(match[1])
        if number in fixes:
            raise InputError("--fix corrects tile {tile} twice: correct it once.", tile=number)
        fixes[number] = Tile.parse(match[2]) if match[2] else None
    return fixes


def parse_only(text: str, reading: Reading) -> frozenset[int]:
    """The indices of the tiles that `text` lists by numbers from 1, such as 7-20,24. Raises InputError unless
    at least one of them was read face up."""
    total = len(reading.tiles)
    spans = [SPAN.fullmatch(part.strip()) for part in text.split(",")]
    numbers = [(int(span[1]), int(span[2] or span[1])) for span in spans if span]
    if len(numbers) < len(spans) or not all(1 <= first <= last <= total for first, last in numbers):
        raise InputError(
            "--only {given} must be numbers of tiles that were read, from 1 to {tiles}, such as 1-14,16.",
            given=quote(text), tiles=total,
        )  # fmt: skip
    chosen = frozenset(number - 1 for first, last in numbers for number in range(first, last + 1))
    if all(reading.tiles[tile].code == BACK for tile in chosen):
        raise InputError("--only {given} must name a tile that lies face up.", given=quote(text))
    return chosen


def hand_fields(
    reading: Reading,
    fixes: Mapping[int, Tile | None],
    added: str,
    request: Mapping[str, Any],
    tile_set: TileSet,
    only: Collection[int] | None = None,
    *,
    open_melds: bool = False,
) -> dict[str, Any]:
    """The fields `hand`, `flowers` and `melds` of a request, and `winning_tile` where one is apart and none
    is named, as the hand is found in the picture (`find_hand`), or among the tiles with the indices `only`.
    open_melds: tiles that look like melds are concealed tiles, except kongs with tiles face down.

    A meld that the request names is taken out of the tiles, those of the hand first. A tile that was not read
    with certainty counts as the likeliest kind of which `tile_set` has a copy left, in a meld as what the
    meld makes it; other face-down tiles count as nothing. Raises InputError if a meld's tiles are not in the
    picture, NotationError for a meld that cannot be read.
    """
    game = _game(request.get("rules"), request.get("options"))
    hand = PhotoHand().read_again(reading.tiles, *game)
    if only is not None:
        hand = hand.count_only(only, *game)
    if open_melds:
        down = {tile.id for tile in hand.tiles_down}
        hand = reduce(
            PhotoHand.split_meld, [meld for meld in hand.melds if down.isdisjoint(meld.members)], hand
        )
    for number, kind in fixes.items():
        hand = hand.remove(number - 1) if kind is None else hand.correct(number - 1, kind.code)
    for kind in parse_tiles(added):
        hand = hand.add(kind.code)
    hand = _name_all(hand, tile_set)
    given = list(request.get("melds", ()))
    for text in given:
        hand = _without(hand, text)
    found = hand.fields()
    fields = {"hand": found["hand"]}
    if found["flowers"] and "flowers" not in request:
        fields["flowers"] = found["flowers"]
    if hand.melds:
        fields["melds"] = [*given, *(laid.notation for laid in hand.melds)]
    won = next((tile for tile in hand.concealed if tile.id == hand.chosen_win), None)
    if won and won.is_kind and "winning_tile" not in request and not _was_dealt(game[0], request):
        fields["winning_tile"] = won.code
    return fields


def _was_dealt(rules: RuleSet | None, request: Mapping[str, Any]) -> bool:
    """Whether no tile completed the hand."""
    return rules is not None and not set(rules.wins_without_tile).isdisjoint(request.get("situation", ()))


def _name_all(hand: PhotoHand, tile_set: TileSet) -> PhotoHand:
    """Each unread tile outside the melds gets its likeliest kind with a copy left; the most certain tiles
    choose first.

    Where no kind has a copy left it gets its likeliest kind; the rules then report that kind.
    """
    left = Counter({kind.code: tile_set.copies[kind.index] for kind in KINDS})
    left.subtract(tile.code for tile in hand.free)
    left.subtract(code for laid in hand.melds for code in laid.codes)
    for tile in sorted(hand.free, key=lambda tile: -tile.p):
        kinds = [code for code, _ in tile.alternatives if code not in (BACK, UNKNOWN)]
        if tile.code == UNKNOWN and kinds:
            chosen = next((code for code in kinds if left[code] > 0), kinds[0])
            left[chosen] -= 1
            hand = hand.correct(tile.id, chosen)
    return hand


def hand_in(
    reading: Reading,
    rules: str | None,
    options: Options | None = None,
    only: Collection[int] | None = None,
    *,
    open_melds: bool = False,
) -> FoundHand:
    """The hand that is found in a picture, by the size and the melds of that game; among the tiles with the
    indices `only`, where given, all of whose face-up tiles count. open_melds: tiles
    that look like melds are concealed tiles, except kongs with tiles face down."""
    game = _game(rules, options)
    found = find_hand(reading.tiles, *game) if only is None else _find_among(reading, only, game)
    return _open_melds(found, reading) if open_melds else found


def _open_melds(found: FoundHand, reading: Reading) -> FoundHand:
    """The hand with the tiles of its melds among the concealed ones; kongs with tiles face down stay."""
    down = {index for index, tile in enumerate(reading.tiles) if tile.code == BACK}
    kongs = tuple(meld for meld in found.melds if not down.isdisjoint(meld.tiles))
    opened = (tile for meld in found.melds if meld not in kongs for tile in meld.tiles)
    concealed = tuple(sorted((*found.concealed, *opened)))
    winning = found.winning if found.winning_p >= WINNING_P else max(concealed, default=None)
    return replace(found, concealed=concealed, concealed_p=found.others_p, melds=kongs, winning=winning)


def _find_among(
    reading: Reading, only: Collection[int], game: tuple[RuleSet | None, Sequence[MeldKind]]
) -> FoundHand:
    """The hand among the tiles with the indices `only`, all of whose face-up tiles count."""
    chosen = sorted(only)
    tiles = [reading.tiles[tile] for tile in chosen]
    found = find_hand(tiles, *game)
    left = [tile for tile in found.others if tiles[tile].code != BACK]
    flowers = tuple(tile for tile in left if tiles[tile].code.endswith("f"))
    concealed = tuple(tile for tile in left if tile not in flowers)
    found = replace(
        found,
        concealed=found.concealed + concealed,
        flowers=found.flowers + flowers,
        flowers_p=1.0,
        others=tuple(tile for tile in found.others if tile not in left),
    )
    return found.renumber(chosen, len(reading.tiles))


def _game(name: str | None, options: Options | None) -> tuple[RuleSet | None, Sequence[MeldKind]]:
    rules = RULE_SETS.get(name or "")
    return rules, rules.allowed_melds(rules.settings(options)) if rules else tuple(MeldKind)


def _without(hand: PhotoHand, text: str) -> PhotoHand:
    """The hand without the tiles of a meld that the request names."""
    meld = parse_meld(text)
    codes = Counter(tile.code for tile in meld.tiles)
    for laid in hand.melds:
        if Counter(laid.codes) == codes:
            return reduce(PhotoHand.remove, laid.members, hand)
        if set(laid.codes) == set(codes):
            hand = hand.split_meld(laid)
    for kind in meld.tiles:
        outside = (tile for tile in hand.tiles if tile.id in hand.others)
        winning_last = sorted((*hand.free, *outside), key=lambda tile: tile.id == hand.chosen_win)
        tile = next((tile for tile in winning_last if tile.code == kind.code), None)
        if tile is not None:
            hand = hand.remove(tile.id)
        elif meld.kind is not MeldKind.KONG_CONCEALED:  # whose tiles may all lie face down
            raise InputError(
                "{meld} is not in the picture, {tile} is missing: correct what was read with --fix N={tile}.",
                meld=quote(text), tile=kind.code,
            )  # fmt: skip
    return hand


def hand_json(found: FoundHand) -> dict[str, Any]:
    """What `companion read --json` prints as "hand": each part with its tiles, numbered from 1 in reading
    order as in `unsure`, and with the probability that exactly these tiles are that part."""
    return {
        "concealed": {"tiles": _number(found.concealed), "p": round(found.concealed_p, 4)},
        "melds": [
            {
                "kind": meld.kind.value,
                "tiles": _number(meld.tiles),
                "codes": list(meld.codes),
                "sideways": None if meld.sideways is None else meld.sideways + 1,
                "p": round(meld.p, 4),
            }
            for meld in found.melds
        ],
        "winning_tile": None
        if found.winning is None
        else {"tile": found.winning + 1, "p": round(found.winning_p, 4)},
        "flowers": {"tiles": _number(found.flowers), "p": round(found.flowers_p, 4)},
        "others": {"tiles": _number(found.others), "p": round(found.others_p, 4)},
    }


def _number(tiles: Sequence[int]) -> list[int]:
    return [tile + 1 for tile in tiles]


def choose_advice(given: Sequence[str]) -> Sentence | None:
    """The sentence for the most urgent of these warnings and advice of a reading."""
    return next((sentence for name, sentence in (WARNINGS | ADVICE).items() if name in given), None)
