"""Random wins of any rule set, made from what it declares: for measuring, and for tests over many hands."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from companion.errors import RequestError
from companion.rules import RuleSet, Source, decode_request, score
from companion.rules.win import ScoreRequest
from companion.tiles import KINDS, Meld, MeldKind, Suit, Tile, format_tiles, parse_meld

Request = dict[str, Any]
SOURCES = (
    Source.SELF_DRAW,
    Source.SELF_DRAW,
    Source.DISCARD,
    Source.DISCARD,
    Source.DISCARD,
    Source.ROBBED_KONG,
)
OTHER_SHAPE = 0.15
"""Share of hands with another shape than sets and a pair: frequent enough to be tested, rarer than sets."""


def random_request(rules: RuleSet, rng: random.Random, fortunes: int | None = None) -> Request:
    """A request for a hand with a winning shape by default rules; most are wins, some break a restriction.

    `fortunes`: how many of the concealed tiles are wild in a game with wildcards; None for any number.
    """
    while True:
        hand, melds = _tiles(rules, rng)
        request = _circumstances(rules, rng, hand, melds)
        if "fortune" in rules.uses:
            _put_fortunes(
                rules, rng, request, hand, rng.choice((0, 1, 1, 2, 3)) if fortunes is None else fortunes
            )
        if is_request(request):
            return request


def is_request(request: Request) -> bool:
    """Whether it can be scored."""
    try:
        decode_request(request)
    except RequestError:
        return False
    return True


def random_win(rules: RuleSet, rng: random.Random, fortunes: int | None = None) -> ScoreRequest:
    """A request for a hand that wins by default rules."""
    while True:
        request = decode_request(random_request(rules, rng, fortunes))
        if score(request, house_rules=False).legal:
            return request


def _tiles(rules: RuleSet, rng: random.Random) -> tuple[list[Tile], list[Meld]]:
    shapes = [shape.id for shape in rules.shapes if shape.option is None or rules.defaults[shape.option]]
    shape = "standard" if rng.random() > OTHER_SHAPE else rng.choice(shapes)
    kinds = [tile for tile in rules.tile_set.kinds if tile.suit is not Suit.FLOWERS]
    chosen_suits = rng.sample([*Suit][:3], rng.choice((1, 2, 2, 3, 3, 3)))
    near = [tile for tile in kinds if tile.suit in (*chosen_suits, Suit.HONORS)]
    melds: list[Meld] = []
    hand: list[Tile] = []
    if shape == "seven_pairs":
        hand = [rng.choice(near) for _ in range(7)] * 2
    elif shape == "seven_pairs_and_a_pung":
        hand = [rng.choice(near) for _ in range(7)] * 2 + [rng.choice(near)] * 3
    elif shape == "thirteen_orphans":
        orphans = [tile for tile in kinds if tile.suit is Suit.HONORS or tile.rank in (1, 9)]
        hand = [*orphans, rng.choice(orphans)]
    else:
        claimed = rng.random() * 0.7
        for _ in range(rules.sets):
            _add_set(rules, rng, near, hand, melds, claimed)
        hand += [rng.choice(near)] * 2
    if max(Counter([*hand, *(tile for meld in melds for tile in meld.tiles)]).values()) > 4:
        return _tiles(rules, rng)
    return hand, melds


def _add_set(
    rules: RuleSet, rng: random.Random, kinds: list[Tile], hand: list[Tile], melds: list[Meld], claimed: float
) -> None:
    allowed = rules.allowed_melds(rules.defaults)
    tile = rng.choice(kinds)
    tiles = KINDS[tile.index : tile.index + 3]
    if rng.random() < 0.6 and all(t in kinds and t.suit is tile.suit is not Suit.HONORS for t in tiles):
        if MeldKind.CHOW in allowed and rng.random() < claimed:
            melds.append(Meld(tiles, MeldKind.CHOW))
        else:
            hand += tiles
    elif rng.random() < claimed:
        kind = rng.choice([kind for kind in allowed if kind is not MeldKind.CHOW])
        melds.append(Meld((tile,) * (4 if kind.is_kong else 3), kind))
    else:
        hand += [tile] * 3


def _circumstances(rules: RuleSet, rng: random.Random, hand: list[Tile], melds: list[Meld]) -> Request:
    winner, source = rng.randrange(4), rng.choice(SOURCES)
    request: Request = {
        "rules": rules.name,
        "hand": format_tiles(hand),
        "melds": [str(meld) for meld in melds],
        "winning_tile": rng.choice(hand).code,
        "winner": winner,
        "dealer": rng.randrange(4),
        "round_wind": rng.choice(("east", "south", "west", "north")),
        "source": source.value,
    }
    if source is not Source.SELF_DRAW:
        request["from"] = (winner + rng.randint(1, 3)) % 4
    if "streak" in rules.uses:
        request["streak"] = rules.streak_default + rng.choice((0, 0, 1, 2, 3))
    if "flowers" in rules.uses:
        flowers = [tile for tile in KINDS if tile.suit is Suit.FLOWERS]
        request["flowers"] = format_tiles(rng.sample(flowers, rng.choice((0, 0, 1, 1, 2, 3, 4))))
    if "discards" in rules.uses:
        request["discards"] = rng.choice((None, None, 3, 8, 30))
    if rng.random() < 0.2:
        usual = [s.id for s in rules.situations if s.id not in rules.wins_without_tile]
        request["situation"] = rng.sample(usual, min(1, len(usual)))
    return request


def _put_fortunes(rules: RuleSet, rng: random.Random, request: Request, hand: list[Tile], wild: int) -> None:
    """Makes `wild` of the concealed tiles Fortunes: a kind that is nowhere else in the hand."""
    held = {*hand, *(tile for text in request["melds"] for tile in parse_meld(text).tiles)}
    fortune = rng.choice([tile for tile in rules.tile_set.kinds if tile not in held])
    places = rng.sample(range(len(hand)), min(wild, len(hand)))
    tiles = [fortune if i in places else tile for i, tile in enumerate(hand)]
    request |= {"fortune": fortune.code, "hand": format_tiles(tiles), "winning_tile": rng.choice(tiles).code}
