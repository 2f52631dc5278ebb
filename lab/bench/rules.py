"""How fast hands are scored, waited for and measured to ready; in the same run two published programs for
Japanese mahjong (`mahjong`, `xiangting`), asked the same questions. Then how long commands take.

Each figure of the first kind is how many are answered in a second on one core, in n runs. The runs of all
figures take turns, so that what slows the machine down for a while slows all of them.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from companion.rules import RULE_SETS, RuleSet, ScoreRequest, Source, score, shanten, waits
from companion.rules.fields import FIELDS
from companion.tiles import Meld, MeldKind, Suit, Tile, counts
from lab.bench.figures import figure
from lab.bench.hands import is_request, random_request, random_win

Question = Callable[[Any], object]


def of_34(tiles: tuple[Tile, ...]) -> list[int]:
    """How many of each kind but flowers, in the order that both programs have too."""
    return counts(tiles)[:34]


def installed() -> dict[str, str]:
    """Those that are there, with their version."""
    found = {}
    for name in ("mahjong", "xiangting"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def win_checks() -> dict[str, Question]:
    """By program: whether 34 counts of a finished hand without melds are a win."""
    found: dict[str, Question] = {}
    if "mahjong" in installed():
        from mahjong.agari import Agari

        found["mahjong"] = Agari.is_agari
    if "xiangting" in installed():
        from xiangting import PlayerCount, calculate_replacement_number

        found["xiangting"] = lambda hand: calculate_replacement_number(hand, PlayerCount.FOUR) == 0
    return found


def shantens() -> dict[str, Question]:
    """By program: how many tiles 34 counts are from ready."""
    found: dict[str, Question] = {}
    if "mahjong" in installed():
        from mahjong.shanten import Shanten

        found["mahjong"] = Shanten.calculate_shanten
    if "xiangting" in installed():
        from xiangting import PlayerCount, calculate_replacement_number

        found["xiangting"] = lambda hand: calculate_replacement_number(hand, PlayerCount.FOUR) - 1
    return found


def hand_values() -> dict[str, Question]:
    """By program: the value of a win, as `as_riichi` writes it."""
    if "mahjong" not in installed():
        return {}
    from mahjong.hand_calculating.hand import HandCalculator

    return {"mahjong": lambda win: HandCalculator.estimate_hand_value(*win)}


def as_riichi(request: ScoreRequest) -> tuple[object, ...]:
    """A win as `mahjong` takes it: tiles, winning tile, melds, no bonus tiles, what is known of it."""
    from mahjong.constants import EAST
    from mahjong.hand_calculating.hand_config import HandConfig

    assert request.winning_tile is not None
    used = [0] * 34

    def take(tile: Tile) -> int:
        used[tile.index] += 1
        return 4 * tile.index + used[tile.index] - 1

    melds = [_riichi_meld(meld, [take(tile) for tile in meld.tiles]) for meld in request.melds]
    hand = [take(tile) for tile in request.hand]
    last = hand[request.hand.index(request.winning_tile)]
    config = HandConfig(
        is_tsumo=request.source is Source.SELF_DRAW,
        is_chankan=request.source is Source.ROBBED_KONG,
        player_wind=EAST + (request.winner - request.dealer) % 4,
        round_wind=request.round_wind.index,
    )
    return [*hand, *(tile for meld in melds for tile in meld.tiles)], last, melds, None, config


def _riichi_meld(meld: Meld, tiles: list[int]) -> Any:
    from mahjong.meld import Meld as RiichiMeld

    kinds = {MeldKind.CHOW: RiichiMeld.CHI, MeldKind.PUNG: RiichiMeld.PON}
    return RiichiMeld(
        kinds.get(meld.kind, RiichiMeld.KAN), tiles, opened=meld.kind is not MeldKind.KONG_CONCEALED
    )


SEED = 20261121
HANDS = 200
"""Number of hands of each question; they are asked in turn."""
RUN_S = 0.2
"""Wall time of one run of one figure."""
STARTS = 10
BATCH, BATCHES = 10_000, 3
SHARED_SHAPES = "hebei"
"""The game with the winning shapes of the other programs: sets and a pair, seven pairs, thirteen orphans."""
COMMAND = (
    "-m", "companion", "score", "--rules", "hefei", "--hand", "234567m88m345p678s", "--winning-tile", "8s",
    "--winner", "1", "--from", "2", "--json",
)  # fmt: skip
Json = dict[str, Any]
Ready = tuple[RuleSet, tuple[Tile, ...], tuple[Meld, ...], None, Tile | None]
"""Arguments of `waits` and `shanten`: rule set, concealed tiles, melds, options, Fortune."""


class Figure:
    """One question put to a list of hands, or of `hands_each` hands, again and again."""

    def __init__(
        self, what: str, of: str, ask: Callable[[Any], object], asked: Sequence[Any], hands_each: int = 1
    ) -> None:
        self.what, self.of, self._ask, self._asked, self._hands_each = what, of, ask, asked, hands_each
        self._rates: list[float] = []

    def run(self) -> None:
        ask, asked, rounds = self._ask, self._asked, 0
        began = time.perf_counter()
        while (took := time.perf_counter() - began) < RUN_S or not rounds:
            for one in asked:
                ask(one)
            rounds += 1
        self._rates.append(rounds * len(asked) * self._hands_each / took)

    def forget(self) -> None:
        """Leave out what was measured so far: the first run fills tables."""
        self._rates.clear()

    def report(self) -> Json:
        return figure(self.what, self.of, "per second", self._rates, max)


def bench(runs: int) -> Json:
    """Every figure, each measured `runs` times, and the start of `companion score` from a shell."""
    figures = [*_ours(), *_theirs()]
    for each in figures:
        each.run()
    for each in figures:
        each.forget()
    for _ in range(runs):
        for each in figures:
            each.run()
    return {
        "python": sys.version.split()[0],
        "beside": installed(),
        "hands": HANDS,
        "seed": SEED,
        "figures": [*(each.report() for each in figures), _start(), *_batch()],
    }


def _ours() -> list[Figure]:
    figures = []
    for rules in RULE_SETS.values():
        for fortunes in (0, 2) if "fortune" in rules.uses else (None,):
            named = rules.name if fortunes is None else f"{rules.name}, {fortunes} wild"
            wins = _wins(rules, fortunes)
            figures.append(Figure("full scoring", named, _score, wins))
            figures.append(Figure("scoring with other house options", named, score, wins))
            figures.append(Figure("waits", named, _waits, [_before(rules, win) for win in wins]))
            dealt = _dealt(rules, fortunes or 0)
            figures.append(Figure("shanten", named, _shanten, dealt))
        figures.append(_many_at_once(rules))
    return figures


def _theirs() -> list[Figure]:
    rules = RULE_SETS[SHARED_SHAPES]
    wins = _wins(rules, None)
    closed = [win for win in wins if not win.melds]
    dealt = [hand for _, hand, *_ in _dealt(rules, 0)]
    finished = [of_34(win.hand) for win in closed]
    figures = [Figure("win check", SHARED_SHAPES, _is_win, [(rules, win.hand) for win in closed])]
    for name, ask in win_checks().items():
        figures.append(Figure("win check", name, ask, finished))
    for name, ask in shantens().items():
        figures.append(Figure("shanten", name, ask, [of_34(hand) for hand in dealt]))
    for name, ask in hand_values().items():
        figures.append(Figure("hand value", name, ask, [as_riichi(win) for win in wins]))
    return figures


def _wins(rules: RuleSet, fortunes: int | None) -> list[ScoreRequest]:
    rng = random.Random(SEED)
    return [random_win(rules, rng, fortunes) for _ in range(HANDS)]


def _before(rules: RuleSet, win: ScoreRequest) -> Ready:
    """The hand before the winning tile came."""
    hand = list(win.hand)
    if win.winning_tile is not None:
        hand.remove(win.winning_tile)
    return rules, tuple(hand), win.melds, None, win.fortune


def _dealt(rules: RuleSet, fortunes: int) -> list[Ready]:
    """Hands as dealt from the wall, `fortunes` of their tiles Fortunes."""
    rng = random.Random(SEED)
    kinds = [tile for tile in rules.tile_set.kinds if tile.suit is not Suit.FLOWERS]
    fortune = kinds[-1] if fortunes else None
    wall = [tile for tile in kinds for _ in range(4) if tile is not fortune]
    return [
        (rules, (*rng.sample(wall, rules.hand_size - fortunes), *[kinds[-1]] * fortunes), (), None, fortune)
        for _ in range(HANDS)
    ]


def _many_at_once(rules: RuleSet) -> Figure:
    import numpy as np

    from companion.rules.many import shantens

    hands = np.array([of_34(hand) for _, hand, *_ in _dealt(rules, 0)], np.uint8)
    return Figure("shanten, many at once", rules.name, lambda all: shantens(rules, all), [hands], len(hands))


def _score(request: ScoreRequest) -> object:
    return score(request, house_rules=False)


def _waits(ready: Ready) -> object:
    return waits(*ready)


def _shanten(ready: Ready) -> object:
    return shanten(*ready)


def _is_win(hand: tuple[RuleSet, tuple[Tile, ...]]) -> object:
    return shanten(*hand) == -1


def _start() -> Json:
    """How long the shell waits for one answer of `companion score`."""
    took = []
    for _ in range(STARTS):
        began = time.perf_counter()
        subprocess.run([sys.executable, *COMMAND], check=True, stdout=subprocess.DEVNULL)
        took.append(time.perf_counter() - began)
    return {
        "what": "companion score, from start to answer",
        "of": "hefei",
        "unit": "s",
        "runs": STARTS,
        "median": round(statistics.median(took), 3),
        "best": round(min(took), 3),
    }


def _batch() -> list[Json]:
    """How long `companion score --batch` takes for many hands that are all different, of all games, and how
    many times as long as it takes to read the same lines as JSON."""
    full, hands = _list_requests(leave_out=False), f"{BATCH:,} hands of all games"
    asked = (
        (("--no-alternatives",), full, hands),
        (("--no-alternatives",), _list_requests(leave_out=True), f"{hands}, all that is assumed left out"),
        ((), full, hands),
    )
    found = []
    with TemporaryDirectory() as folder:
        batch = Path(folder, "batch.jsonl")
        for flags, lines, of in asked:
            batch.write_text("\n".join(lines))
            command = (sys.executable, "-m", "companion", "score", "--batch", str(batch), *flags)
            took, ratios = [], []
            for _ in range(BATCHES):
                took.append(_time(partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)))
                ratios.append(took[-1] / _time(partial(_load, lines)))
            what = " ".join(("companion score --batch", *flags))
            for unit, values in (("s", took), ("times json.loads", ratios)):
                found.append(figure(what, of, unit, values, min))
    return found


def _load(lines: Sequence[str]) -> list[Json]:
    return [json.loads(line) for line in lines]


def _list_requests(*, leave_out: bool) -> list[str]:
    """Requests as JSON, of each game in turn. leave_out: without the fields that may be assumed."""
    rng, games = random.Random(SEED), tuple(RULE_SETS.values())
    lines: list[str] = []
    while len(lines) < BATCH:
        request = random_request(games[len(lines) % len(games)], rng)
        if leave_out:
            request = {name: value for name, value in request.items() if not FIELDS[name].others}
        if is_request(request):
            lines.append(json.dumps(request))
    return lines


def _time(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began
