"""What the first page says of games, houses and players. No Kivy."""

from __future__ import annotations

from datetime import datetime

from companion.app.home.houses import House
from companion.app.home.state import Found
from companion.app.widgets.game_words import describe_play, describe_rules, name_rules
from companion.history.glance import GameGlance
from companion.sheets.wording import say_total
from companion.words import Words
from companion.words.filling import SEAT_NAMES


def name_house(house: House, words: Words) -> str:
    if house.title:
        return words(house.title)
    return house.name if house.is_saved else name_rules(house.rules, words)


def describe_house(house: House, words: Words) -> str:
    """In one line what is special about it."""
    if house.trouble:
        return words.say(house.trouble)
    if house.meaning:
        return words("Ready-made · {meaning}", meaning=words(house.meaning))
    if house.profile is None:
        return describe_rules(house.rules, words)
    changed = len(house.profile.changed)
    game = name_rules(house.rules, words)
    if not changed:
        return words("{game} · nothing changed", game=game)
    return words("{game} · {count} house rules of your own", game=game, count=changed)


def describe_house_play(house: House, words: Words) -> str:
    """What holds at that table, as far as people ask before they begin."""
    return "" if house.trouble else describe_play(house.rules, house.profile, words)


def name_seat(names: tuple[str, ...], seat: int, words: Words) -> str:
    """Who sits there; without a name, where."""
    return names[seat] if names and names[seat] else words(SEAT_NAMES[seat])


def say_when(at: datetime, now: datetime, words: Words) -> str:
    """The day and the time; times have a time zone."""
    local, today = at.astimezone(), now.astimezone().date()
    if local.date() == today:
        return words("today, {time}", time=local.strftime("%H:%M"))
    if (today - local.date()).days == 1:
        return words("yesterday, {time}", time=local.strftime("%H:%M"))
    return local.strftime("%Y-%m-%d, %H:%M")


def describe_players(game: GameGlance, words: Words) -> str:
    """Each with the points."""
    return "  ·  ".join(f"{name} {points}" for name, points in list_scores(game, words))


def list_scores(game: GameGlance, words: Words) -> list[tuple[str, str]]:
    """The people, each with the points."""
    return [
        (name_seat(game.names, seat, words), say_total(points)) for seat, points in enumerate(game.points)
    ]


def describe_game(game: GameGlance, now: datetime, words: Words) -> str:
    """Rules, hands and when it was played last."""
    said = [
        name_rules(game.rules, words),
        words("{count} hands played", count=game.hands),
        say_when(game.at, now, words),
    ]
    if game.practice:
        said.insert(0, words("Practice game"))
    if game.over:
        said.append(words("ended"))
    return "  ·  ".join(said)


def describe_found(found: Found | None, words: Words) -> str:
    """What is connected, in one line."""
    if found is None:
        return words("Looking for cameras and devices …")
    cameras = ", ".join(found.cameras[:2]) if found.cameras else words("none: everything works by touch")
    devices = ", ".join(found.devices[:2]) if found.devices else words("none found")
    return words("Camera: {cameras}  ·  Devices: {devices}", cameras=cameras, devices=devices)
