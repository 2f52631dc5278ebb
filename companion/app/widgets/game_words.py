"""Words for games: their names, house options, currencies, and the texts of a drawn table (seats, progress of
the hand, tiles left). No Kivy."""

from __future__ import annotations

import re
from dataclasses import dataclass

from companion.app.text import list_names
from companion.money import Currency
from companion.profiles import suggest_symbol
from companion.rules import RULE_SETS
from companion.rules.hand import WINDS
from companion.rules.options import Option
from companion.rules.profile import Profile, make_profile
from companion.rules.win import BASE, OptionValue
from companion.sentences import msgid, write_number
from companion.sheets.wording import describe_streak
from companion.table.state import Deal, HandState, Laid, Phase, Player, State
from companion.tiles import BACK, MeldKind
from companion.words import Words

FIRST_PART = re.compile(r"[^;:；：]+?(?=[;:；：]|[.。]$|$)")
"""Matches the first part of an option's meaning: the question without its settings."""


def describe_setting(value: OptionValue, words: Words) -> str:
    """A setting; settings that are words are messages, their underscores spaces."""
    if isinstance(value, bool):
        return words("yes") if value else words("no")
    return words(str(value).replace("_", " "))


def describe_option(option: Option, words: Words) -> str:
    """What an option means."""
    return words.both(option.meaning, option.meaning_zh)[0]


def describe_option_set(option: Option, value: OptionValue, words: Words) -> str:
    """How a table plays that has this setting: what the option means, or its question with the answer."""
    meaning = describe_option(option, words)
    if value is True:
        return meaning
    if value is False:
        return words("Off: {meaning}", meaning=meaning)
    asked = FIRST_PART.match(meaning)
    return words("{what}: {value}", what=asked[0] if asked else meaning, value=describe_setting(value, words))


COUNTED_IN = {
    "zui": msgid("zui"),
    "multiplier": msgid("multiples"),
    "tai": msgid("tai"),
    "fan": msgid("fan"),
}
WILD_FIELD = "fortune"
"""The field of a request that games with wild tiles look at."""


def name_rules(rules: str, words: Words) -> str:
    """What people call the game."""
    known = RULE_SETS.get(rules)
    return words.both(known.title, known.title_zh)[0] if known else rules


def describe_rules(rules: str, words: Words) -> str:
    """In one line what makes the game special."""
    known = RULE_SETS[rules]
    said = [
        words("{count} tiles", count=known.tile_set.total),
        words("{count} in hand", count=known.hand_size),
        words("counted in {unit}", unit=words(COUNTED_IN.get(known.unit, known.unit))),
    ]
    if any(known.tile_set.copies[34:]):
        said.append(words("with flowers"))
    if WILD_FIELD in known.uses:
        said.append(words("with wild tiles"))
    return " · ".join(said)


def has_base(rules: str) -> bool:
    """Whether a win of that game costs a base in addition to its value."""
    return BASE in RULE_SETS[rules].stakes


def counts_points(rules: str) -> bool:
    """Whether the unit of that game is one point, so that one number states the stakes."""
    return RULE_SETS[rules].point == 1 and not has_base(rules)


def describe_play(rules: str, profile: Profile | None, words: Words) -> str:
    """How that game is played, by these house rules if there are any: what people ask before they begin.
    What a hand pays and what it takes to win, where the game leaves that to the house, and who deals next."""
    known = RULE_SETS[rules]
    settings = (profile or make_profile(known, {})).settings
    options = {option.key: option for option in known.options}
    said = [describe_option_set(options[key], settings[key], words) for key in known.key_options]
    rotation = known.play.rotation(settings)
    if rotation.to_winner:
        said.append(words("The winner deals next"))
    elif rotation.on_win:
        said.append(words("A winning dealer deals again; otherwise the next player deals"))
    else:
        said.append(words("After a win the next player deals"))
    draw = msgid("After a draw the dealer deals again")
    said.append(words(draw if rotation.on_draw else msgid("After a draw the next player deals")))
    return " · ".join(said)


def list_sample(rules: str) -> list[str]:
    """Tiles that show which set the game has."""
    return [tile.code for tile in RULE_SETS[rules].tile_set.kinds[-3:]]


SYMBOLS = ("NT$", "HK$", "¥", "$", "€", msgid("chips"))
POINTS = ("0.1", "0.5", "1", "2", "5", "10")
COINS = ("0.1", "0.5", "1", "5", "10", "50")


def guess_currency(rules: str) -> Currency:
    """The currency offered first for that game."""
    return Currency(suggest_symbol(rules), "1", "1")


def is_unrecorded(state: State) -> bool:
    """Whether the hand is over, and nobody saw what was discarded before the tile that ended it."""
    hand = state.hand
    if hand is None or state.playing:
        return False
    discards = [tile for player in hand.players for tile in player.discards]
    return len(discards) > 1 and sum(tile is not None for tile in discards) <= 1


def list_melds(player: Player) -> list[list[str]]:
    """The tiles of each meld."""
    return [_list_tiles(laid) for laid in player.melds]


def list_held(player: Player) -> list[str]:
    """The concealed tiles in order, backs for those that nobody saw."""
    return [*(tile.code for tile in sorted(player.concealed)), *[BACK] * player.hidden]


def list_flowers(player: Player) -> list[str]:
    """The flowers that are set out."""
    return [tile.code for tile in player.flowers]


def _list_tiles(laid: Laid) -> list[str]:
    if laid.meld is None:
        return [BACK] * 4
    codes = [tile.code for tile in laid.meld.tiles]
    if laid.kind is MeldKind.KONG_CONCEALED:
        return [BACK, codes[1], codes[2], BACK]
    return codes


WIND_NAMES = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))
DEALS = (msgid("{wind} 1"), msgid("{wind} 2"), msgid("{wind} 3"), msgid("{wind} 4"))
"""Names of the deals of a round, by the number of players who have dealt in it."""


@dataclass(frozen=True, slots=True)
class Plate:
    """The texts at a seat: the name, the points, the dealer's facts, and the seat's wind."""

    name: str
    points: str
    about: str = ""
    wind: str = ""

    @property
    def stands(self) -> str:
        """The wind and the points."""
        return " · ".join(filter(None, (self.wind, self.points)))

    @property
    def below(self) -> str:
        """What stands below the name, in one line."""
        return " · ".join(filter(None, (self.stands, self.about)))


def describe_plates(game: State, words: Words) -> dict[int, Plate]:
    """By seat, those who play."""
    names, balances = list_names(game), game.balances
    deal = _find_deal(game)
    following = [deal.dealer]
    while len(following) < len(game.house.seats):
        following.append(game.house.following[following[-1]])
    plates = {}
    for seat in game.house.seats:
        wind = words(WIND_NAMES[following.index(seat)])
        about = [_describe_dealer(game, deal.streak, words)] if seat == deal.dealer else []
        if game.hand is not None and game.playing and game.hand.players[seat].void:
            about.append(words("may not win"))
        plates[seat] = Plate(words(names[seat]), write_number(balances[seat]), " · ".join(about), wind)
    return plates


def find_turn(game: State) -> int | None:
    """Whose turn it is: the dealer's, who discards first, once no flower of the deal has to be replaced."""
    hand = game.hand
    if hand is None or not game.playing:
        return None
    return hand.deal.dealer if hand.phase is Phase.FLOWERS and not hand.owed else hand.turn


def describe_round(game: State, words: Words) -> str:
    """The round's wind."""
    deal = _find_deal(game)
    return words("{wind} round", wind=words(WIND_NAMES[deal.wind % len(WINDS)]))


def describe_middle(game: State, words: Words) -> str:
    """What stands above in the middle of the table: the round, or that the Sea Floor is reached."""
    hand = game.hand
    at_sea = hand is not None and game.playing and _is_sea(hand)
    return words("Sea Floor") if at_sea else describe_round(game, words)


def describe_deal(game: State, words: Words) -> str:
    """Which deal of the round it is, and how often the dealer deals again: East 2 · repeat 1. Where winners
    deal, the round alone is named."""
    house, deal = game.house, _find_deal(game)
    named = describe_round(game, words)
    if not house.rotation.to_winner:
        dealers = {*deal.dealt, deal.dealer}
        named = words(DEALS[len(dealers) - 1], wind=words(WIND_NAMES[deal.wind % len(WINDS)]))
    return " · ".join(filter(None, (named, _describe_repeat(game, deal.streak, words))))


def describe_left(game: State) -> str:
    """How many tiles are left to draw."""
    return str(game.hand.wall.live_left) if game.hand is not None and game.playing else ""


def describe_coming(game: State, words: Words) -> str:
    """How many tiles are left before the Sea Floor, or what the number above means."""
    hand = game.hand
    if game.over and not game.playing:
        return words("Game over")
    if hand is None or not game.playing:
        return words("Not recorded") if is_unrecorded(game) else words("Between hands")
    if hand.wall.rule.sea and not _is_sea(hand):
        return words("Sea Floor in {count}", count=hand.wall.before_sea)
    return words("tiles left")


def describe_sea(game: State, words: Words) -> str | None:
    """A note about the Sea Floor; None before it."""
    hand = game.hand
    if hand is None or not game.playing or not _is_sea(hand):
        return None
    left = hand.wall.live_left
    return words("Sea Floor · {count} left", count=left) if left else words("Sea Floor · the last tile")


def _is_sea(hand: HandState) -> bool:
    return hand.phase is Phase.SEA or hand.wall.in_sea


def _find_deal(game: State) -> Deal:
    """The deal of the hand in play, else the next one."""
    return game.hand.deal if game.hand is not None and game.playing else game.deal


def _describe_repeat(game: State, streak: int, words: Words) -> str:
    """How often the dealer deals again, by the game's name for it; empty at the first time."""
    rules = game.house.rules
    meaning = rules.meanings.get("streak")
    if meaning is not None and meaning.short:
        return describe_streak(rules, streak, words)
    repeats = streak - rules.streak_default
    return words("repeat {count}", count=repeats) if repeats else ""


def _describe_dealer(game: State, streak: int, words: Words) -> str:
    """That it is the dealer, and the deals in a row by the name that the game has for them."""
    return " · ".join(filter(None, (words("dealer"), describe_streak(game.house.rules, streak, words))))
