"""Advice: tiles left, and the distance to ready, value, risk and reason of each choice.

`Coach.advise` yields better and better answers, the first immediately; the caller decides when to stop. Each
answer is complete.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from companion.coach import messages
from companion.coach.results import FINISHED, Advice, Advised, Level
from companion.coach.seen import SeatView, is_least, name_left
from companion.coach.value.choices import Branch, find_win, list_branches, make_win
from companion.coach.value.danger import Dangers, deferred_danger_share
from companion.coach.value.judge import HandStatus, HandView, Judge, list_tiles, make_hand_view, remove_tile
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import Memory
from companion.coach.value.valuation import Value, Valuer
from companion.coach.words.reasons import RISKY, Explainer, explain, explain_minimum, explain_risk
from companion.coach.words.wording import format_payment
from companion.errors import InputError, RequestError, quote
from companion.sentences import Sentence
from companion.table.events import AddedKong, Discarded, Event
from companion.table.house import House
from companion.table.state import changed
from companion.table.wins import list_known_melds
from companion.tiles import Meld, Tile, counts


class BestChoice(NamedTuple):
    """What to do, as in `Advised`; error: its value_error."""

    do: Event | None
    then: Tile | None
    value: float
    win_rate: float
    deal_in: float
    error: float = 0.0


class Coach:
    """Advises at one table; it remembers hands between turns: keep one for a whole game."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self._memory = Memory()

    def advise(
        self,
        seen: SeatView,
        level: Level = Level.FULL,
        stop: Callable[[], bool] = lambda: False,
        mind_danger: bool = True,
    ) -> Iterator[Advice]:
        """Answers, each better than the one before, until the best possible or until `stop` returns True.

        InputError if the player has nothing to decide, or holds unknown tiles, except at the level LEFT.
        mind_danger: whether the chance to deal in counts against a choice.
        """
        left, least = name_left(seen), is_least(seen)
        if level is Level.LEFT:
            yield Advice((), left, least)
            return
        outlook, branches = Outlook.of(self._judge, seen, self._memory), list_branches(seen)
        outlook.distances.prepare_discards(*_list_own_discards(seen, branches))
        stood = [(branch, *_find_status(outlook, branch)) for branch in branches]
        pay = find_win(seen)
        shapes = [_advise_shape(branch, then, status) for branch, then, status in stood]
        shapes.sort(key=lambda each: (each.shanten, -each.live))
        win = () if pay is None else (_advise_win(seen, pay),)
        if level is Level.SHAPE and shapes and not win:
            shapes[0] = _add_minimum(outlook, branches, shapes[0])
        yield Advice((*win, *shapes), left, least)
        if level is Level.SHAPE or not stood:
            return
        valuer = Valuer(outlook, seen, branches)
        speaker = Explainer(seen, branches, outlook, valuer.calling)
        dangers = Dangers(seen)
        for values in valuer.values(stop):
            stood = [
                (branch, *_find_status(outlook, branch, value.then))
                for (branch, _, _), value in zip(stood, values, strict=True)
            ]
            risks = [_risk(dangers, branch, then) if mind_danger else (0.0, 0.0) for branch, then, _ in stood]
            worths = _weigh_risks(values, risks, deferred_danger_share(seen))
            full = [
                _advise_full(dangers, *each, value, deal_in, worth)
                for each, value, (deal_in, _), worth in zip(stood, values, risks, worths, strict=True)
            ]
            at = max(range(len(worths)), key=worths.__getitem__)
            if pay is None:
                full[at] = speaker.explain_best(at, full, values, dangers)
            else:
                full = [_admit_passed_win(each, pay) for each in full]
                if worths[at] > pay:
                    full[at] = speaker.add_payment(at, full[at])
            yield Advice(tuple(_put_win_first(win, full)), left, least)

    def assess(self, seen: SeatView) -> tuple[HandStatus, Sentence | None]:
        """The status of a player's hand without a decision, and why the nearest finished hand would not
        win; None if it would."""
        outlook, view = Outlook.of(self._judge, seen, self._memory), make_hand_view(seen)
        status = outlook.distances.assess(view)
        return status, explain_minimum(outlook, bytes(counts(view.concealed)), view.melds, status)

    def decide(self, seen: SeatView, mind_danger: bool = True) -> BestChoice:
        """The choice with the highest value by the first estimate, without wins and sentences: for playing.

        InputError as `advise`.
        """
        branches = list_branches(seen)
        if not branches:
            raise InputError(messages.NOT_DECIDING, seat=seen.seat)
        valuer = Valuer(Outlook.of(self._judge, seen, self._memory), seen, branches)
        [values] = islice(valuer.values(lambda: True), 1)
        dangers = Dangers(seen)
        risks = [
            _risk(dangers, branch, value.then) if mind_danger else (0.0, 0.0)
            for branch, value in zip(branches, values, strict=True)
        ]
        worths = _weigh_risks(values, risks, deferred_danger_share(seen))
        at = max(range(len(worths)), key=worths.__getitem__)
        value, deal_in = values[at], risks[at][0]
        error = (1 - deal_in) * value.error
        return BestChoice(branches[at].do, value.then, worths[at], value.win_rate, deal_in, error)


def _list_own_discards(seen: SeatView, branches: list[Branch]) -> tuple[bytes, tuple[Meld, ...], list[Tile]]:
    """The player's tiles, 42 counts and melds, and which of them may be discarded now."""
    outs = [Tile.parse(do.tile) for do, *_ in branches if isinstance(do, Discarded) and do.tile is not None]
    return bytes(counts(seen.player.concealed)), list_known_melds(seen.player), outs


def _find_status(
    outlook: Outlook, branch: Branch, then: Tile | None = None
) -> tuple[Tile | None, HandStatus]:
    """The status of the hand after the branch and the discard that follows a claim: `then`, or if None
    the one that leaves it nearest to ready."""
    held = branch.held if then is None else remove_tile(branch.held, then)
    view = HandView(list_tiles(held), branch.melds, outlook.left, outlook.fortune)
    if then is not None or not branch.discards:
        return then, outlook.distances.assess(view)
    best = outlook.distances.discards(view, branch.discards)[0]
    return best.discard, best.after


def _add_minimum(outlook: Outlook, branches: list[Branch], best: Advised) -> Advised:
    """The choice with the reason why the nearest finished hand would not win, where it would not."""
    branch = next(each for each in branches if each.do == best.do)
    held = branch.held if best.then is None else remove_tile(branch.held, best.then)
    reason = explain_minimum(outlook, held, branch.melds, HandStatus(best.shanten, best.useful))
    if reason is None:
        return best
    return changed(best, why=Sentence(messages.ALSO, {"why": best.why, "reason": reason}))


def _risk(dangers: Dangers, branch: Branch, then: Tile | None) -> tuple[float, float]:
    """The chance to deal in with the tile that is discarded, or added to a pung, and its mean cost."""
    tile = _find_exposed(branch, then)
    return (0.0, 0.0) if tile is None else dangers.risk(tile)


def _weigh_risks(values: list[Value], risks: list[tuple[float, float]], later: float) -> list[float]:
    """The values of choices after their risks, (chance to deal in, cost).

    later: a dangerous tile that the hand does not need is mostly discarded later: this share of the danger
    saved now is lost then. That tile is the discard that would be best without danger.
    """
    lost = [deal_in * (value.mean + cost) for value, (deal_in, cost) in zip(values, risks, strict=True)]
    plain = max(range(len(values)), key=lambda at: values[at].mean)
    worths = []
    for value, now in zip(values, lost, strict=True):
        saved = max(0.0, lost[plain] - now) if value.continues else 0.0
        worths.append(value.mean - now - later * saved)
    return worths


def _advise_win(seen: SeatView, pay: float) -> Advised:
    return Advised(
        do=make_win(seen), then=None, shanten=FINISHED, useful=(),
        why=Sentence(messages.WIN_NOW, {"value": f"{pay:g}"}),
        value=pay, value_error=0.0, win_rate=1.0, deal_in=0.0,
    )  # fmt: skip


def _admit_passed_win(choice: Advised, pay: float) -> Advised:
    """The choice, with a sentence that it passes up a win of `pay` where it is rated above that.

    Continuing does not always win, so it must pay more where it does.
    """
    worth, error = choice.value or 0.0, choice.value_error or 0.0
    if worth <= pay:
        return choice
    template = messages.WIN_PASSED if worth - pay > error else messages.WIN_PASSED_UNSURE
    shown_value = f"{format_payment(worth)} ± {format_payment(error)}" if error else format_payment(worth)
    percent = round(100 * (choice.win_rate or 0.0))
    params = {"win": f"{pay:g}", "percent": percent, "value": shown_value}
    return changed(choice, why=Sentence(template, params))


def _put_win_first(win: tuple[Advised, ...], choices: list[Advised]) -> list[Advised]:
    """The choices, the best first: a certain win is passed up only for a choice that is worth more by more
    than its error."""

    def rank(each: Advised) -> tuple[float, bool, float]:
        worth, error, pay = each.value or 0.0, each.value_error or 0.0, win[0].value or 0.0
        tied = pay < worth <= pay + error
        return (-pay if tied else -worth, each is not win[0], -worth)

    if not win:
        return sorted(choices, key=lambda each: -(each.value or 0.0))
    return sorted((*win, *choices), key=rank)


def _advise_shape(branch: Branch, then: Tile | None, status: HandStatus) -> Advised:
    return Advised(
        do=branch.do, then=then, shanten=status.shanten, useful=status.useful,
        why=explain(branch, status), self_drawn=status.self_drawn,
    )  # fmt: skip


def _advise_full(
    dangers: Dangers,
    branch: Branch,
    then: Tile | None,
    status: HandStatus,
    value: Value,
    deal_in: float,
    worth: float,
) -> Advised:
    exposed = _find_exposed(branch, then)
    return Advised(
        do=branch.do,
        then=then,
        shanten=status.shanten,
        useful=status.useful,
        why=explain_risk(dangers.seen, exposed, dangers)
        if exposed is not None and deal_in >= RISKY
        else explain(branch, status),
        value=worth,
        value_error=(1 - deal_in) * value.error,
        win_rate=(1 - deal_in) * value.win_rate,
        deal_in=deal_in,
        self_drawn=status.self_drawn,
    )


def _find_exposed(branch: Branch, then: Tile | None) -> Tile | None:
    """The tile that opponents may win on: the discard, or the tile added to a pung, whose kong may be
    robbed."""
    if isinstance(branch.do, Discarded | AddedKong) and branch.do.tile is not None:
        return Tile.parse(branch.do.tile)
    return then


def make_coach(house: House) -> Coach:
    """The coach of one table."""
    return Coach(Judge(house.rules, house.scoring))


def read_level(request: Mapping[str, Any]) -> Level:
    """The level of the request; RequestError where it is not a level."""
    level = request.get("level", Level.FULL.value)
    if level not in list(Level):
        raise RequestError(messages.WRONG_TYPE, field="level", allowed=" or ".join(Level), value=quote(level))
    return Level(level)
