"""`companion rules`: the rule sets, their rows and house options, and profiles of these that are saved."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from companion import profiles
from companion.commands import described
from companion.commands.inputs import AsJson
from companion.commands.output import console, format_setting, format_worth, print_json
from companion.errors import InputError, quote
from companion.rules.profile import Profile, make_profile, profile_json
from companion.rules.win import Options

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

ROW_VALUE_WIDTH = 5
TABLES = {
    "factor": "Rows that multiply the points",
    "payer": "Rows that change what one player pays",
    "cash": "Rows paid in addition to the win, whoever wins",
}
"""Headings of the tables that are the same in all games."""
COUNTED = {"multiplier": "counted as a multiplier"}
"""How the value of a hand is counted, where its unit is not a thing that is counted."""
RULINGS = "The code next to a row or option is its ruling."


def rules(
    name: Annotated[
        str | None, typer.Argument(metavar="RULES", help="One rule set; an overview of all without it.")
    ] = None,
    profile_name: Annotated[
        str | None,
        typer.Option(
            "--profile", metavar="NAME", help="Show the settings of this profile, a name or a file."
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--option", metavar="KEY=VALUE", help="Show, or save, this setting; may be repeated."),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="NAME", help="Save all house options, as shown, as a profile."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="With --save: replace a profile that has other settings.")
    ] = False,
    list_profiles: Annotated[bool, typer.Option("--profiles", help="List the saved profiles.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the rule sets, their rows, and their house options; save your table's options as a profile.

    A profile is a file with every house option, so that an old game is scored as it was played. For example:
    companion rules hefei --option win_row=0 --save home, and then companion score --profile home …
    """
    if list_profiles:
        if name or profile_name or option or save:
            raise InputError("--profiles lists all profiles: give nothing else with it but --json.")
        _list_profiles(as_json)
        return
    chosen = _choose(name, profile_name, option or [])
    if force and save is None:
        raise InputError("--force goes with --save NAME only.")
    if save is not None:
        if chosen is None:
            raise InputError("--save needs a rule set: companion rules RULES --option KEY=VALUE --save NAME.")
        _save(save, chosen, force, as_json)
    elif chosen is None:
        _show_all(as_json)
    else:
        ready = None if profile_name is None else profiles.find_named(profile_name)
        _show_one(chosen, as_json, ready, with_settings=bool(profile_name or option))


def _choose(name: str | None, profile_name: str | None, options: list[str]) -> Profile | None:
    """The rule set with the settings that were asked for, None where no rule set was named."""
    from companion.rules import rule_set

    base = described.load_profile(profile_name)
    if name is not None:
        rules_name = _find_rules(name)
    elif base is not None:
        rules_name = base.rules
    elif options:
        raise InputError("--option needs a rule set: companion rules RULES --option KEY=VALUE.")
    else:
        return None
    if base is not None and rules_name != base.rules:
        raise InputError(
            "The profile {profile} is for {rules}, not for {name}: leave {name} out.",
            profile=quote(profile_name), rules=base.rules, name=rules_name,
        )  # fmt: skip
    settings = described.options_from_flags(options)
    with described.name_flags_in_errors({}):
        return make_profile(rule_set(rules_name), {**(base.settings if base else {}), **settings})


def _find_rules(name: str) -> str:
    try:
        return described.find_rules_name(name, "RULES")
    except InputError:
        if name not in profiles.names():
            raise
        raise InputError(
            "{name} is a profile, not a rule set: companion rules --profile {profile} shows it.",
            name=quote(name), profile=name,
        ) from None  # fmt: skip


def _save(name: str, chosen: Profile, force: bool, as_json: bool) -> None:
    path = profiles.path_of(name)
    if path.exists() and not force and not _is_same(name, chosen):
        raise InputError(
            "A profile {name} with other settings exists: choose another name, or replace it with --force.",
            name=quote(name),
        )
    profiles.save(name, chosen)
    if as_json:
        print_json({"name": name, "file": str(path), **profile_json(chosen)})
        return
    out = console()
    out.print(f"Saved the profile {name} of {chosen.rules}: {path}")
    changed = _list_changed(chosen)
    out.print(f"  {', '.join(changed)}" if changed else "  every house option at its default")
    out.print(f"Use it by --profile {name}, with companion score, score-photo and games begin.")


def _is_same(name: str, chosen: Profile) -> bool:
    try:
        kept = profiles.load(name)
    except InputError:
        return False
    return (kept.rules, kept.settings) == (chosen.rules, chosen.settings)


def _list_changed(chosen: Profile) -> list[str]:
    """The settings that are not the defaults, as --option takes them."""
    return [f"{key}={format_setting(value)}" for key, value in chosen.changed.items()]


def _list_profiles(as_json: bool) -> None:
    found = [(name, profiles.path_of(name)) for name in profiles.names()]
    entries: list[dict[str, Any]] = []
    out = console()
    for name, path in found:
        entry: dict[str, Any] = {"name": name, "file": str(path)}
        try:
            kept = profiles.load(name)
        except InputError as problem:
            entries.append(entry | {"error": str(problem)})
            shown = str(problem)
        else:
            entries.append(entry | profile_json(kept))
            shown = f"{kept.rules}: {', '.join(_list_changed(kept)) or 'every house option at its default'}"
        if not as_json:
            out.print(f"{name}  {shown}")
    ready_made = [each for each in profiles.READY_MADE if profiles.find_named(each.name)]
    if as_json:
        print_json(entries + [_ready_made_json(each) for each in ready_made])
    elif found:
        out.print(f"\nTheir files are in {profiles.folder()}; to delete a profile, delete its file.")
    else:
        out.print("No profile is saved. companion rules RULES --option KEY=VALUE --save NAME saves one.")
    if not as_json:
        out.print("\nReady-made, for --profile too:", style="bold")
        for each in ready_made:
            _show_ready_made(out, each)


def _ready_made_json(ready: profiles.ReadyMade) -> dict[str, Any]:
    """A ready-made profile with what it says of itself, and its settings."""
    kept = profile_json(profiles.load(str(ready.path)))
    named = {"name": ready.name, "file": str(ready.path), "ready_made": True}
    said = {
        "title": ready.title,
        "meaning": ready.meaning,
        "written": ready.written,
        "checked": ready.checked,
    }
    return named | said | kept


def _show_ready_made(out: Console, ready: profiles.ReadyMade) -> None:
    from rich.padding import Padding
    from rich.text import Text

    out.print(f"{ready.name}: {ready.title}", style="bold")
    for said in (ready.meaning, ready.written, ready.checked):
        out.print(Padding(Text(said, overflow="fold"), (0, 0, 0, 2)), soft_wrap=False)


def _show_all(as_json: bool) -> None:
    from rich.table import Table

    from companion.rules import RULE_SETS, describe

    all_ = [describe(each) for each in RULE_SETS.values()]
    if as_json:
        print_json(all_)
        return
    out = console()
    table = Table()
    for heading in ("rule set", "name", "unit"):
        table.add_column(heading)
    for heading in ("tiles", "hand", "rows", "options"):
        table.add_column(heading, justify="right")
    for each in all_:
        names = (each["name"], f"{each['title']} {each['title_zh']}", each["unit"])
        numbers = (each["tiles"], each["hand_size"], len(each["rows"]), len(each["options"]))
        table.add_row(*names, *map(str, numbers))
    out.print(table)
    out.print("companion rules NAME lists the rows and house options of one.")


def _show_one(
    chosen: Profile, as_json: bool, ready: profiles.ReadyMade | None, *, with_settings: bool
) -> None:
    from companion.rules import describe, rule_set

    if as_json:
        shown = describe(rule_set(chosen.rules))
        settings = {"settings": profile_json(chosen)} if with_settings else {}
        print_json(shown | settings | ({"ready_made": _ready_made_json(ready)} if ready else {}))
        return
    shown = describe(rule_set(chosen.rules), chosen.options)
    out = console()
    if ready is not None:
        _show_ready_made(out, ready)
        out.print()
    out.print(
        f"{shown['title']} {shown['title_zh']} ({shown['name']}): {shown['tiles']} tiles, "
        f"{shown['hand_size']} in a hand, {COUNTED.get(shown['unit'], 'counted in ' + shown['unit'])}",
        style="bold",
    )
    changed = _list_changed(chosen)
    if with_settings:
        out.print(f"Settings that are not the default: {', '.join(changed) or 'none'}")
    out.print(RULINGS)
    _print_heading(out, "When a hand wins")
    defaults = {option["key"]: option["default"] for option in shown["options"]}
    shapes = [("", shape["name"], _describe_shape(shape, defaults)) for shape in shown["shapes"]]
    out.print(_make_entries(shapes, 1))
    needed = _describe_suit_needs(chosen)
    if needed:
        out.print(_make_entries([("", "and", needed)], 1))
    for table, rows in groupby(shown["rows"], key=lambda row: row["table"]):
        _print_heading(out, TABLES.get(table, f"Rows: {table.replace('_', ' ')}"))
        named = [
            (format_worth(row["value"], shown["unit"], table), f"{row['name']} {row['name_zh']}", row)
            for row in rows
        ]
        out.print(_make_entries(named, ROW_VALUE_WIDTH))
    _print_heading(out, "Stakes: --stakes KEY=N,KEY=N; each payment is base + unit × value")
    stakes = [
        ("", f"{stake['key']} = {stake['default']}, or any whole number", stake) for stake in shown["stakes"]
    ]
    out.print(_make_entries(stakes, 1))
    _print_heading(out, "House options: --option KEY=VALUE, the default comes first")
    out.print(
        _make_entries(
            [("", _format_option(option, chosen.options), option) for option in shown["options"]], 1
        )
    )
    _print_heading(out, "House options of play: --option KEY=VALUE, of games and profiles")
    out.print(
        _make_entries(
            [("", _format_option(option, chosen.play), option) for option in shown["play_options"]], 1
        )
    )
    if shown["situations"]:
        _print_heading(out, "Situations: --situation NAME")
        named = [
            ("", s["id"], {"meaning": s["name"], "meaning_zh": s["name_zh"]}) for s in shown["situations"]
        ]
        out.print(_make_entries(named, 1))


def _describe_shape(shape: Mapping[str, Any], defaults: Options) -> Mapping[str, str]:
    """The words for a winning shape, as for any other entry."""
    option = shape["option"]
    needed = "true" if type(defaults.get(option)) is bool else "not 0"
    needed_zh = "为 true" if type(defaults.get(option)) is bool else "不为 0"
    where = f"Where the house option {option} is {needed}." if option else ""
    where_zh = f"（须选项 {option} {needed_zh}）" if option else ""
    return {"meaning": where, "meaning_zh": shape["name_zh"] + where_zh}


def _describe_suit_needs(chosen: Profile) -> Mapping[str, str] | None:
    """What the game asks for of one suit, where it does."""
    from companion.rules import rule_set

    quota = rule_set(chosen.rules).quota
    if quota is None:
        return None
    least = max(quota.needs((), chosen.options))
    return {
        "meaning": f"At least {least} tiles of one suit, melds included.",
        "meaning_zh": f"至少有一门花色达到{least}张（含副露）。",
    }


def _print_heading(out: Console, text: str) -> None:
    out.print(f"\n{text}", style="bold")


def _make_entries(entries: list[tuple[str, str, Mapping[str, Any]]], value_width: int) -> RenderableType:
    """Each with its value, its name and ruling, and below them what it means in English and Chinese."""
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(justify="right", width=value_width, no_wrap=True)
    grid.add_column(ratio=1, overflow="fold")
    grid.add_column(justify="right", no_wrap=True)
    for value, name, entry in entries:
        grid.add_row(value, name, entry.get("ruling", ""))
        meaning = Text(f"{entry['meaning']} {entry['meaning_zh']}".lstrip(), overflow="fold")
        grid.add_row("", Padding(meaning, (0, 0, 0, 2)))
    return grid


def _format_option(option: Mapping[str, Any], settings: Options) -> str:
    """An option as KEY = its settings, the default first; one in force that is not the default is named."""
    now, default, values = settings[option["key"]], option["default"], option["values"]
    if isinstance(values, dict):
        allowed = f"{format_setting(default)}, or {values['least']} to {values['most']}"
    else:
        allowed = " | ".join(
            format_setting(value) for value in [default, *(v for v in values if v != default)]
        )
    return f"{option['key']} = {allowed}" + (f"   now {format_setting(now)}" if now != default else "")
