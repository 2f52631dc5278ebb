"""All tiles of a picture decided together: a game has only so many copies of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK, BOX, KINDS, SET_144, UNKNOWN, TileSet
from companion.vision.networks import NO_TILE

# A tile whose likeliest kind has less is "?". On drawn tables in training designs 0.6, 0.7 and 0.8 cost the
# same when a name that is wrong counts as four tiles to look at; 0.9 costs more.
CERTAIN = 0.7
NO_TILE_SHARE = 0.35  # belief from which on a find is dropped: what is hardly a tile is no work for a person
STRANGE = (
    0.02  # belief beforehand that a tile is none that the game has left: of another set, or a fifth copy
)
MEANT = 0.05  # of the kinds of a strange tile, those that it may be
ALTERNATIVES = 4
NEGLIGIBLE = 1e-3  # probability of more copies than there are from which on a kind is contended for
ROUNDS, SETTLED = 60, 1e-5  # of the messages between tiles and kinds
COPIES = {kind.code: SET_144.copies[kind.index] for kind in KINDS}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a tile is: as `TileReading`."""

    code: str
    p: float
    alternatives: tuple[tuple[str, float], ...]


def decided(
    shares: NDArray[np.float32], labels: Sequence[str], tile_set: TileSet | None
) -> list[Decision | None]:
    """Beliefs (n, labels) of n tiles → what each is, None for what is rather no tile.

    A flower is as much rarer beforehand as it has fewer copies. Beliefs are those that remain when it is
    known how many copies of each kind there are (exact where one kind is contended for, by loopy belief
    propagation where several are). With a tile set no more copies are told than it has, and a tile that is
    rather none of the game's is "?". Without, it is what any box of tiles has that speaks against a sixth
    bird or a second plum; what looks surely like one is told as such.
    """
    tiles = [at for at, share in enumerate(shares[:, labels.index(NO_TILE)]) if share <= NO_TILE_SHARE]
    codes = [label for label in labels if label != NO_TILE]
    read = shares[np.ix_(tiles, [labels.index(code) for code in codes])].astype(float)
    believed = _as_often_as_copies(read, codes)
    result: list[Decision | None] = [None] * len(shares)
    copies = {kind.code: (tile_set or BOX).copies[kind.index] for kind in KINDS}
    remaining, strange = limited(believed, np.array([copies.get(code, len(tiles)) for code in codes]))
    shown = remaining + strange[:, None] * believed
    if tile_set is None:
        told = [_decision(codes, row, row) for row in shown]
    else:
        told = [_decision(codes, *each) for each in zip(shown, remaining, strange, strict=True)]
        told = _within(told, copies)
    for at, decision in zip(tiles, told, strict=True):
        result[at] = decision
    return result


def _as_often_as_copies(believed: Floats, codes: Sequence[str]) -> Floats:
    """Beliefs (n, k) of a reader that met all kinds equally often → the same where a kind comes as often as
    it has copies; what is believed to be a back remains."""
    chances = np.array([COPIES.get(code, 0) for code in codes], float)
    faces = believed * chances
    scale = believed[:, chances > 0].sum(axis=1) / np.maximum(faces.sum(axis=1), 1e-300)
    result: Floats = np.where(chances > 0, faces * scale[:, None], believed)
    return result


def _decision(codes: Sequence[str], shown: Floats, told: Floats, strange: float = 0.0) -> Decision:
    """shown: beliefs in each code; told: of these, that it is one of the game's; strange: that it is none."""
    order = np.argsort(-shown, kind="stable")[:ALTERNATIVES].tolist()
    if strange > 1 - CERTAIN:
        order = [at for at in order if shown[at] >= MEANT or at == order[0]]
    alternatives = tuple((codes[at], float(shown[at])) for at in order)
    code, p = alternatives[0]
    return Decision(code if told[order[0]] >= CERTAIN else UNKNOWN, p, alternatives)


def _within(told: Sequence[Decision], copies: dict[str, int]) -> list[Decision]:
    """No more copies than there are: of too many, the least believed become "?"."""
    left = Counter(copies)
    left[BACK] = left[UNKNOWN] = len(told)
    result = list(told)
    for at in sorted(range(len(told)), key=lambda i: -told[i].p):
        left[told[at].code] -= 1
        if left[told[at].code] < 0:
            result[at] = replace(told[at], code=UNKNOWN)
    return result


def limited(believed: Floats, most: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Beliefs (n, k) of n independent tiles in k kinds, of which there are at most `most` (k,) → the beliefs
    when this is known (n, k), and that a tile keeps to no limit (n,); each row and its last add up to what
    the row did before."""
    belief = believed.sum(axis=1)
    kinds = np.where(most > 0, believed, 0.0) * (1 - STRANGE)
    strange = STRANGE * belief
    of_each = kinds / np.maximum(kinds.sum(axis=1) + strange, 1e-300)[:, None]
    contended = np.flatnonzero(_too_many(of_each, most) > NEGLIGIBLE)
    heard = np.ones((len(believed), len(contended)))
    here = kinds[:, contended]
    elsewhere = kinds.sum(axis=1) - here.sum(axis=1) + strange
    for _ in range(ROUNDS if len(contended) else 0):
        weighed = here * heard
        others = elsewhere[:, None] + weighed.sum(axis=1, keepdims=True) - weighed
        share = here / (here + np.maximum(others, 1e-300))
        before, heard = heard, np.empty_like(heard)
        for count in set(most[contended].tolist()):
            alike = most[contended] == count
            heard[:, alike] = _room(share[:, alike], count)
        if len(contended) > 1:
            heard = (heard + before) / 2
        if np.abs(heard - before).max() < SETTLED:
            break
    kinds[:, contended] = here * heard
    scale = belief / (kinds.sum(axis=1) + strange)
    return kinds * scale[:, None], strange * scale


def _too_many(share: Floats, most: NDArray[np.intp]) -> Floats:
    """The probability (k,) of more than `most` (k,) of n tiles that are of k kinds with `share` (n, k)."""
    counts = np.zeros((share.shape[1], int(most.max(initial=0)) + 1))
    counts[:, 0] = 1.0
    for row in share:
        counts = _one_more(counts, row)
    upto = np.cumsum(counts, axis=1)
    result: Floats = 1 - upto[np.arange(len(most)), most]
    return result


def _room(share: Floats, most: int) -> Floats:
    """For each of n tiles that are of each of k kinds with probability `share` (n, k): how much less likely
    its limit holds when this tile is of it than when not: P(others < most) / P(others ≤ most)."""
    n, k = share.shape
    ahead = np.zeros((n + 1, k, most + 1))  # how many of the first i are of the kind, up to `most`
    behind = np.zeros((n + 1, k, most + 1))
    ahead[0, :, 0] = behind[n, :, 0] = 1.0
    for i in range(n):
        ahead[i + 1] = _one_more(ahead[i], share[i])
        behind[n - 1 - i] = _one_more(behind[n - i], share[n - 1 - i])
    upto = np.cumsum(behind[1:], axis=2)  # (n, k, most + 1): at most j of those behind
    fits = (ahead[:-1] * upto[:, :, ::-1]).sum(axis=2)
    spare = (ahead[:-1, :, :-1] * upto[:, :, -2::-1]).sum(axis=2)
    result: Floats = spare / np.maximum(fits, 1e-300)
    return result


def _one_more(counts: Floats, share: Floats) -> Floats:
    """Probabilities (k, most + 1) of 0..most tiles of each kind when one more is of it with probability
    `share` (k,)."""
    result = counts * (1 - share)[:, None]
    result[:, 1:] += counts[:, :-1] * share[:, None]
    return result
