"""The coach's results in any language: tiles by their names, seats by their players, payments and chances."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from companion.coach import messages
from companion.coach.results import Advised, Grade, RatedDecision
from companion.rules import RULE_SETS
from companion.sentences import Sentence, msgid, write_number
from companion.table.events import AddedKong, Claimed, ConcealedKong, Discarded, ReadyDeclared, Won
from companion.table.state import State
from companion.tiles import BACK, parse_meld
from companion.words import Language, Words
from companion.words.filling import SEAT_NAMES
from companion.words.tile_names import CODES, SUITS, name_tile

NEARLY_NEVER = 0.005
"""Chances below this are shown as less than one per cent."""
WHOLE_FROM = 20
"""Payments of this size and more are shown without tenths."""


def format_payment(payment: float) -> str:
    """A payment, or a cost: whole where it is large, without a tenth of 0."""
    if abs(payment) >= WHOLE_FROM:
        return write_number(payment)
    return write_number(payment, places=1).removesuffix(".0")


def format_cost(cost: float) -> str:
    """A cost in points: whole where it is large, else with its tenths."""
    return write_number(cost, places=int(abs(cost) < WHOLE_FROM))


def describe_chance(chance: float) -> Sentence:
    """A chance in words, as the parameter `often` of the coach's sentences."""
    if chance < NEARLY_NEVER:
        return Sentence(messages.LESS_THAN_ONE)
    return Sentence(messages.ABOUT, {"percent": round(100 * chance)})


def round_percent(chance: float) -> str:
    """A chance in percent: a very small one is not shown as 0."""
    return "<1" if chance < NEARLY_NEVER else str(round(100 * chance))


MARKS = {Grade.BEST: "●", Grade.FINE: "○", Grade.INEXACT: "?!", Grade.POOR: "?", Grade.BLUNDER: "??"}
"""Marks of grades, as chess players write them: a grade does not depend on its colour alone."""
LISTED_MAX = 6
LONG_RUN = 4
KONG = msgid("Kong")
THEN_DISCARD = msgid("{act}, then discard: {tile}")
THEN_DISCARDED = msgid("Called ready, then discarded {tile}")
CLAIMS = {"c": msgid("Chow"), "p": msgid("Pung")}
AT_MOST = msgid("upper limit: some open tiles are unknown")


def name_seats(state: State, words: Words) -> tuple[str, ...]:
    """The names of the players, by seat."""
    names = (state.names[person] for person in state.seated)
    return tuple(name or words(seat) for name, seat in zip(names, SEAT_NAMES, strict=True))


def name_around(state: State, seat: int, words: Words) -> tuple[str, ...]:
    """As `name_seats`, for a reader in that seat."""
    names = [state.names[person] for person in state.seated]
    return tuple(
        names[other] if names[other] and other != seat else words(SEAT_NAMES[(other - seat) % len(names)])
        for other in range(len(names))
    )


def name_people(names: Sequence[str], words: Words) -> tuple[str, ...]:
    """The names of the players, as numbered at the start of the game."""
    return tuple(name or words(seat) for name, seat in zip(names, SEAT_NAMES, strict=True))


def phrase(sentence: Sentence, words: Words, names: Sequence[str] = SEAT_NAMES) -> str:
    """A sentence of the coach in a language. names: of the seats."""
    return words.say(_put_names(sentence, words, names))


def _put_names(sentence: Sentence, words: Words, names: Sequence[str]) -> Sentence:
    params: dict[str, object] = dict(sentence.params)
    for key, value in sentence.params.items():
        if isinstance(value, Sentence):
            params[key] = _put_names(value, words, names)
        elif key == "seat" and isinstance(value, int):
            params[key] = words(names[value])
        elif key == "tiles":
            params[key] = _list_names(str(value).split(), words)
        elif key == "row":
            params[key] = name_row(str(value), words)
    return Sentence(sentence.template, params)


def _list_names(codes: Sequence[str], words: Words) -> str:
    """The names of kinds, those of a suit together; the first few of many."""
    named: list[str] = []
    for suit, group in groupby(codes, key=lambda code: code[-1]):
        kinds = list(group)
        if suit not in SUITS or len(kinds) == 1:
            named += [words.say(name_tile(code)) if code in CODES else code for code in kinds]
        else:
            ranks = [int(code[0]) for code in kinds]
            rank = _join_ranks(ranks) if words.language is Language.ENGLISH else "-".join(map(str, ranks))
            named.append(words.say(Sentence(SUITS[suit], {"rank": rank})))
    return words.join(named[:LISTED_MAX]) + (" …" if len(named) > LISTED_MAX else "")


def _join_ranks(ranks: list[int]) -> str:
    """As 1, 4 and 7; four or more that follow each other as 1–5."""
    parts: list[str] = []
    for _, group in groupby(enumerate(ranks), key=lambda each: each[1] - each[0]):
        run = [rank for _, rank in group]
        parts += [f"{run[0]}–{run[-1]}"] if len(run) >= LONG_RUN else map(str, run)
    return " and ".join((", ".join(parts[:-1]), parts[-1])) if len(parts) > 1 else parts[0]


def name_row(name: str, words: Words) -> str:
    """The name of a row of any game in that language."""
    for rules in RULE_SETS.values():
        for row in rules.rows:
            if row.name == name:
                return words.both(row.name, row.name_zh)[0]
    return name


def name_action(choice: Advised, words: Words) -> str:
    """A choice in a word or two; its tiles are drawn next to it."""
    match choice.do:
        case None:
            return words("Pass")
        case Won():
            return words("Win!")
        case Discarded():
            return words("Discard it")
        case ConcealedKong() | AddedKong():
            return words(KONG)
        case ReadyDeclared():
            return words("Call ready")
        case Claimed(meld=meld):
            return words(CLAIMS.get(meld[:1], KONG))
    return ""


def describe_action(choice: Advised, words: Words) -> str:
    """A choice, with its tile by name; empty for a pass: its sentence contains it."""
    if choice.do is None:
        return ""
    act, tiles = name_action(choice, words), list_action_tiles(choice)
    if isinstance(choice.do, Discarded) and tiles:
        return words("Discard {tile}", tile=tiles[0])
    if isinstance(choice.do, ConcealedKong | AddedKong) and tiles:
        return words("Kong of {tile}", tile=tiles[0])
    if choice.then is not None:
        return words(THEN_DISCARD, act=act, tile=choice.then)
    return act


def describe_choice(choice: Advised, words: Words) -> str:
    """A choice, with each of its tiles by name, if none is drawn next to it."""
    if not isinstance(choice.do, Claimed):
        return describe_action(choice, words) or name_action(choice, words)
    kinds = tuple(dict.fromkeys(list_action_tiles(choice)))
    act = words("{act} of {tiles}", act=name_action(choice, words), tiles=_list_names(kinds, words))
    return act if choice.then is None else words(THEN_DISCARD, act=act, tile=choice.then)


def describe_best(choice: Advised, reason: str, words: Words) -> str:
    """The best choice, and why; the sentence of a win contains both."""
    if isinstance(choice.do, Claimed):  # of two chows that are offered it is this one
        act = describe_choice(choice, words)
    else:
        act = "" if isinstance(choice.do, Won) else describe_action(choice, words)
    return words("{act}. {said}", act=act, said=reason) if act else reason


def list_action_tiles(choice: Advised) -> tuple[str, ...]:
    """The tiles of a choice, to be drawn."""
    match choice.do:
        case Discarded(tile=code) | ConcealedKong(tile=code) | AddedKong(tile=code):
            return (code,) if code else ()
        case Claimed(meld=meld):
            return tuple(tile.code for tile in parse_meld(meld).tiles)
    return ()


def describe_grade(decision: RatedDecision, words: Words) -> str:
    """The grade of a decision, and its cost."""
    if not decision.is_rated:
        return words("Deals in: {percent}%", percent=round_percent(decision.deal_in))
    grade = words(decision.grade.value)
    if not decision.cost:
        return grade
    return words("{grade}: cost {cost} points", grade=grade, cost=format_cost(decision.cost))


def describe_decision(decision: RatedDecision, words: Words) -> str:
    """What the player did, with the tile by name."""
    tile = BACK if decision.tile is None else decision.tile.code
    match decision.did:
        case Discarded():
            return words("Discarded {tile}", tile=tile)
        case ConcealedKong() | AddedKong():
            return words("Kong of {tile}", tile=tile)
        case ReadyDeclared():
            return words(THEN_DISCARDED, tile=tile)
        case Claimed(meld=meld):
            act = words(CLAIMS.get(meld[:1], KONG))
            return words("{act} with {tile}", act=act, tile=tile)
    return words("Passed on {tile}", tile=tile)
