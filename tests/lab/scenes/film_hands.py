"""Hands of real games, for the tests of films."""

from __future__ import annotations

import random
from functools import cache

import numpy as np

from companion.coach.play.simulation import PlayedHand, play
from companion.game.game import pin_options
from companion.table.events import GameStarted
from lab.film.customs import Customs, Places, choose_customs


@cache
def play_hand(rules: str, seed: int) -> PlayedHand:
    """One hand of built-in players."""
    start = pin_options(GameStarted(rules=rules))
    assert isinstance(start, GameStarted)
    return next(play(start, 1, random.Random(seed)))


def make_places(hand: PlayedHand, seed: int, customs: Customs | None = None) -> Places:
    """The places of a table for that hand, for tiles of the usual size."""
    state = hand.steps[0].state
    wall = state.house.wall
    flowers = wall.tile_set.total > 136
    customs = customs or choose_customs(
        np.random.default_rng(seed), hand.start.rules, flowers=flowers, public_kongs=False, calm=True
    )
    return Places((26.0, 35.0, 20.0), wall.stacks(hand.before.deal.dealer), sum(wall.deal), customs, seed)
