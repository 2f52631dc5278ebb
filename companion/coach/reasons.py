"""The sentence of a choice: how near it leaves the hand, and of the best one why it is that.

One reason stands beside the distance: what the rules refuse, what the choice is paid more for than a faster
one, what a faster one would risk, or the row that it is played for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.coach import messages
from companion.coach.amounts import format_payment, round_percent
from companion.coach.calling import Calling
from companion.coach.choices import Branch, find_win, score_win
from companion.coach.danger import Dangers
from companion.coach.goals import Goal, Goals
from companion.coach.held_tiles import take_out
from companion.coach.kong_pay import book_kong
from companion.coach.outlook import Outlook
from companion.coach.payoff import CALLS
from companion.coach.ready import SAME
from companion.coach.refusal_words import explain_minimum
from companion.coach.risk_words import explain_safety
from companion.coach.seen import Seen
from companion.coach.valuing import Value
from companion.coach.views import Standing
from companion.rules import Source
from companion.sentences import Sentence
from companion.table.events import Claimed, Discarded, ReadyDeclared
from companion.table.state import changed
from companion.table.wins import list_known_melds
from companion.tiles import Meld, Tile

if TYPE_CHECKING:
    from companion.coach.advice import Advised

RISKY = 0.05
"""From this chance to deal in on, it is what the sentence is about."""
SAFER = 0.02
"""Chances to deal in that differ by less are taken for the same."""
MORE_TILES = 1.1
"""From so many times as many useful tiles on, a hand as near to ready is said to be faster."""
DEARER = 1.15
"""From so many times as much on, a win is said to be paid more."""
NEAR = 1
"""So near to ready it is said what the hand lacks of one suit, where the game asks for that."""


def explain(branch: Branch, standing: Standing) -> Sentence:
    """How the choice leaves the hand."""
    count = standing.live
    tiles = " ".join(kind.tile.code for kind in standing.useful)
    passes = branch.do is None
    if not count:
        return Sentence(messages.PASS_NOTHING_LEFT if passes else messages.NOTHING_LEFT)
    if standing.shanten <= 0:
        return explain_ready(standing, passes=passes)
    nearer = messages.PASS if passes else messages.NEARER
    return Sentence(nearer, {"away": standing.shanten, "count": count, "tiles": tiles})


def explain_ready(standing: Standing, *, passes: bool = False) -> Sentence:
    """What a ready hand waits for, and what wins self-drawn alone. passes: the tile on offer is left."""
    drawn, tiles = standing.self_drawn, " ".join(kind.tile.code for kind in standing.useful)
    ready = messages.PASS_READY if passes else messages.READY
    if len(drawn) == len(standing.useful):
        ready = messages.PASS_READY_DRAWN if passes else messages.READY_DRAWN
    why = Sentence(ready, {"count": standing.live, "tiles": tiles})
    if not drawn or len(drawn) == len(standing.useful):
        return why
    return Sentence(messages.PARTLY_DRAWN, {"why": why, "tiles": " ".join(tile.code for tile in drawn)})


class Speaker:
    """Speaks for the best of the choices of one position: `branches`, as they will be given."""

    def __init__(
        self, seen: Seen, branches: list[Branch], outlook: Outlook, calling: Calling | None = None
    ) -> None:
        self._seen, self._branches = seen, branches
        won = score_win(seen)
        self._had = frozenset(() if won is None else [line.id for line in won.lines])
        self._outlook, self._calling = outlook, calling
        self._goals = self._make_goals(outlook)
        self._goals_of: dict[str, Goals] = {CALLS: self._goals}
        self._found: dict[tuple[int, Tile | None, bool], Goal | None] = {}

    def speak_for(self, at: int, choices: list[Advised], values: list[Value], dangers: Dangers) -> Advised:
        """The choice `at`, the best, with a sentence that speaks for it; a danger comes after that."""
        best, value = choices[at], values[at]
        least = min(choice.deal_in or 0.0 for choice in choices)
        refused, paid = self._find_refused(), book_kong(self._seen, best.do)
        out = _find_discard(best)
        given_up = best.shanten > 0 and not value.goes_on and best.deal_in == least
        if given_up and (out is not None or (best.do is None and refused is None)):
            why = Sentence(messages.SAFEST if out is not None else messages.SAFEST_PASS)
            safety = None if out is None else explain_safety(self._seen, out, dangers)
            for reason in (safety, self._explain_minimum(at, best)):
                if reason is not None:
                    why = Sentence(messages.ALSO, {"why": why, "reason": reason})
        elif refused is not None:
            why = self._explain_refused(at, best)
        elif paid > 0:
            why = explain(self._branches[at], Standing(best.shanten, best.useful))
        else:
            why = self._speak_of_call(at, best, self._give_reason(at, choices, value))
        if paid > 0:
            at_once = Sentence(messages.KONG_PAID, {"count": paid})
            why = Sentence(messages.ALSO, {"why": why, "reason": at_once})
        if refused is not None:
            why = Sentence(messages.REFUSED, {"tile": refused[0].code, "reason": refused[1], "why": why})
        risky = (best.deal_in or 0.0) >= RISKY
        return changed(best, why=Sentence(messages.BUT, {"why": why, "risk": best.why}) if risky else why)

    def add_pays(self, at: int, choice: Advised) -> Advised:
        """The choice, which passes up a win, with what it pays more for, by a row that the win has not."""
        goal = self._find_goal(at, choice, dear=False)
        if goal is None:
            return choice
        if goal.row:
            said = Sentence(messages.PAYS, {"why": choice.why, "row": goal.row, "pays": _say_pays(goal)})
        else:
            said = Sentence(messages.GOAL_PAYS, {"why": choice.why, "pays": _say_pays(goal)})
        return changed(choice, why=said)

    def _explain_refused(self, at: int, best: Advised) -> Sentence:
        """What is done with the tile that does not win; a claim that leads to no win on a discard says so."""
        why = explain(self._branches[at], Standing(best.shanten, best.useful))
        goal = None
        if best.do is not None and best.shanten <= 0:
            goal = self._find_goal(at, best, dear=False)
        if goal is None or goal.taken:
            return why
        return Sentence(messages.GOAL_PAYS, {"why": why, "pays": _say_pays(goal)})

    def _give_reason(self, at: int, choices: list[Advised], value: Value) -> Sentence:
        branch, best = self._branches[at], choices[at]
        standing = Standing(best.shanten, best.useful, best.self_drawn)
        goal = self._find_goal(at, best, dear=value.picky)
        why = explain(branch, standing)
        minimum = self._explain_minimum(at, best)
        if minimum is not None:
            return Sentence(messages.ALSO, {"why": why, "reason": minimum})
        if goal is not None and goal.row and set(goal.standing.useful) != set(standing.useful):
            params = {"away": goal.standing.shanten, "row": goal.row}
            tiles = " ".join(kind.tile.code for kind in goal.standing.useful)
            why = Sentence(messages.GOAL, {**params, "count": goal.standing.live, "tiles": tiles})
        if not best.useful:
            return why
        if goal is not None and goal.refused is not None and best.shanten <= 0:
            why = explain(branch, Standing(best.shanten, best.useful))
            return Sentence(messages.NOT_ON_DISCARD, {"why": why, "reason": goal.refused})
        faster = min(
            range(len(choices)), key=lambda each: (choices[each].shanten, -_count_live(choices[each]))
        )
        if _is_faster(choices[faster], best):
            said = self._compare(why, best, goal, faster, choices[faster])
            if said is not None:
                return said
        if 0 < best.shanten <= NEAR:
            short = self._goals.explain_short_suit(*self._hold(at, best))
            if short is not None:
                return Sentence(messages.ALSO, {"why": why, "reason": short})
        if goal is not None and goal.row:
            template = messages.GOAL_PAYS if why.template == messages.GOAL else messages.PAYS
            return Sentence(template, {"why": why, "row": goal.row, "pays": _say_pays(goal)})
        return why

    def _explain_minimum(self, at: int, choice: Advised) -> Sentence | None:
        """Why the nearest finished hand would not win, where it would not."""
        held, melds = self._hold(at, choice)
        return explain_minimum(self._outlook, held, melds, Standing(choice.shanten, choice.useful))

    def _compare(
        self, why: Sentence, best: Advised, goal: Goal | None, faster: int, other: Advised
    ) -> Sentence | None:
        """What speaks for the best beside a faster choice; None where nothing does that can be said."""
        out = other.do.tile if isinstance(other.do, Discarded) else None
        params: dict[str, object] = {"why": why, "tile": out, "tiles_then": _say_faster(other, best)}
        less = self._find_goal(faster, other, dear=False)
        if goal is not None and less is not None and _is_dearer(goal, less):
            of_row = goal.row not in ("", less.row) and why.template != messages.GOAL
            if isinstance(other.do, Claimed):
                template = messages.FASTER_CLAIM if of_row else messages.DEARER_CLAIM
            elif other.do is None:
                template = messages.FASTER_PASS if of_row else messages.DEARER_PASS
            elif out is not None:
                template = messages.FASTER if of_row else messages.DEARER
            else:
                return None
            named = of_row or why.template == messages.GOAL
            pays = {
                "row": goal.row,
                "pays": _say_pays(goal if named else goal._replace(apart=False)),
                "less": _say_pays(less._replace(apart=False)),
            }
            return Sentence(template, params | pays)
        danger = other.deal_in or 0.0
        if out is not None and danger >= RISKY and danger > (best.deal_in or 0.0) + SAFER:
            return Sentence(messages.SAFER, params | {"percent": round_percent(danger)})
        return None

    def _find_goal(self, at: int, choice: Advised, *, dear: bool) -> Goal | None:
        key = at, choice.then, dear
        if key not in self._found:
            held, melds = self._hold(at, choice)
            standing = Standing(choice.shanten, choice.useful)
            far = isinstance(choice.do, Claimed)
            goals = self._find_goals(choice)
            self._found[key] = goals.find(held, melds, standing, dear=dear, far=far)
        return self._found[key]

    def _make_goals(self, outlook: Outlook) -> Goals:
        melds = list_known_melds(self._seen.player)
        return Goals(outlook, melds, self._had, claims=self._seen.hand.offer is not None)

    def _find_goals(self, choice: Advised) -> Goals:
        """By what a ready hand is paid that has called, or stays silent, after a discard; others call yet."""
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

    def _speak_of_call(self, at: int, best: Advised, why: Sentence) -> Sentence:
        """With what the call of ready brings that is best, or why it is not, where it could be called."""
        calls = [branch for branch in self._branches if isinstance(branch.do, ReadyDeclared)]
        ends = not self._outlook.course.draws
        if self._calling is None or not calls or best.shanten > 0 or not best.useful or ends:
            return why
        held, melds = self._hold(at, best)
        if isinstance(best.do, ReadyDeclared):
            bonus = self._calling.find_bonus(held, melds, self._find_situation(best))
            if bonus <= 0:
                return why
            count = round(bonus) if abs(bonus - round(bonus)) < SAME else format_payment(bonus)
            return Sentence(messages.CALLED, {"why": why, "count": count})
        if not isinstance(best.do, Discarded):
            return why
        silence = self._calling.explain_silence(held, melds)
        return Sentence(silence.template, {"why": why, "count": silence.widens})

    def _hold(self, at: int, choice: Advised) -> tuple[bytes, tuple[Meld, ...]]:
        """The concealed tiles, as 42 counts, and the melds after the choice."""
        branch = self._branches[at]
        return branch.held if choice.then is None else take_out(branch.held, choice.then), branch.melds

    def _find_refused(self) -> tuple[Tile, Sentence] | None:
        """The tile that completes the hand, and why it does not win; None where no tile does, or it wins."""
        seen = self._seen
        offer = seen.hand.offer
        if offer is None or offer.tile is None or find_win(seen) is not None:
            return None
        passed = next((branch for branch in self._branches if branch.do is None), None)
        if passed is None:
            return None
        reason = self._goals.explain_refusal(passed.held, passed.melds, offer.tile, Source.DISCARD)
        return None if reason is None else (offer.tile, reason)


def _is_dearer(goal: Goal, less: Goal) -> bool:
    """Whether it pays more, and is said to."""
    said, other = goal.drawn + goal.taken, less.drawn + less.taken
    return goal.mean > DEARER * less.mean and said > DEARER * other


def _say_faster(other: Advised, best: Advised) -> Sentence:
    """By how many tiles a choice is faster, and how near it leaves the hand where that is nearer."""
    params = {"count": _count_live(other), "away": other.shanten}
    if other.shanten == best.shanten:
        return Sentence(messages.BY_TILES, params)
    return Sentence(messages.BY_AWAY if other.shanten > 0 else messages.BY_READY, params)


def _say_pays(goal: Goal) -> Sentence:
    """What it pays. Of one that is `apart` its row is named before."""
    drawn, taken = format_payment(goal.drawn), format_payment(goal.taken)
    if not goal.taken:
        return Sentence(messages.SELF_DRAWN, {"drawn": drawn})
    if not goal.apart and (not goal.drawn or drawn == taken):
        return Sentence(messages.ANY_WAY, {"value": taken})
    template = messages.APART if goal.apart else messages.BOTH_WAYS
    return Sentence(template, {"drawn": drawn, "taken": taken})


def _find_discard(choice: Advised) -> Tile | None:
    if isinstance(choice.do, Discarded) and choice.do.tile is not None:
        return Tile.parse(choice.do.tile)
    return choice.then


def _count_live(choice: Advised) -> int:
    return sum(kind.unseen for kind in choice.useful)


def _rank(choice: Advised) -> tuple[int, int, float]:
    """By how near it leaves the hand, then how many tiles are useful, then what it is worth."""
    return choice.shanten, -_count_live(choice), -(choice.value or 0.0)


def _is_faster(one: Advised, other: Advised) -> bool:
    """Whether a choice is nearer to ready, or as near with more useful tiles."""
    if one.shanten != other.shanten:
        return one.shanten < other.shanten
    return _count_live(one) > MORE_TILES * _count_live(other)
