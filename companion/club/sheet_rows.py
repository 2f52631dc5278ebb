"""The rows of a game's score sheet in the database: they always equal the sheet."""

from __future__ import annotations

from typing import Any

import msgspec
from sqlalchemy import delete, insert, select, update
from sqlalchemy.dialects.postgresql import insert as insert_new
from sqlalchemy.orm import Session

from companion.club.schema import Correction, GamePlayer, Hand, Payment, Player, Win
from companion.sheets.hands import Sheet, SheetHand, SheetWin

Row = dict[str, Any]


def write_sheet(session: Session, game: str, club: str, sheet: Sheet, before: Sheet | None) -> None:
    """Write what has changed since the sheet `before` was written; everything where there was none. A hand in
    which nothing was paid is written when it ends."""
    first = _count_same(sheet, before)
    session.execute(delete(Payment).where(Payment.game_id == game, Payment.hand >= first))
    session.execute(delete(Win).where(Win.game_id == game, Win.hand >= first))
    session.execute(delete(Hand).where(Hand.game_id == game, Hand.place >= first))
    hands: list[Row] = []
    wins: list[Row] = []
    payments: list[Row] = []
    booked = sum(len(hand.entries) for hand in sheet.hands[:first])
    for place, hand in enumerate(sheet.hands[first:], start=first):
        if hand.finished or hand.entries:
            hands.append(_make_hand(game, place, hand))
            wins += (_make_win(game, place, number, win) for number, win in enumerate(hand.wins))
            payments += _list_payments(game, place, booked, hand)
        booked += len(hand.entries)
    for table, rows in ((Hand, hands), (Win, wins), (Payment, payments)):
        if rows:
            session.execute(insert(table), rows)
    if before is None or before.corrections != sheet.corrections:
        _write_corrections(session, game, sheet)
    _write_players(session, game, club, sheet, before)


def _count_same(sheet: Sheet, before: Sheet | None) -> int:
    """How many hands are as they were written."""
    same = 0
    for then, now in zip(before.hands if before else (), sheet.hands, strict=False):
        if then is not now:
            break
        same += 1
    return same


def _make_hand(game: str, place: int, hand: SheetHand) -> Row:
    return {
        "game_id": game,
        "place": place,
        "number": hand.number,
        "round_wind": None if hand.round_wind is None else hand.round_wind.code,
        "dealer": hand.dealer,
        "streak": hand.streak,
        "finished": hand.finished,
        "abandoned": hand.abandoned,
        "drawn": hand.drawn,
    }


def _make_win(game: str, hand: int, place: int, win: SheetWin) -> Row:
    return {
        "game_id": game,
        "hand": hand,
        "place": place,
        "number": win.number,
        "winner": win.winner,
        "giver": win.giver,
        "source": win.source.value,
        "tile": win.tile,
        "concealed": list(win.concealed),
        "melds": [list(meld) for meld in win.melds],
        "flowers": list(win.flowers),
        "value": win.score.value,
        "unit": win.score.unit,
        "rows": [
            {
                "id": line.id,
                "name": line.name,
                "name_zh": line.name_zh,
                "count": line.count,
                "value": line.value,
            }
            for line in win.score.lines
        ],
    }


def _list_payments(game: str, hand: int, booked: int, of_hand: SheetHand) -> list[Row]:
    """booked: entries of the ledger before this hand."""
    return [
        {
            "game_id": game,
            "number": number,
            "person": person,
            "hand": hand,
            "reason": entry.reason.value,
            "points": points,
            "why": entry.why,
            "cancels": entry.cancels,
        }
        for number, entry in enumerate(of_hand.entries, start=booked)
        for person, points in enumerate(entry.points)
        if points
    ]


def _write_corrections(session: Session, game: str, sheet: Sheet) -> None:
    session.execute(delete(Correction).where(Correction.game_id == game))
    rows = [
        {
            "game_id": game,
            "at": each.at,
            "number": each.number,
            "was": msgspec.to_builtins(each.was),
            "right": msgspec.to_builtins(each.right),
            "why": each.why,
        }
        for each in sheet.corrections
    ]
    if rows:
        session.execute(insert(Correction), rows)


def _write_players(session: Session, game: str, club: str, sheet: Sheet, before: Sheet | None) -> None:
    sums = {person: _add_up(sheet, person) for person, name in enumerate(sheet.names) if name}
    if before is not None and before.names == sheet.names:
        changed = [{"game_id": game, "person": person, **each} for person, each in sums.items()]
        if changed:
            session.execute(update(GamePlayer), changed)
        return
    session.execute(delete(GamePlayer).where(GamePlayer.game_id == game))
    if not sums:
        return
    names = sorted({sheet.names[person] for person in sums})
    session.execute(
        insert_new(Player).on_conflict_do_nothing(), [{"club": club, "name": name} for name in names]
    )
    known = session.execute(select(Player.name, Player.id).where(Player.club == club, Player.name.in_(names)))
    ids = dict(known.all())
    session.execute(
        insert(GamePlayer),
        [
            {"game_id": game, "person": person, "player_id": ids[sheet.names[person]], **each}
            for person, each in sums.items()
        ],
    )


def _add_up(sheet: Sheet, person: int) -> Row:
    finished = [hand for hand in sheet.hands if hand.finished]
    return {
        "points": sum(hand.points[person] for hand in finished) if finished else None,
        "hands": sum(hand.number > 0 and not hand.abandoned for hand in finished),
        "wins": sum(win.winner == person for hand in finished for win in hand.wins),
    }
