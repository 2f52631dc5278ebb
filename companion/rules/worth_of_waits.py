"""What a hand that lacks one tile waits for, and what a win on each of these tiles would be worth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import RequestError
from companion.rules import messages
from companion.rules.fields import FIELDS
from companion.rules.kinds import SEATS, Json
from companion.rules.request import ScoreQuestion, check_given, decode_question, find_rules
from companion.rules.rule_set import Payments, RuleSet
from companion.rules.scoring import find_assumed, trace_score, value_before_conversion
from companion.rules.waiting import count_copies_in_play, waits
from companion.rules.win import Source
from companion.sentences import Sentence
from companion.tiles import KINDS, Meld, Suit, Tile, counts

DEFAULT_WINNER = 0
"""The winner's seat where the request names none."""
GIVEN_BY_WIN = frozenset({"winning_tile", "source"})
"""The fields of a request that differ for each wait and source."""
SOURCE_DEPENDENT = frozenset({"situation", "discards", "gambits", "consecutive_kongs"})
"""The fields that may exclude a self-draw or a discard without being wrong."""


@dataclass(frozen=True, slots=True)
class WaitResult:
    """The value and payments of a win on a tile. One that is not legal has a `reason` and the value 0.

    value_in_unit: the value in the game's own unit, where a row turns that into units that are paid.
    """

    value: int
    payments: Payments
    legal: bool
    reason: Sentence | None
    value_in_unit: int | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """A kind that completes the hand. `left`: how many copies are neither in the hand nor in its melds."""

    tile: Tile
    left: int
    self_draw: WaitResult
    discard: WaitResult


@dataclass(frozen=True, slots=True)
class ScoredWaits:
    """All waits of a hand. `winner` is the seat whose hand it is, `discarder` the one that discards.

    assumed: the fields that were left out and change what a win is worth, as in assumed.py, and the seats.
    """

    rules: RuleSet
    winner: int
    discarder: int
    waits: tuple[Wait, ...]
    assumed: Mapping[str, Json]


def value_waits(given: Mapping[str, Any]) -> ScoredWaits:
    """The waits of the hand in `given`, the fields of a request whose `hand` lacks the winning tile.

    `winner` may be left out and is DEFAULT_WINNER then; `from` is who discards, by default the next player
    counterclockwise. Kinds are those of C-15, from whichever player; one that would not win is not legal.
    Raises RequestError if the hand has another number of tiles, or the rest is wrong.
    """
    for name in given:
        if name in GIVEN_BY_WIN:
            raise RequestError(messages.NOT_ASKED, field=name)
    rules = find_rules(given)
    check_given(FIELDS["hand"], given)
    hand = FIELDS["hand"].kind.decode("hand", given["hand"], rules)
    melds = FIELDS["melds"].kind.decode("melds", given.get("melds", []), rules)
    _check_size(rules, hand, melds)
    situation = FIELDS["situation"].kind.decode("situation", given.get("situation", []), rules)
    for id in sorted(situation.intersection(rules.wins_without_tile)):
        raise RequestError(messages.NO_WAIT, field="situation", situation=id)
    wins = _Wins(rules, {"winner": DEFAULT_WINNER, **given}, hand)
    asked = wins.ask_any(melds).request
    assumed: dict[str, Json] = {} if "winner" in given else {"winner": DEFAULT_WINNER}
    if "from" not in given:
        assumed["from"] = wins.discarder
    held = counts([*hand, *(tile for meld in melds for tile in meld.tiles)])
    copies = count_copies_in_play(rules, rules.wild(asked.options, asked.fortune))
    found = []
    for tile in waits(rules, hand, melds, asked.options, asked.fortune):
        left = copies[tile.index] - held[tile.index]
        both = (
            wins.value(tile, assumed)
            if left > 0
            else [_refuse(Sentence(messages.NO_COPY_LEFT, {"tile": tile}))] * 2
        )
        found.append(Wait(tile, max(left, 0), *both))
    return ScoredWaits(rules, wins.winner, wins.discarder, tuple(found), assumed)


def waits_json(found: ScoredWaits) -> Json:
    """The waits as a JSON object. `value` is that of the score; `value_in_unit` is in the game's own unit,
    which differs where a payment table turns fan into units."""
    return {
        "rules": found.rules.name,
        "unit": found.rules.unit,
        "waits": [
            {
                "tile": wait.tile.code,
                "left": wait.left,
                "self_draw": _outcome_json(wait.self_draw),
                "discard": _outcome_json(wait.discard),
            }
            for wait in found.waits
        ],
        "assumed": dict(found.assumed),
    }


def _outcome_json(outcome: WaitResult) -> Json:
    return {
        "value": outcome.value,
        "value_in_unit": outcome.value if outcome.value_in_unit is None else outcome.value_in_unit,
        "payments": list(outcome.payments),
        "legal": outcome.legal,
        "reason": None if outcome.reason is None else str(outcome.reason),
    }


class _Wins:
    """The wins of one hand on each tile, self-drawn and on a discard."""

    def __init__(self, rules: RuleSet, given: Mapping[str, Any], hand: Sequence[Tile]) -> None:
        self._rules, self._given = rules, given
        self._hand = [tile.code for tile in hand]
        self.winner = FIELDS["winner"].kind.decode("winner", given["winner"], rules)
        options = FIELDS["options"].kind.decode("options", given.get("options", {}), rules)
        others = [
            seat for step in SEATS[1:] if (seat := (self.winner + step) % len(SEATS)) in rules.seats(options)
        ]
        self.discarder = given.get("from", others[0])

    def ask(self, tile: Tile, source: Source) -> ScoreQuestion:
        """The win on that tile. Raises RequestError."""
        win = {"hand": [*self._hand, tile.code], "winning_tile": tile.code, "source": source.value}
        return decode_question({**self._given, **win, "from": self.discarder}, alternatives=False)

    def ask_any(self, melds: Iterable[Meld]) -> ScoreQuestion:
        """A win on any tile of the game, to find errors that all wins share. Raises RequestError."""
        held = {
            *self._hand,
            *(tile.code for meld in melds for tile in meld.tiles),
            self._given.get("fortune"),
        }
        kinds = [kind for kind in self._rules.tile_set.kinds if kind.suit is not Suit.FLOWERS]
        tile = next((kind for kind in kinds if kind.code not in held), KINDS[0])
        try:
            return self.ask(tile, Source.SELF_DRAW)
        except RequestError as refusal:
            if refusal.field not in SOURCE_DEPENDENT:
                raise
            try:
                return self.ask(tile, Source.DISCARD)
            except RequestError:
                raise refusal from None

    def value(self, tile: Tile, assumed: dict[str, Json]) -> list[WaitResult]:
        """The outcome of a win on the tile, self-drawn and on a discard; adds to `assumed`."""
        found = []
        for source in (Source.SELF_DRAW, Source.DISCARD):
            try:
                question = self.ask(tile, source)
            except RequestError as refusal:
                found.append(_refuse(refusal.sentence))
                continue
            traced = trace_score(question.request, house_rules=False)
            assumed |= find_assumed(question, traced)
            score = traced.score
            reason = None if score.reason is None else score.reason.sentence
            own = value_before_conversion(
                self._rules, [(line.id, line.value) for line in score.lines], score.value
            )
            found.append(WaitResult(score.value, score.payments, score.legal, reason, own))
        return found


def _refuse(reason: Sentence) -> WaitResult:
    return WaitResult(0, (0, 0, 0, 0), False, reason)


def _check_size(rules: RuleSet, hand: Sequence[Tile], melds: Sequence[Meld]) -> None:
    allowed = rules.hand_size - 3 * len(melds)
    said: dict[str, Any] = {
        "field": "hand",
        "found": len(hand),
        "rules": rules.title,
        "allowed": allowed,
        "melds": len(melds),
    }
    if len(hand) < allowed:
        raise RequestError(messages.TOO_FEW_TO_WAIT, **said, lacking=allowed - len(hand))
    if len(hand) > allowed:
        raise RequestError(messages.TOO_MANY_TO_WAIT, **said, extra=len(hand) - allowed)
