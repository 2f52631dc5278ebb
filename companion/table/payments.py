"""What those who win on one tile are paid (C-13, S-04, S-05)."""

from __future__ import annotations

from companion.rules import score
from companion.rules.play import MULTI_WIN
from companion.table.between_hands import rank_winners
from companion.table.ledger import PaymentReason, book, is_cancelled, take_back
from companion.table.state import HandResult, HandState, State, changed


def pay_winners(state: State, hand: HandState) -> tuple[State, HandState]:
    """The state with the last of the hand's results paid, and those before it as they are beside it.

    Winners pay one another nothing, and a purse too small for all pays them in the order that decides who
    deals next. What was paid before and is another sum now is taken back and booked anew.
    """
    *before, last = hand.results
    if not before or not state.house.settled:
        return _book_win(state, last), hand
    numbers = {
        entry.seat: number
        for number, entry in enumerate(state.ledger[hand.booked :], start=hand.booked)
        if entry.reason is PaymentReason.WIN and not is_cancelled(state, number)
    }
    purses = state
    for number in numbers.values():
        purses = take_back(purses, number, MULTI_WIN.key)
    results = {result.winner: result for result in hand.results}
    for seat in rank_winners(state.house, hand):
        old = results[seat]
        if old is not last and seat not in numbers:
            continue  # what it paid was taken back, by hand
        assert old.request is not None
        others = tuple([winner for winner in results if winner != seat])
        request = old.request.changed(also_won=others, balances=purses.purses)
        new = changed(old, score=score(request, house_rules=False), request=request)
        purses = _book_win(purses, new)
        results[seat] = new
        if old is last or new.score.payments != old.score.payments:
            state = state if old is last else take_back(state, numbers[seat], MULTI_WIN.key)
            state = _book_win(state, new)
    return state, changed(hand, results=tuple(results.values()))


def _book_win(state: State, result: HandResult) -> State:
    names = ", ".join(line.name for line in result.score.lines)
    return book(state, PaymentReason.WIN, result.score.payments, result.winner, names)
