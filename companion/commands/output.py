"""What commands print: one JSON document, or tables for people; messages go to stderr, one line each.

Everything is printed through here, so that no name in a file can steer the terminal. The events of a game in
words, and a line of progress, are here too.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TextIO

from companion.foreign_text import escape, escape_json, show
from companion.live import event_words
from companion.rules import RULE_SETS
from companion.rules.scoring import converts, describe_worth, join_paid
from companion.sentences import write_number
from companion.table.events import Event, GameStarted, SeatsChanged
from companion.table.state import HandResult, HandState, LedgerEntry, Player, State
from companion.table.wall import Layer, WallPlace
from companion.tiles import KINDS, Suit, TileSet, format_tiles, parse_tiles

if TYPE_CHECKING:
    from rich.console import Console

    from companion.rules import OptionValue, ScoreRequest

PLUS, TIMES = "+", "×"
"""The signs of a calculation in the result."""
MULTIPLIER = "multiplier"
"""The unit of games whose rows multiply each other, by the rules as they are written."""
UNITS = "units"
"""The unit of a value that a row has turned into payments."""
WAITS_APART_MAX = 9


def use_utf8() -> None:
    """Print UTF-8 whatever the locale; an undecodable file name is escaped as JSON escapes it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def print_json(document: object) -> None:
    """A document on one line, flushed: the caller may wait for each answer."""
    print(escape_json(json.dumps(document, ensure_ascii=False)), flush=True)


def print_indented(document: object) -> None:
    """A document that people read, too."""
    print(escape_json(json.dumps(document, ensure_ascii=False, indent=2)), flush=True)


def print_line(text: str, file: TextIO | None = None) -> None:
    """One line on that stream, stdout without one, written immediately."""
    print(escape(text), file=file, flush=True)


def print_json_list(name: str, items: Iterable[object]) -> None:
    """A document {name: [items]} on one line, with one item in memory at a time."""
    print(f'{{"{name}": [', end="")
    for number, item in enumerate(items):
        print(", " if number else "", escape_json(json.dumps(item, ensure_ascii=False)), sep="", end="")
    print("]}", flush=True)


def open_closed_streams() -> None:
    """Open /dev/null for each closed standard stream, before a file gets its number."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number
        if number and getattr(sys, name) is None:
            setattr(sys, name, open(number, "w", closefd=False))  # noqa: SIM115


def discard(stream: TextIO) -> None:
    """Drop all further output to a stream that takes no more, also when Python ends."""
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)


def print_message(message: str) -> None:
    """One line on stderr, where it takes one."""
    try:
        print("companion:", show(" ".join(message.split())), file=sys.stderr, flush=True)
    except OSError:
        discard(sys.stderr)


def console() -> Console:
    """Where tables for people go. Text is printed as it is: markup, emoji codes and control characters of
    foreign names mean nothing."""
    from rich.console import Console
    from rich.text import Text

    class Escaping(Console):
        def render_str(self, text: str, **style: Any) -> Text:
            return super().render_str(escape(text, keep="\n"), **style)

    return Escaping(highlight=False, markup=False, emoji=False, soft_wrap=True)


def format_setting(value: OptionValue) -> str:
    """A setting of a house option as --option takes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def format_worth(value: int, unit: str, table: str = "") -> str:
    """What a row is worth: ×2 if it multiplies."""
    times = "×" if table == "factor" or (unit == MULTIPLIER and table != "cash") else ""
    return times + write_number(value)


def show_score(result: dict[str, Any], request: ScoreRequest) -> None:
    """A result of `score_json` or `answer_json` as tables: rows, what each player pays, house rules
    that matter; and what was assumed."""
    out = console()
    if result["legal"]:
        _show_lines(out, result)
        _show_reading(out, result["reading"], request)
    else:
        ruling = f" ({result['ruling']})" if result["ruling"] else ""
        out.print(f"Not a win: {result['reason']}{ruling}", style="bold")
    if result["legal"] or any(result["payments"]):
        _show_payments(out, result, request)
    _show_unpaid_kongs(out, request)
    if result.get("assumed"):
        out.print(format_assumed(result["assumed"]), soft_wrap=False)
    if result.get("house_rules"):
        _show_house_rules(out, result)


def show_suggested_stakes(request: ScoreRequest, profile: str | None) -> None:
    """A line with the stakes that were paid and those that a ready-made profile suggests, if they differ, and
    what a point is worth at its tables."""
    from companion.money import describe_currency
    from companion.profiles import find_named
    from companion.rules import rule_set
    from companion.rules.win import describe_stakes

    ready = None if profile is None else find_named(profile)
    if ready is None or ready.stakes is None:
        return
    rules, suggested = rule_set(request.rules), ready.stakes
    money = str(describe_currency(ready.currency)) if ready.currency else ""
    if request.stakes != suggested:
        flag = ",".join(f"{key}={getattr(suggested, key)}" for key in rules.stakes)
        paid, usual = (describe_stakes(each, rules.unit) for each in (request.stakes, suggested))
        console().print(
            f"Stakes: {paid}. Tables of this profile often play {usual} (--stakes {flag})"
            + (f"; {money}." if money else "."),
            soft_wrap=False,
        )
    elif money:
        console().print(f"Payments are points. Tables of this profile often play {money}.", soft_wrap=False)


def format_assumed(assumed: Mapping[str, object]) -> str:
    """A sentence about the fields that a request left out and that change its result."""
    words: dict[object, str] = {None: "not known", "": "none"}
    listed = ", ".join(f"{name} {words.get(value, value)}" for name, value in assumed.items())
    return f"Assumed, because it was left out: {listed}. Another value changes this result."


def _show_lines(out: Console, result: dict[str, Any]) -> None:
    from rich.table import Table

    value, calculation = result["value"], result["reckoning"]
    values = [line["value"] for line in result["lines"]]
    own = _format_before_conversion(result)
    text = "" if own is None else f"{write_number(own)} {result['unit']} = "
    out.print(text + _format_hand_value(result), style="bold")
    if not values:
        out.print("no row scores")
        return
    table = Table()
    for heading in ("row", "行"):
        table.add_column(heading)
    for heading in ("times", result["unit"]):
        table.add_column(heading, justify="right")
    table.add_column("ruling", no_wrap=True)
    converting = [line for line in result["lines"] if converts(RULE_SETS[result["rules"]], line["id"])]
    counted = [line for line in result["lines"] if line not in converting]
    for line in counted:
        text = ("×" if calculation["sign"] == TIMES else "") + write_number(line["value"])
        table.add_row(line["name"], line["name_zh"], str(line["count"]), text, line["ruling"])
    if counted:
        out.print(table)
    if own is not None:
        values, value = [line["value"] for line in counted], own
    times, sign = calculation["times"], f" {calculation['sign']} "
    terms = sign.join(map(write_number, values))
    if times != 1:
        terms = f"base {write_number(times)} × " + (
            f"({terms})" if calculation["sign"] == PLUS and values[1:] else terms
        )
    unit = "" if own is None else f" {result['unit']}"
    if not calculation["exact"]:
        total = f" = {write_number(sum(values))}{unit}" if unit else ""
        out.print(f"{terms}{total}, capped at the limit of {write_number(value)}")
    elif values and terms != write_number(value):
        out.print(f"{terms} = {write_number(value)}{unit}")
    for line in converting:
        assert own is not None
        paid = f"{write_number(own)}{unit} = {write_number(result['value'])} {UNITS}"
        out.print(f"{line['name']} {line['name_zh']} ({line['ruling']}): {paid}")


def _format_hand_value(result: dict[str, Any]) -> str:
    """15 zui; ×8 where rows multiply and nothing but the rows is in it."""
    value, unit, calculation = result["value"], result["unit"], result["reckoning"]
    if unit != MULTIPLIER:
        return f"{write_number(value)} {unit if _format_before_conversion(result) is None else UNITS}"
    is_factor = (calculation["sign"], calculation["times"]) == (TIMES, 1)
    return ("×" if is_factor else "") + write_number(value)


def _format_before_conversion(result: dict[str, Any]) -> int | None:
    from companion.rules import rule_set
    from companion.rules.scoring import value_before_conversion

    return value_before_conversion(
        rule_set(result["rules"]),
        [(line["id"], line["value"]) for line in result["lines"]],
        result["value"],
    )


def _show_reading(out: Console, reading: dict[str, Any], request: ScoreRequest) -> None:
    from companion.rules import rule_set

    rules = rule_set(request.rules)
    singles = "".join(code for code in reading["sets"] if len(code) == 2)
    groups = [code for code in reading["sets"] if len(code) > 2]
    groups += [format_tiles(parse_tiles(singles))] if singles else []
    groups += [reading["pair"]] if reading["pair"] else []
    if groups:
        out.print(f"read as: {' '.join(groups)}")
    wild = rules.wild(request.options, request.fortune)
    if wild is not None and reading.get("wild"):
        tiles = " ".join([wild.tile.code] * len(reading["wild"]))
        verb = "stands" if len(reading["wild"]) == 1 else "stand"
        out.print(f"wild: {tiles} {verb} for {' '.join(reading['wild'])}")
    if reading["waits"]:
        out.print(f"waited for: {_format_waits(reading['waits'], rules.tile_set)}")


def _format_waits(codes: list[str], tile_set: TileSet) -> str:
    """The kinds one by one, or together where they would fill a line, or in words where any tile won."""
    kinds = [kind for kind in KINDS if tile_set.copies[kind.index] and kind.suit is not Suit.FLOWERS]
    if len(codes) == len(kinds):
        return "any tile"
    return " ".join(codes) if len(codes) <= WAITS_APART_MAX else format_tiles(parse_tiles("".join(codes)))


def _show_payments(out: Console, result: dict[str, Any], request: ScoreRequest) -> None:
    from rich.table import Table

    from companion.rules import rule_set

    base = 1 if rule_set(request.rules).value_holds_base else request.base
    shares = {share["payer"]: _format_reckoning(result, share, base) for share in result["shares"]}
    table = Table(title="Payments", title_justify="left")
    table.add_column("seat", no_wrap=True)
    table.add_column("gets", justify="right", no_wrap=True)
    table.add_column("calculated as", overflow="fold")  # wide characters at its edge would be cut
    for seat, amount in enumerate(result["payments"]):
        holders = (("winner", request.winner), ("dealer", request.dealer))
        roles = [role for role, holder in holders if holder == seat]
        parts = [shares[seat]] if seat in shares else []
        beside = [(cash["line"], cash["payments"][seat]) for cash in result["cash"] if cash["payments"][seat]]
        parts += [
            f"{line['name']} {line['name_zh']}: {write_number(paid, signed=True)}" for line, paid in beside
        ]
        penalty = amount - sum(paid for _, paid in beside)
        if not result["legal"] and penalty:
            parts.append(f"false win 诈胡: {write_number(penalty, signed=True)}")
        name = f"{seat} ({', '.join(roles)})" if roles else str(seat)
        table.add_row(name, write_number(amount, signed=True), "; ".join(parts))
    out.print(table)


def _show_unpaid_kongs(out: Console, request: ScoreRequest) -> None:
    """The winner's kongs that nobody pays for, where the game pays for kongs that are declared."""
    from companion.rules import rule_set

    if not rule_set(request.rules).cash_rows:
        return
    unpaid = []
    for kind in dict.fromkeys(meld.kind for meld in request.melds if meld.kind.is_kong):
        kongs = [str(meld) for meld in request.melds if meld.kind is kind]
        named = sum(k.kind is kind and k.seat == request.winner for k in request.kongs_declared)
        if named < len(kongs):
            unpaid.append(" ".join(kongs) + (f" (all but {named})" if named else ""))
    if unpaid:
        out.print(
            "Kongs of the winner's melds that --kongs-declared does not name are not paid here: "
            f"{', '.join(unpaid)}.",
            soft_wrap=False,
        )


def _format_reckoning(result: dict[str, Any], share: dict[str, Any], base: int) -> str:
    """Explains a payer's share: the hand's value, the rows that concern this payer, the price of a point,
    which includes `base`, and the cost of a win in addition to its value."""
    owed, pays, plus = share["owed"], share["pays"], share["reckoning"]["plus"]
    sign, times = share["reckoning"]["sign"], share["reckoning"]["times"]
    lines = [(line["value"], f"{line['name']} {line['name_zh']}") for line in share["lines"]]
    text = "".join(
        f" {write_number(points, signed=True) if sign == PLUS else '×' + write_number(points)} {name}"
        for points, name in lines
    )
    price = "".join(
        f" × {name}{write_number(n)}" for name, n in (("", times // base), ("base ", base)) if n != 1
    )
    value = result["value"] + sum(points for points, _ in lines)
    joined = f" = {write_number(value)}" if sign == PLUS and lines and price else ""
    price += f" + {write_number(plus)}" if plus else ""
    total = f" = {write_number(owed)}" if text or price else ""
    return (
        _format_hand_value(result)
        + text
        + joined
        + price
        + total
        + (f"; limited to {_format_paid(share)}" if pays != owed else "")
    )


def _format_paid(share: dict[str, Any]) -> str:
    return join_paid(share["owed"], share["pays"], [(each["owed"], each["pays"]) for each in share["of"]])


def _show_house_rules(out: Console, result: dict[str, Any]) -> None:
    from rich.table import Table

    from companion.rules import rule_set
    from companion.rules.scoring import CONVERSION

    table = Table(title="Under other house rules", title_justify="left")
    table.add_column("--option", overflow="fold")
    converts = any(row.table == CONVERSION for row in rule_set(result["rules"]).patterns)
    table.add_column("value" if converts else result["unit"], justify="right")
    table.add_column("payments by seat")
    for other in result["house_rules"]:
        value = format_worth(other["value"], result["unit"]) if other["legal"] else "no win"
        paid = format_points(other["payments"])
        table.add_row(f"{other['option']}={format_setting(other['setting'])}", value, paid)
    out.print(table)


LAYERS = {Layer.UPPER: "↑", Layer.LOWER: "↓"}
ROUNDS = ("East", "South", "West", "North")
NOT_RECORDED = "this hand was not recorded: the events before its end are filled in"


def describe_event(event: Event, after: State) -> str:
    """What happened, in one sentence without its stop; `after` is the state that it led to."""
    said = str(event_words.describe_event(event, after, value=_describe_value))
    return said + (describe_seating(after) if isinstance(event, (GameStarted, SeatsChanged)) else "")


def describe_win(result: HandResult) -> str:
    """Who won, on whose tile, and what it is worth."""
    return str(event_words.describe_win(result, event_words.SEATS, _describe_value))


def describe_payment(entry: LedgerEntry, seated: Sequence[int]) -> str:
    """Who pays and who gets how much by an entry of the ledger; `seated` is who sits where."""
    points = [entry.points[person] for person in seated]
    pay = _join_amounts({seat: -each for seat, each in enumerate(points) if each < 0}, "pays", "pay")
    get = _join_amounts({seat: each for seat, each in enumerate(points) if each > 0}, "gets", "get")
    back = "" if entry.cancels is None else f"payment {entry.cancels} is taken back: "
    return f"{back}{pay}; {get}" if pay else "nobody pays"


def describe_sea(hand: HandState) -> str:
    """That the tiles left now are drawn without discards (HF-06), and where they stand."""
    wall = hand.wall
    stand = (
        f", from {_format_place(wall.next_place)} to {_format_place(wall.last_place)}" if wall.placed else ""
    )
    return f"the sea: the last {wall.live_left} tiles{stand}; each player draws one and discards none"


def describe_next(state: State) -> str:
    """What follows on a hand."""
    deal = state.deal
    if state.over:
        return "the game is over"
    return f"next: {_name_round(deal.wind)} round, seat {deal.dealer} deals"


def describe_seating(state: State) -> str:
    """Who sits where, after a colon; nothing if nobody has a name, and everybody sits as at first."""
    if not any(state.names) and state.seated == (0, 1, 2, 3):
        return ""
    people = (state.names[person] or f"player {person}" for person in state.seated)
    return ": " + ", ".join(f"seat {seat} {name}" for seat, name in enumerate(people))


def describe_round(hand: HandState) -> str:
    """The hand's round and dealer."""
    return f"{_name_round(hand.deal.wind)} round, seat {hand.deal.dealer} deals"


def describe_tiles(player: Player) -> str:
    """The player's tiles: concealed ones in order, melds, flowers."""
    concealed = format_tiles(sorted(player.concealed))
    hidden = f"{player.hidden} unseen" if player.hidden else ""
    melds = ["K????" if laid.meld is None else str(laid.meld) for laid in player.melds]
    return " ".join(part for part in (concealed, hidden, *melds, format_tiles(player.flowers)) if part)


def format_sure(p: float) -> str:
    """How sure something is, in whole percent, never more than it is."""
    return f"{int(100 * p)}% sure"


def describe_wall(state: State) -> tuple[str, str]:
    """The number of tiles left in the live wall, and the place of the next one; nothing between hands."""
    if state.hand is None or not state.playing:
        return "", ""
    wall = state.hand.wall
    at = _format_place(wall.replacement_place if state.hand.owed else wall.next_place)
    sea = wall.live_left - wall.before_sea
    return f"{wall.before_sea}+{sea}" if sea and wall.before_sea else str(wall.live_left), at


def format_points(points: Sequence[int]) -> str:
    """What each seat gets."""
    return " ".join(write_number(each, signed=True) for each in points)


def _format_place(place: WallPlace | None) -> str:
    return "" if place is None else f"{place.side}.{place.stack} {LAYERS[place.layer]}"


def _join_amounts(points: dict[int, int], verb: str, verbs: str) -> str:
    """What each of these seats pays or gets, those of the same amount together."""
    parts = []
    for amount in dict.fromkeys(points.values()):
        seats = [str(seat) for seat, each in points.items() if each == amount]
        if seats[1:]:
            parts.append(f"seats {', '.join(seats[:-1])} and {seats[-1]} {verbs} {write_number(amount)} each")
        else:
            parts.append(f"seat {seats[0]} {verb} {write_number(amount)}")
    return ", ".join(parts)


def _name_round(wind: int) -> str:
    return ROUNDS[wind % len(ROUNDS)]


def _describe_value(result: HandResult) -> str:
    """What a win is worth, and for which rows."""
    score = result.score
    counted = [line for line in score.lines if not converts(RULE_SETS[score.rules], line.id)]
    rows = ", ".join(f"{line.name} {format_worth(line.value, score.unit)}" for line in counted)
    return str(describe_worth(score)) + (f" ({rows})" if rows else "")


CLEAR_LINE = "\r\x1b[K"
"""Back to its beginning, and delete it (ECMA-48, EL)."""


class ProgressLine:
    """Shows nothing if stderr is no terminal. Clear it before anything else is printed."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._is_shown = False

    def show(self, text: str) -> None:
        """Show this in place of what was shown before."""
        if self._is_terminal:
            self._write(f"{CLEAR_LINE}{escape(text)}")
            self._is_shown = True

    def clear(self) -> None:
        """Show nothing any more."""
        if self._is_shown:
            self._write(CLEAR_LINE)
            self._is_shown = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def format_time(t: float) -> str:
    """Minutes and whole seconds."""
    return f"{int(t // 60)}:{int(t % 60):02}"
