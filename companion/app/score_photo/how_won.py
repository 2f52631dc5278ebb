"""Steps that enter how a hand was won: source, situations, house options, stakes, declared kongs. No Kivy."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from msgspec import structs

from companion.app.score_photo import editing
from companion.photo_hand.draft import WinDraft
from companion.rules import RULE_SETS, Source
from companion.rules.fields import FIELDS
from companion.rules.kinds import NUMBER_MAX
from companion.rules.win import DeclaredKong, OptionValue, Stakes
from companion.tiles import MeldKind

if TYPE_CHECKING:
    from companion.app.score_photo.state import ScorePhoto


def set_source(state: ScorePhoto, source: Source) -> ScorePhoto:
    return editing.record(state, source=source)


def set_option(state: ScorePhoto, key: str, value: OptionValue) -> ScorePhoto:
    """With that house option; a default is not stored."""
    draft = state.draft
    options = {**dict(draft.options), key: value}
    if value == draft.rule_set.defaults[key]:
        del options[key]
    return editing.record(state, options=tuple(sorted(options.items())))


def set_number(state: ScorePhoto, name: str, number: int | None) -> ScorePhoto:
    """With that field of a request as close to `number` as this game allows."""
    draft = state.draft
    field = FIELDS[name]
    return editing.record(
        state, **{field.attribute: None if number is None else field.fit(number, draft.rule_set)}
    )


def set_stake(state: ScorePhoto, key: str, amount: int) -> ScorePhoto:
    """With that base or unit of the stakes; unchanged if a win would then cost nothing."""
    draft = state.draft
    own = draft.rule_set.own_stakes
    stakes = structs.replace(draft.agreed_stakes or own, **{key: amount})
    if not stakes.base and not stakes.unit:
        return state
    return editing.record(state, stakes=None if stakes == own else stakes)


def toggle_three_melds(state: ScorePhoto, pair: tuple[int, int]) -> ScorePhoto:
    """The first seat melded three times from the second, and so from no other; or it did not."""
    draft = state.draft
    others = {other for other in draft.three_melds if other[0] != pair[0]}
    new = others if pair in draft.three_melds else others | {pair}
    return editing.record(state, three_melds=tuple(sorted(new)))


def toggle_situation(state: ScorePhoto, name: str) -> ScorePhoto:
    draft = state.draft
    old = draft.situation
    return editing.record(
        state, situation=tuple(o for o in old if o != name) if name in old else (*old, name)
    )


def set_balance(state: ScorePhoto, seat: int, balance: int | None) -> ScorePhoto:
    """With the points that seat can pay with; None: it may go into debt."""
    draft = state.draft
    balances = list(draft.balances)
    balances[seat] = balance
    return editing.record(state, balances=tuple(balances))


def add_kong(state: ScorePhoto) -> ScorePhoto:
    """With one more declared kong."""
    draft = state.draft
    return editing.record(state, kongs_declared=(*draft.kongs_declared, propose_kong(draft)))


def change_kong(state: ScorePhoto, place: int, **changes: Any) -> ScorePhoto:
    """With another kind, seat or discarder of the kong at that index."""
    draft = state.draft
    kongs = list(draft.kongs_declared)
    kongs[place] = make_possible(replace(kongs[place], **changes))
    return editing.record(state, kongs_declared=tuple(kongs))


def remove_kong(state: ScorePhoto, place: int) -> ScorePhoto:
    draft = state.draft
    kongs = draft.kongs_declared
    return editing.record(state, kongs_declared=kongs[:place] + kongs[place + 1 :])


def choose_rules(draft: WinDraft, rules: str) -> WinDraft:
    """With that game; house options and situations that it does not have are dropped, and the currency of
    another game."""
    known = {option.key for option in RULE_SETS[rules].options}
    options = tuple(pair for pair in draft.options if pair[0] in known)
    situation = tuple(one.id for one in RULE_SETS[rules].situations if one.id in draft.situation)
    currency = draft.currency if rules == draft.rules else None
    return draft.record(rules=rules, options=options, situation=situation, currency=currency)


def choose_winner(draft: WinDraft, seat: int) -> WinDraft:
    """With that winner; a discarder in that seat moves to another one."""
    return draft.record(winner=seat, discarder=_other_seat(draft, draft.discarder, seat))


def choose_discarder(draft: WinDraft, seat: int, source: Source) -> WinDraft:
    """With the winning tile from that seat; a winner in that seat moves to another one."""
    return draft.record(source=source, discarder=seat, winner=_other_seat(draft, draft.winner, seat))


def _other_seat(draft: WinDraft, seat: int, taken: int) -> int:
    return next(each for each in (seat, *draft.seats) if each != taken)


def fold_base(draft: WinDraft) -> WinDraft:
    """With the base, a multiplier that earlier programs asked for, as part of the stakes."""
    if draft.base == 1:
        return draft
    stakes = draft.agreed_stakes or draft.rule_set.own_stakes
    base, unit = (min(each * draft.base, NUMBER_MAX) for each in (stakes.base, stakes.unit))
    return draft.record(stakes=Stakes(base, unit), base=1)


def propose_kong(draft: WinDraft) -> DeclaredKong:
    """The kong to add to the list: the winner's next kong that is not listed yet, or any."""
    listed = [kong.kind for kong in draft.kongs_declared if kong.seat == draft.winner]
    kinds = [meld.kind for meld in draft.hand.melds if meld.kind.is_kong]
    for kind in listed:
        if kind in kinds:
            kinds.remove(kind)
    return make_possible(DeclaredKong(kinds[0] if kinds else MeldKind.KONG_CONCEALED, draft.winner, None))


def make_possible(kong: DeclaredKong) -> DeclaredKong:
    """The kong with a possible discarder: another seat for a kong on a discard, None for any other kong."""
    if kong.kind is not MeldKind.KONG_DISCARD:
        return replace(kong, discarder=None)
    if kong.discarder in (None, kong.seat):
        return replace(kong, discarder=(kong.seat + 1) % 4)
    return kong
