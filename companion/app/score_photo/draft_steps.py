"""The steps that say how a hand was won: from one draft to the next. No step looks at the window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from msgspec import structs

from companion.app.score_photo.editing import make_possible, propose_kong
from companion.photo_hand.draft import WinDraft
from companion.rules import RULE_SETS, Source
from companion.rules.fields import FIELDS
from companion.rules.kinds import NUMBER_MAX
from companion.rules.stakes import Stakes
from companion.rules.win import OptionValue


def choose_rules(draft: WinDraft, rules: str) -> WinDraft:
    """With that game; of the house options and the situation what it has, too."""
    known = {option.key for option in RULE_SETS[rules].options}
    options = tuple(pair for pair in draft.options if pair[0] in known)
    situation = tuple(one.id for one in RULE_SETS[rules].situations if one.id in draft.situation)
    return draft.record(rules=rules, options=options, situation=situation)


def set_option(draft: WinDraft, key: str, value: OptionValue) -> WinDraft:
    """With that house option; its default is not kept."""
    options = {**dict(draft.options), key: value}
    if value == draft.rule_set.defaults[key]:
        del options[key]
    return draft.record(options=tuple(sorted(options.items())))


def choose_winner(draft: WinDraft, seat: int) -> WinDraft:
    """With that winner; a discarder who sat there gives way to another seat."""
    return draft.record(winner=seat, discarder=_give_way(draft, draft.discarder, seat))


def choose_giver(draft: WinDraft, seat: int, source: Source) -> WinDraft:
    """With the winning tile from that seat; a winner who sat there gives way to another seat."""
    return draft.record(source=source, discarder=seat, winner=_give_way(draft, draft.winner, seat))


def _give_way(draft: WinDraft, seat: int, taken: int) -> int:
    return next(each for each in (seat, *draft.seats) if each != taken)


def set_number(draft: WinDraft, name: str, number: int | None) -> WinDraft:
    """With that field of a request as near to `number` as can be set in this game."""
    field = FIELDS[name]
    return draft.record(**{field.attribute: None if number is None else field.fit(number, draft.rule_set)})


def fold_base(draft: WinDraft) -> WinDraft:
    """With the base that multiplies all payments as part of the stakes: earlier programs asked for it."""
    if draft.base == 1:
        return draft
    stakes = draft.agreed_stakes or draft.rule_set.own_stakes
    base, unit = (min(each * draft.base, NUMBER_MAX) for each in (stakes.base, stakes.unit))
    return draft.record(stakes=Stakes(base, unit), base=1)


def set_stake(draft: WinDraft, key: str, amount: int) -> WinDraft:
    """With that base or unit; as it was where a win would then cost nothing."""
    own = draft.rule_set.own_stakes
    stakes = structs.replace(draft.agreed_stakes or own, **{key: amount})
    if not stakes.base and not stakes.unit:
        return draft
    return draft.record(stakes=None if stakes == own else stakes)


def toggle_three_melds(draft: WinDraft, pair: tuple[int, int]) -> WinDraft:
    """The first seat has melded three times from the second, and so from no other; or has not."""
    others = {other for other in draft.three_melds if other[0] != pair[0]}
    new = others if pair in draft.three_melds else others | {pair}
    return draft.record(three_melds=tuple(sorted(new)))


def toggle_situation(draft: WinDraft, name: str) -> WinDraft:
    old = draft.situation
    return draft.record(situation=tuple(o for o in old if o != name) if name in old else (*old, name))


def set_balance(draft: WinDraft, seat: int, balance: int | None) -> WinDraft:
    """With what that seat has to pay with; None: it may go into debt."""
    balances = list(draft.balances)
    balances[seat] = balance
    return draft.record(balances=tuple(balances))


def add_kong(draft: WinDraft) -> WinDraft:
    """With one more kong that was declared."""
    return draft.record(kongs_declared=(*draft.kongs_declared, propose_kong(draft)))


def change_kong(draft: WinDraft, place: int, **changes: Any) -> WinDraft:
    """Another kind, seat or discarder for the kong with that place in the list."""
    kongs = list(draft.kongs_declared)
    kongs[place] = make_possible(replace(kongs[place], **changes))
    return draft.record(kongs_declared=tuple(kongs))


def remove_kong(draft: WinDraft, place: int) -> WinDraft:
    kongs = draft.kongs_declared
    return draft.record(kongs_declared=kongs[:place] + kongs[place + 1 :])
