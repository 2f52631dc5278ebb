"""What a drawn table says: who sits where, how far the hand has come, the Sea Floor. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

from companion.app.text import list_names
from companion.app.widgets.lying import is_unrecorded
from companion.rules.hand import WINDS
from companion.sentences import msgid
from companion.sheets.wording import describe_streak, say_total
from companion.table.state import Deal, HandState, Phase, State
from companion.words import Words

WIND_NAMES = (msgid("East"), msgid("South"), msgid("West"), msgid("North"))
DEALS = (msgid("{wind} 1"), msgid("{wind} 2"), msgid("{wind} 3"), msgid("{wind} 4"))
"""What the deals of a round are called, by the number of players who have dealt in it."""


@dataclass(frozen=True, slots=True)
class Plate:
    """What stands at a seat: the name, the points, what is true of the dealer, and the seat's wind, in
    words."""

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
        plates[seat] = Plate(words(names[seat]), say_total(balances[seat]), " · ".join(about), wind)
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
    """What is said of the Sea Floor; None before it."""
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
