"""Why a choice is best, as one sentence: what it pays or risks more, why a tile is dangerous or safe, and why
the rules refuse a hand of a winning shape.
"""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from companion.coach import messages
from companion.coach.seen import SeatView, count_left
from companion.coach.value.aims import Aim
from companion.coach.value.choices import Branch, find_win, score_win
from companion.coach.value.danger import (
    DISCARDED,
    FLUSH_MELDS,
    LET_PASS,
    Dangers,
    find_flush_premium,
    read_signs,
)
from companion.coach.value.distances import HONORS, RANKS, Sets
from companion.coach.value.judge import HandStatus, HandView, put_in, remove_tile
from companion.coach.value.outlook import Outlook
from companion.coach.value.payoff import CALLS
from companion.coach.value.ready import PAY_TOLERANCE, Calling
from companion.coach.value.valuation import Value, count_kong_points
from companion.coach.words.goals import Goal, Goals
from companion.coach.words.wording import describe_chance, format_payment
from companion.rules import Source
from companion.sentences import Sentence
from companion.table.events import Claimed, Discarded, ReadyDeclared
from companion.table.state import changed
from companion.table.wins import list_known_melds
from companion.tiles import KINDS, Meld, MeldKind, Suit, Tile

if TYPE_CHECKING:
    from companion.coach.results import Advised

READY, PAIR = 0, 2
MINIMUM_MOST_AWAY = 2
"""A hand that is farther from a winning shape is not scored in it."""


def explain_minimum(
    outlook: Outlook, held: bytes, melds: tuple[Meld, ...], status: HandStatus
) -> Sentence | None:
    """Why the nearest finished hand would not win, and what would do; of a ready hand, why a tile that
    completes it does not win. None if it does.

    held: 42 counts of a hand between turns with that status.
    """
    if not outlook.distances.may_refuse(held, melds):
        return None
    tiles = tuple([kind for kind, count in zip(KINDS, held, strict=False) for _ in range(count)])
    if status.shanten <= READY:
        return _explain_wait(outlook, held, tiles, melds, [kind.tile for kind in status.useful])
    shape = outlook.judge.shanten(HandView(tiles, melds, outlook.left, outlook.fortune))
    if shape > MINIMUM_MOST_AWAY or (shape >= status.shanten and status.useful):
        return None
    finished = _finish_by_shape(outlook, held, tiles, melds)
    if finished is None:
        return None
    reason = outlook.payoff.score(*finished, Source.SELF_DRAW).reason
    if reason is None:
        return None
    template = messages.NO_TILE_WINS if shape == READY else messages.NEAREST_REFUSED
    why = Sentence(template, {"reason": reason.sentence})
    would_do = _name_nearest(outlook, held, melds)
    return why if would_do is None else Sentence(messages.ALSO, {"why": why, "reason": would_do})


def _explain_wait(
    outlook: Outlook, held: bytes, tiles: tuple[Tile, ...], melds: tuple[Meld, ...], useful: list[Tile]
) -> Sentence | None:
    """Why a tile that completes a ready hand is not useful."""
    for tile in outlook.list_waits(held, melds):
        if outlook.left[tile.index] and tile not in useful:
            reason = outlook.payoff.score(put_in(held, tile), melds, tile, Source.SELF_DRAW).reason
            if reason is not None:
                return Sentence(messages.REFUSED_ALONE, {"tile": tile.code, "reason": reason.sentence})
    return None


def _finish_by_shape(
    outlook: Outlook, held: bytes, tiles: tuple[Tile, ...], melds: tuple[Meld, ...]
) -> tuple[bytes, tuple[Meld, ...], Tile] | None:
    """The nearest finished hand, whatever it is worth, and its last tile."""
    for tile in outlook.list_waits(held, melds):
        if outlook.left[tile.index]:
            return put_in(held, tile), melds, tile
    pricer = outlook.make_pricer(outlook.make_hand(held, melds), melds)
    whole = next(iter(pricer.price(Aim(), 1).concealed), None)
    if whole is None:
        return None
    last = next((at for at, count in enumerate(whole) if count > held[at]), None)
    return None if last is None else (whole, melds, KINDS[last])


def _name_nearest(outlook: Outlook, held: bytes, melds: tuple[Meld, ...]) -> Sentence | None:
    """What the nearest winning hands are; None if no short sentence describes them."""
    near = outlook.distances.measure_aims(held, melds, None).winning
    single = [aim.honors[0] for aim in near if aim == Aim(honors=aim.honors[:1])]
    if single:
        template = messages.PUNG_DOES if len(single) == 1 else messages.ANY_PUNG_DOES
        return Sentence(template, {"tiles": _list_honors(single)})
    pairs = [aim.honors for aim in near if aim == Aim(honors=aim.honors[:2])]
    kinds = sorted({rank for pair in pairs for rank in pair})
    if len(kinds) > PAIR and len(pairs) == comb(len(kinds), PAIR):
        return Sentence(messages.TWO_PUNGS_DO, {"tiles": _list_honors(kinds)})
    for aim in near:
        if aim == Aim(honors=aim.honors):
            return Sentence(messages.PUNGS_DO, {"tiles": _list_honors([*aim.honors])})
        if aim.shape is None and aim.sets is not Sets.ANY and not aim.honors:
            return Sentence(messages.SETS_DO[aim.sets is Sets.CHOWS])
        if aim.shape is None and len({*aim.suits} - {HONORS}) == 1 and not aim.honors:
            return Sentence(messages.SUIT_DOES[HONORS in aim.suits])
    return None


def _list_honors(ranks: list[int]) -> str:
    return " ".join(KINDS[HONORS * RANKS + rank].code for rank in ranks)


LATE_STAGE = 3
"""The fifth of the wall, counted from 0, from which it is late."""
COPIES = 4
MENTIONED_COPIES = 3
"""Minimum number of visible copies that the sentence mentions."""


def explain_risk(seen: SeatView, tile: Tile, dangers: Dangers | None = None) -> Sentence:
    """Why that kind is dangerous: the sign of the opponent most likely to win on it."""
    dangers = dangers or Dangers(seen)
    seat = _find_threat(seen, tile, dangers)
    signs = read_signs(seen, tile, seat)
    often = {"often": describe_chance(dangers.risk(tile)[0]), "seat": seat}
    if signs.ready:
        return Sentence(messages.RISK_READY, often)
    if signs.flush_melds and find_flush_premium(seen.state.house) > 1:
        return Sentence(messages.RISK_COLLECTS, often)
    if signs.melds >= FLUSH_MELDS:
        melds = seen.hand.players[seat].melds
        claimed = sum(each.kind is not MeldKind.KONG_CONCEALED for each in melds)
        return Sentence(messages.RISK_MELDS, {**often, "melds": claimed})
    unseen = max(0, COPIES - signs.visible)
    if not unseen and tile.suit is not Suit.HONORS:
        return Sentence(messages.RISK_CHOW, often)
    template = messages.RISK_LATE if signs.stage >= LATE_STAGE else messages.RISK_UNSEEN
    return Sentence(template, {**often, "count": unseen})


def explain_safety(seen: SeatView, tile: Tile, dangers: Dangers | None = None) -> Sentence | None:
    """Why that kind is safer than others, from what is visible; None if nothing visible shows it."""
    seat = _find_threat(seen, None, dangers or Dangers(seen))
    passed = read_signs(seen, tile, seat).passed
    params = {"seat": seat, "tile": tile.code}
    if passed == LET_PASS:
        return Sentence(messages.SAFE_PASSED, params)
    if passed == DISCARDED:
        return Sentence(messages.SAFE_DISCARDED, params)
    if passed:
        return Sentence(messages.SAFE_ROUND, params)
    visible = seen.hand.known[tile.index]
    if not count_left(seen)[tile.index]:
        return Sentence(messages.SAFE_GONE)
    blocks = _find_block(seen, tile)
    if blocks:
        return Sentence(messages.SAFE_BLOCKED, {"tiles": " ".join(kind.code for kind in blocks)})
    if visible >= MENTIONED_COPIES:
        return Sentence(messages.SAFE_SEEN)
    return None


def _find_threat(seen: SeatView, tile: Tile | None, dangers: Dangers) -> int:
    """The seat most likely to win on the tile; None: on the kinds that the player holds."""
    kinds = [tile] if tile is not None else sorted(set(seen.player.concealed))
    others = [seat for seat in seen.state.house.seats if seat != seen.seat]
    return max(others, key=lambda seat: sum(dangers.predict(kind, seat)[0] for kind in kinds))


def _find_block(seen: SeatView, tile: Tile) -> list[Tile]:
    """The kinds that are all gone, so that no chow takes the tile; none if a chow may, or it is an
    honour."""
    if tile.suit is Suit.HONORS:
        return []
    left = count_left(seen)
    gone = {step: not left[tile.index + step] for step in (-2, -1, 1, 2) if 1 <= tile.rank + step <= RANKS}
    for low, high in ((-2, -1), (-1, 1), (1, 2)):
        if low in gone and high in gone and not gone[low] and not gone[high]:
            return []
    return [KINDS[tile.index + step] for step, none in gone.items() if none]


RISKY = 0.05
"""Minimum chance of dealing in at which the sentence is about it."""
MIN_DANGER_DIFFERENCE = 0.02
"""Chances to deal in that differ by less count as equal."""
FASTER_RATIO = 1.1
"""A hand as near to ready is called faster from this ratio of useful tiles."""
MIN_PAY_RATIO = 1.15
"""Mention the higher payment only from this ratio."""
SHORT_SUIT_MOST_AWAY = 1
"""Maximum distance from ready at which the sentence mentions the missing tiles of one suit, if the game
requires them."""


def explain(branch: Branch, status: HandStatus) -> Sentence:
    """The status of the hand after the choice."""
    count = status.live
    tiles = " ".join(kind.tile.code for kind in status.useful)
    passes = branch.do is None
    if not count:
        return Sentence(messages.PASS_NOTHING_LEFT if passes else messages.NOTHING_LEFT)
    if status.shanten <= 0:
        return explain_ready(status, passes=passes)
    nearer = messages.PASS if passes else messages.NEARER
    return Sentence(nearer, {"away": status.shanten, "count": count, "tiles": tiles})


def explain_ready(status: HandStatus, *, passes: bool = False) -> Sentence:
    """What a ready hand waits for, and what wins only self-drawn. passes: the tile on offer is left."""
    drawn, tiles = status.self_drawn, " ".join(kind.tile.code for kind in status.useful)
    ready = messages.PASS_READY if passes else messages.READY
    if len(drawn) == len(status.useful):
        ready = messages.PASS_READY_DRAWN if passes else messages.READY_DRAWN
    why = Sentence(ready, {"count": status.live, "tiles": tiles})
    if not drawn or len(drawn) == len(status.useful):
        return why
    return Sentence(messages.PARTLY_DRAWN, {"why": why, "tiles": " ".join(tile.code for tile in drawn)})


class Explainer:
    """Explains the best choice of one position among `branches`, which have the order of the choices."""

    def __init__(
        self, seen: SeatView, branches: list[Branch], outlook: Outlook, calling: Calling | None = None
    ) -> None:
        self._seen, self._branches = seen, branches
        won = score_win(seen)
        self._had = frozenset(() if won is None else [line.id for line in won.lines])
        self._outlook, self._calling = outlook, calling
        self._goals = self._make_goals(outlook)
        self._goals_of: dict[str, Goals] = {CALLS: self._goals}
        self._found: dict[tuple[int, Tile | None, bool], Goal | None] = {}

    def explain_best(self, at: int, choices: list[Advised], values: list[Value], dangers: Dangers) -> Advised:
        """The choice `at`, the best, with a sentence in its favour; a danger comes after that."""
        best, value = choices[at], values[at]
        least = min(choice.deal_in or 0.0 for choice in choices)
        refused, paid = self._find_refused(), count_kong_points(self._seen, best.do)
        out = _find_discard(best)
        given_up = best.shanten > 0 and not value.continues and best.deal_in == least
        if given_up and (out is not None or (best.do is None and refused is None)):
            why = Sentence(messages.SAFEST if out is not None else messages.SAFEST_PASS)
            safety = None if out is None else explain_safety(self._seen, out, dangers)
            for reason in (safety, self._explain_minimum(at, best)):
                if reason is not None:
                    why = Sentence(messages.ALSO, {"why": why, "reason": reason})
        elif refused is not None:
            why = self._explain_refused(at, best)
        elif paid > 0:
            why = explain(self._branches[at], HandStatus(best.shanten, best.useful))
        else:
            why = self._explain_call(at, best, self._give_reason(at, choices, value))
        if paid > 0:
            at_once = Sentence(messages.KONG_PAID, {"count": paid})
            why = Sentence(messages.ALSO, {"why": why, "reason": at_once})
        if refused is not None:
            why = Sentence(messages.REFUSED, {"tile": refused[0].code, "reason": refused[1], "why": why})
        risky = (best.deal_in or 0.0) >= RISKY
        return changed(best, why=Sentence(messages.BUT, {"why": why, "risk": best.why}) if risky else why)

    def add_payment(self, at: int, choice: Advised) -> Advised:
        """The choice, which passes up a win, with the higher payment, by a row that the win does not have."""
        goal = self._find_goal(at, choice, expensive=False)
        if goal is None:
            return choice
        if goal.row:
            why = Sentence(
                messages.PAYS, {"why": choice.why, "row": goal.row, "pays": _describe_payment(goal)}
            )
        else:
            why = Sentence(messages.GOAL_PAYS, {"why": choice.why, "pays": _describe_payment(goal)})
        return changed(choice, why=why)

    def _explain_refused(self, at: int, best: Advised) -> Sentence:
        """What is done with the tile that does not win; a claim that leads to no win on a discard is
        described as such."""
        why = explain(self._branches[at], HandStatus(best.shanten, best.useful))
        goal = None
        if best.do is not None and best.shanten <= 0:
            goal = self._find_goal(at, best, expensive=False)
        if goal is None or goal.taken:
            return why
        return Sentence(messages.GOAL_PAYS, {"why": why, "pays": _describe_payment(goal)})

    def _give_reason(self, at: int, choices: list[Advised], value: Value) -> Sentence:
        branch, best = self._branches[at], choices[at]
        status = HandStatus(best.shanten, best.useful, best.self_drawn)
        goal = self._find_goal(at, best, expensive=value.expensive)
        why = explain(branch, status)
        minimum = self._explain_minimum(at, best)
        if minimum is not None:
            return Sentence(messages.ALSO, {"why": why, "reason": minimum})
        if goal is not None and goal.row and set(goal.status.useful) != set(status.useful):
            params = {"away": goal.status.shanten, "row": goal.row}
            tiles = " ".join(kind.tile.code for kind in goal.status.useful)
            why = Sentence(messages.GOAL, {**params, "count": goal.status.live, "tiles": tiles})
        if not best.useful:
            return why
        if goal is not None and goal.refused is not None and best.shanten <= 0:
            why = explain(branch, HandStatus(best.shanten, best.useful))
            return Sentence(messages.NOT_ON_DISCARD, {"why": why, "reason": goal.refused})
        faster = min(range(len(choices)), key=lambda each: (choices[each].shanten, -choices[each].live))
        if _is_faster(choices[faster], best):
            compared = self._compare(why, best, goal, faster, choices[faster])
            if compared is not None:
                return compared
        if 0 < best.shanten <= SHORT_SUIT_MOST_AWAY:
            short = self._goals.explain_short_suit(*self._hold(at, best))
            if short is not None:
                return Sentence(messages.ALSO, {"why": why, "reason": short})
        if goal is not None and goal.row:
            template = messages.GOAL_PAYS if why.template == messages.GOAL else messages.PAYS
            return Sentence(template, {"why": why, "row": goal.row, "pays": _describe_payment(goal)})
        return why

    def _explain_minimum(self, at: int, choice: Advised) -> Sentence | None:
        """Why the nearest finished hand would not win, where it would not."""
        held, melds = self._hold(at, choice)
        return explain_minimum(self._outlook, held, melds, HandStatus(choice.shanten, choice.useful))

    def _compare(
        self, why: Sentence, best: Advised, goal: Goal | None, faster: int, other: Advised
    ) -> Sentence | None:
        """What favours the best choice over a faster one; None if nothing short does."""
        out = other.do.tile if isinstance(other.do, Discarded) else None
        params: dict[str, object] = {"why": why, "tile": out, "tiles_then": _describe_speed(other, best)}
        less = self._find_goal(faster, other, expensive=False)
        if goal is not None and less is not None and _pays_more(goal, less):
            of_row = goal.row not in ("", less.row) and why.template != messages.GOAL
            if isinstance(other.do, Claimed):
                template = messages.FASTER_CLAIM if of_row else messages.PAYS_MORE_THAN_CLAIM
            elif other.do is None:
                template = messages.FASTER_PASS if of_row else messages.PAYS_MORE_THAN_PASS
            elif out is not None:
                template = messages.FASTER if of_row else messages.PAYS_MORE
            else:
                return None
            named = of_row or why.template == messages.GOAL
            pays = {
                "row": goal.row,
                "pays": _describe_payment(goal if named else goal._replace(row_only_drawn=False)),
                "less": _describe_payment(less._replace(row_only_drawn=False)),
            }
            return Sentence(template, params | pays)
        danger = other.deal_in or 0.0
        if out is not None and danger >= RISKY and danger > (best.deal_in or 0.0) + MIN_DANGER_DIFFERENCE:
            return Sentence(messages.SAFER, params | {"often": describe_chance(danger)})
        return None

    def _find_goal(self, at: int, choice: Advised, *, expensive: bool) -> Goal | None:
        key = at, choice.then, expensive
        if key not in self._found:
            held, melds = self._hold(at, choice)
            status = HandStatus(choice.shanten, choice.useful)
            far = isinstance(choice.do, Claimed)
            goals = self._find_goals(choice)
            self._found[key] = goals.find(held, melds, status, expensive=expensive, far=far)
        return self._found[key]

    def _make_goals(self, outlook: Outlook) -> Goals:
        melds = list_known_melds(self._seen.player)
        return Goals(outlook, melds, self._had, claims=self._seen.hand.offer is not None)

    def _find_goals(self, choice: Advised) -> Goals:
        """By the payment of a ready hand after a call, or in silence, after a discard; other hands call
        later."""
        situation = self._find_situation(choice)
        if situation not in self._goals_of:
            assert self._calling is not None
            payoff = self._calling.find_payoff(situation)
            self._goals_of[situation] = self._make_goals(self._outlook._replace(payoff=payoff))
        return self._goals_of[situation]

    def _find_situation(self, choice: Advised) -> str:
        if self._calling is None or self._seen.player.ready or choice.shanten > 0:
            return CALLS
        if isinstance(choice.do, ReadyDeclared) and choice.then is not None:
            return self._calling.find_situation(choice.then)
        return "" if isinstance(choice.do, Discarded) else CALLS

    def _explain_call(self, at: int, best: Advised, why: Sentence) -> Sentence:
        """With the effect of the call of ready that is best, or why it is not best, where it is possible."""
        calls = [branch for branch in self._branches if isinstance(branch.do, ReadyDeclared)]
        ends = not self._outlook.chances.draws
        if self._calling is None or not calls or best.shanten > 0 or not best.useful or ends:
            return why
        held, melds = self._hold(at, best)
        if isinstance(best.do, ReadyDeclared):
            bonus = self._calling.find_bonus(held, melds, self._find_situation(best))
            if bonus <= 0:
                return why
            count = round(bonus) if abs(bonus - round(bonus)) < PAY_TOLERANCE else format_payment(bonus)
            return Sentence(messages.CALLED, {"why": why, "count": count})
        if not isinstance(best.do, Discarded):
            return why
        silence = self._calling.explain_silence(held, melds)
        return Sentence(silence.template, {"why": why, "count": silence.widens})

    def _hold(self, at: int, choice: Advised) -> tuple[bytes, tuple[Meld, ...]]:
        """The concealed tiles, as 42 counts, and the melds after the choice."""
        branch = self._branches[at]
        return branch.held if choice.then is None else remove_tile(branch.held, choice.then), branch.melds

    def _find_refused(self) -> tuple[Tile, Sentence] | None:
        """The tile that completes the hand, and why it does not win; None if no tile does, or it wins."""
        seen = self._seen
        offer = seen.hand.offer
        if offer is None or offer.tile is None or find_win(seen) is not None:
            return None
        passed = next((branch for branch in self._branches if branch.do is None), None)
        if passed is None:
            return None
        reason = self._goals.explain_refusal(passed.held, passed.melds, offer.tile, Source.DISCARD)
        return None if reason is None else (offer.tile, reason)


def _pays_more(goal: Goal, less: Goal) -> bool:
    """Whether it pays more, both on the average and in the amounts shown."""
    shown, other = goal.drawn + goal.taken, less.drawn + less.taken
    return goal.mean > MIN_PAY_RATIO * less.mean and shown > MIN_PAY_RATIO * other


def _describe_speed(other: Advised, best: Advised) -> Sentence:
    """By how many tiles a choice is faster, and its distance where that is smaller."""
    params = {"count": other.live, "away": other.shanten}
    if other.shanten == best.shanten:
        return Sentence(messages.BY_TILES, params)
    return Sentence(messages.BY_AWAY if other.shanten > 0 else messages.BY_READY, params)


def _describe_payment(goal: Goal) -> Sentence:
    """The payment. For a goal that is `row_only_drawn` the row is named before."""
    drawn, taken = format_payment(goal.drawn), format_payment(goal.taken)
    if not goal.taken:
        return Sentence(messages.SELF_DRAWN, {"drawn": drawn})
    if not goal.row_only_drawn and (not goal.drawn or drawn == taken):
        return Sentence(messages.ANY_WAY, {"value": taken})
    template = messages.APART if goal.row_only_drawn else messages.BOTH_WAYS
    return Sentence(template, {"drawn": drawn, "taken": taken})


def _find_discard(choice: Advised) -> Tile | None:
    if isinstance(choice.do, Discarded) and choice.do.tile is not None:
        return Tile.parse(choice.do.tile)
    return choice.then


def _is_faster(one: Advised, other: Advised) -> bool:
    """Whether a choice is nearer to ready, or as near with more useful tiles."""
    if one.shanten != other.shanten:
        return one.shanten < other.shanten
    return one.live > FASTER_RATIO * other.live
