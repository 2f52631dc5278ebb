"""What a hand, its useful tiles and decisions look like: rows of noted tiles."""

from __future__ import annotations

from collections.abc import Sequence

from companion.app.coach.noted_tiles import Noted, colour_danger, format_percent
from companion.app.coach.replayed import Replayed
from companion.app.coach.thinking import Answer
from companion.app.widgets import theme
from companion.coach.results import Advised, Grade, RatedDecision
from companion.coach.value.judge import Useful
from companion.coach.words.wording import MARKS
from companion.table.events import Claimed, Discarded
from companion.tiles import BACK, Suit

NO_NUMBER = ""


def note_hand(answer: Answer, *, counts: bool = False) -> list[Noted]:
    """The hand that is advised: dangers below its tiles, the advised discard raised.

    counts: all kinds instead of it, with how many are left.
    """
    if counts:
        return note_left(answer)
    dangers = {each.code: each.chance for each in answer.dangers}
    advised = find_discard(answer)
    found: list[Noted] = []
    raised = False
    for code in answer.tiles:
        lift = code == advised and not raised
        raised = raised or lift
        chance = dangers.get(code)
        note = NO_NUMBER if chance is None else format_percent(chance)
        found.append(Noted(code, note, None if chance is None else colour_danger(chance), lift))
    return found


def note_left(answer: Answer) -> list[Noted]:
    """Every kind but flowers, with how many of it can still come."""
    kinds = [(code, left) for code, left in (answer.left or {}).items() if code[-1] != Suit.FLOWERS]
    return [Noted(code, str(left), faded=not left) for code, left in kinds]


def find_discard(answer: Answer) -> str | None:
    """The code of the tile that is to be discarded, now or after the claim that is advised."""
    if answer.advice is None or not answer.advice.choices:
        return None
    best = answer.advice.choices[0]
    if isinstance(best.do, Discarded):
        return best.do.tile
    return None if best.then is None else best.then.code


def list_useful(answer: Answer) -> tuple[Useful, ...]:
    """What helps the hand after the best choice, or as it is."""
    if answer.advice is not None and answer.advice.choices:
        return answer.advice.choices[0].useful
    return () if answer.standing is None else answer.standing.useful


def note_useful(useful: Sequence[Useful]) -> list[Noted]:
    """Useful tiles, each with how many are left."""
    return [Noted(each.tile.code, f"×{each.unseen}", faded=not each.unseen) for each in useful]


def note_choice(choice: Advised, dangers: dict[str, float]) -> list[Noted]:
    """The tile of a discard, with its danger."""
    code = choice.do.tile if isinstance(choice.do, Discarded) else None
    chance = dangers.get(code or "")
    return [Noted(code)] if code and chance is None else [] if code is None or chance is None else [
        Noted(code, format_percent(chance), colour_danger(chance))
    ]  # fmt: skip


def colour_grade(grade: Grade) -> theme.Colour:
    """Of a decision of that grade."""
    return {
        Grade.BEST: theme.SURE, Grade.FINE: theme.MELD, Grade.INEXACT: theme.GOLD, Grade.POOR: theme.UNSURE,
        Grade.BLUNDER: theme.LOSS,
    }[grade]  # fmt: skip


def _mark(decision: RatedDecision) -> str:
    """The mark of a grade; with a plus where a tile was claimed."""
    if not decision.is_rated:
        return format_percent(decision.deal_in)
    mark = MARKS[decision.grade]
    return f"+ {mark}" if isinstance(decision.did, Claimed) else mark


def note_worst(replayed: Replayed) -> list[Noted]:
    """The worst two decisions alone."""
    worst = {each.number for each in replayed.worst}
    noted = zip(replayed.decisions, note_decisions(replayed), strict=True)
    return sorted((tile for each, tile in noted if each.number in worst), key=lambda tile: tile.badge)


def note_decisions(replayed: Replayed) -> list[Noted]:
    """The decisions of the person whose are shown: marked by their grade, the worst two numbered; tiles that
    were not taken are faded."""
    worst = replayed.worst
    return [
        Noted(
            code=BACK if each.tile is None else each.tile.code,
            note=_mark(each),
            colour=colour_grade(each.grade),
            raised=each.number == replayed.number,
            faded=each.did is None,
            badge=str(worst.index(each) + 1) if each in worst else "!" if each.dealt_in else "",
        )
        for each in replayed.decisions
    ]
