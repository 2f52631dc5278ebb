"""What commands print: one JSON document, or tables for people; messages go to stderr, one line each."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console


def use_utf8() -> None:
    """Print UTF-8 whatever the locale; a file name that is none is escaped as JSON escapes it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def print_json(document: object) -> None:
    """A document on one line, written at once: who asks line by line waits for each answer."""
    print(json.dumps(document, ensure_ascii=False), flush=True)


def tell(message: str) -> None:
    """One line on stderr."""
    print("companion:", " ".join(message.split()), file=sys.stderr)


def console() -> Console:
    """Where tables for people go."""
    from rich.console import Console

    return Console(highlight=False, markup=False, soft_wrap=True)


def show_score(result: dict[str, Any], *, winner: int, dealer: int) -> None:
    """A result as `score_json` gives it, as tables: rows, what each player pays, house rules that matter."""
    from rich.table import Table

    out = console()
    if not result["legal"]:
        ruling = f" ({result['ruling']})" if result["ruling"] else ""
        out.print(f"Not a win: {result['reason']}{ruling}", style="bold")
    else:
        table = Table(title=f"{result['value']} {result['unit']}", title_style="bold", title_justify="left")
        for heading in ("row", "行"):
            table.add_column(heading)
        for heading in ("times", result["unit"]):
            table.add_column(heading, justify="right")
        table.add_column("ruling")
        for line in result["lines"]:
            table.add_row(*(str(line[key]) for key in ("name", "name_zh", "count", "value", "ruling")))
        out.print(table)
        _show_reading(out, result["reading"])
    if result["legal"] or any(result["payments"]):
        _show_payments(out, result, winner, dealer)
    if result["house_rules"]:
        table = Table(title="Under other house rules", title_justify="left")
        table.add_column("house option")
        table.add_column("setting")
        table.add_column(result["unit"], justify="right")
        table.add_column("payments by seat")
        for other in result["house_rules"]:
            value = str(other["value"]) if other["legal"] else "no win"
            paid = ", ".join(str(paid) for paid in other["payments"])
            table.add_row(other["option"], json.dumps(other["setting"]), value, paid)
        out.print(table)


def _show_reading(out: Console, reading: dict[str, Any]) -> None:
    groups = [*reading["sets"], *([reading["pair"]] if reading["pair"] else [])]
    waits = f"   waited for: {' '.join(reading['waits'])}" if reading["waits"] else ""
    out.print(f"read as: {' '.join(groups)}{waits}")


def _owed(result: dict[str, Any], share: dict[str, Any]) -> str:
    """How a payer's share comes about: the hand's value, the rows that concern this payer, what each point
    costs."""
    rows = "".join(f" {line['value']:+} {line['name']} {line['name_zh']}" for line in share["lines"])
    points = result["value"] + sum(line["value"] for line in share["lines"])
    if points and share["owed"] % points == 0:
        total = f"{result['value']}{rows} = {points}" if rows else str(points)
        return f"{total} {result['unit']}, {share['owed'] // points} each"
    return f"{result['value']}{rows}"


def _show_payments(out: Console, result: dict[str, Any], winner: int, dealer: int) -> None:
    from rich.table import Table

    owed = {share["payer"]: _owed(result, share) for share in result["shares"]}
    table = Table(title="Payments", title_justify="left")
    table.add_column("seat")
    table.add_column("gets", justify="right")
    table.add_column("reckoned as")
    for seat, amount in enumerate(result["payments"]):
        roles = [role for role, holder in (("winner", winner), ("dealer", dealer)) if holder == seat]
        name = f"{seat} ({', '.join(roles)})" if roles else str(seat)
        table.add_row(name, f"{amount:+}" if amount else "0", owed.get(seat, ""))
    out.print(table)
