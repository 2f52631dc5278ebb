"""All tiles of a picture decided together, as a game has a limited number of copies of each kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from companion.tiles import BACK, BOX, KINDS, SET_144, UNKNOWN, TileSet
from companion.vision.candidates import Candidates
from companion.vision.networks import NO_TILE

# A tile whose likeliest kind has less is "?". On drawn tables in training designs 0.6, 0.7 and 0.8 cost the
# same when a name that is wrong counts as four tiles to look at; 0.9 costs more.
CERTAIN = 0.7
NO_TILE_MAX = 0.35  # candidates with more are dropped: what is hardly a tile is no work for a person
# Beforehand, that a tile is none that the game has left: of another set, or a fifth copy.
STRANGE = 0.02
PLAUSIBLE = 0.05  # of the kinds of a strange tile, those that it may be
ALTERNATIVES = 4
NEGLIGIBLE = 1e-3  # probability of more copies than there are, up to which a kind is not contended for
ROUNDS, SETTLED = 60, 1e-5  # of the messages between tiles and kinds
COPIES = {kind.code: SET_144.copies[kind.index] for kind in KINDS}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Decision:
    """What a tile is, with the fields of `TileReading`."""

    code: str
    p: float
    alternatives: tuple[tuple[str, float], ...]


def drop_non_tiles(candidates: Candidates) -> Candidates:
    """Those that are tiles: "none" has at most NO_TILE_MAX."""
    return candidates[candidates.probability_of(NO_TILE) <= NO_TILE_MAX]


def decide_codes(candidates: Candidates, tile_set: TileSet | None) -> list[Decision]:
    """What each candidate is, if it is a tile; all of one picture, as they share its copies.

    A kind is the rarer beforehand the fewer copies it has. The probabilities are those that remain when it is
    known how many copies of each kind there are (exact where one kind is contended for, by loopy belief
    propagation where several are). With a tile set no kind is named more often than it has copies, and a tile
    that is probably none of the game's is "?". Without, the copies that any box of tiles has speak against a
    sixth bird or a second plum, but what certainly looks like one is named as one.
    """
    labels = candidates.labels
    codes = [label for label in labels if label != NO_TILE]
    columns = [labels.index(code) for code in codes]
    read = candidates.probabilities.take(columns, axis=1).astype(float)
    weighted = _weight_by_copies(read, codes)
    copies = {kind.code: (tile_set or BOX).copies[kind.index] for kind in KINDS}
    n = len(candidates)
    remaining, strange = limit_copies(weighted, np.array([copies.get(code, n) for code in codes]))
    shown = remaining + strange[:, None] * weighted
    if tile_set is None:
        remaining, strange = shown, np.zeros(n)
    likeliest = np.argsort(-shown, axis=1, kind="stable")[:, :ALTERNATIVES].tolist()
    decisions = [_decide(codes, *each) for each in zip(likeliest, shown, remaining, strange, strict=True)]
    return decisions if tile_set is None else _drop_excess_copies(decisions, copies)


def _weight_by_copies(probabilities: Floats, codes: Sequence[str]) -> Floats:
    """The probabilities (n, k) of a reader that met all kinds equally often, made those of a game where a
    kind comes as often as it has copies; that of a back stays."""
    chances = np.array([COPIES.get(code, 0) for code in codes], float)
    faces = probabilities * chances
    scale = probabilities[:, chances > 0].sum(axis=1) / np.maximum(faces.sum(axis=1), 1e-300)
    result: Floats = np.where(chances > 0, faces * scale[:, None], probabilities)
    return result


def _decide(
    codes: Sequence[str], order: list[int], shown: Floats, of_game: Floats, strange: float
) -> Decision:
    """order: the likeliest codes, best first; shown: the probability of each code; of_game: of these, that it
    is one of the game's; strange: that it is none of them."""
    if strange > 1 - CERTAIN:
        order = [at for at in order if shown[at] >= PLAUSIBLE or at == order[0]]
    alternatives = tuple((codes[at], float(shown[at])) for at in order)
    code, p = alternatives[0]
    return Decision(code if of_game[order[0]] >= CERTAIN else UNKNOWN, p, alternatives)


def _drop_excess_copies(decisions: Sequence[Decision], copies: dict[str, int]) -> list[Decision]:
    """The decisions with no more copies than there are: of too many, the least probable become "?"."""
    left = Counter(copies)
    left[BACK] = left[UNKNOWN] = len(decisions)
    result = list(decisions)
    for at in sorted(range(len(decisions)), key=lambda i: -decisions[i].p):
        left[decisions[at].code] -= 1
        if left[decisions[at].code] < 0:
            result[at] = replace(decisions[at], code=UNKNOWN)
    return result


def limit_copies(probabilities: Floats, most: NDArray[np.intp]) -> tuple[Floats, Floats]:
    """Probabilities (n, k) of n independent tiles in k kinds, of which there are at most `most` (k,) → the
    probabilities when this is known (n, k), and that a tile keeps to no limit (n,); each row and its last add
    up to what the row did before."""
    whole = probabilities.sum(axis=1)
    kinds = np.where(most > 0, probabilities, 0.0) * (1 - STRANGE)
    strange = STRANGE * whole
    of_each = kinds / np.maximum(kinds.sum(axis=1) + strange, 1e-300)[:, None]
    contended = np.flatnonzero(_excess_probabilities(of_each, most) > NEGLIGIBLE)
    room = np.ones((len(probabilities), len(contended)))
    here = kinds[:, contended]
    elsewhere = kinds.sum(axis=1) - here.sum(axis=1) + strange
    for _ in range(ROUNDS if len(contended) else 0):
        weighted = here * room
        others = elsewhere[:, None] + weighted.sum(axis=1, keepdims=True) - weighted
        share = here / (here + np.maximum(others, 1e-300))
        before, room = room, np.empty_like(room)
        for count in set(most[contended].tolist()):
            alike = most[contended] == count
            room[:, alike] = _compute_room(share[:, alike], count)
        if len(contended) > 1:
            room = (room + before) / 2
        if np.abs(room - before).max() < SETTLED:
            break
    kinds[:, contended] = here * room
    scale = whole / (kinds.sum(axis=1) + strange)
    return kinds * scale[:, None], strange * scale


def _excess_probabilities(share: Floats, most: NDArray[np.intp]) -> Floats:
    """The probability (k,) of more than `most` (k,) of n tiles that are of k kinds with `share` (n, k)."""
    result = np.zeros(len(most))
    limited = np.flatnonzero(most < len(share))
    if not len(limited):
        return result
    counts = _count_each(share[:, limited], int(most[limited].max()))
    while (n := counts.shape[1]) > 1:
        pairs = _add_counts(counts[:, 0 : n - 1 : 2], counts[:, 1:n:2])
        counts = np.concatenate([pairs, counts[:, n // 2 * 2 :]], axis=1)
    upto = np.cumsum(counts[:, 0], axis=0)
    result[limited] = 1 - upto[most[limited], np.arange(len(limited))]
    return result


def _compute_room(share: Floats, most: int) -> Floats:
    """For each of n tiles that are of each of k kinds with probability `share` (n, k): how much less likely
    its limit holds when this tile is of it than when not: P(others < most) / P(others ≤ most)."""
    each = _count_each(share, most)
    ahead, behind = _count_before(each), _count_before(each[:, ::-1])[:, ::-1]
    upto = np.cumsum(behind, axis=0)  # (most + 1, n, k): at most j of those behind
    fits = (ahead * upto[::-1]).sum(axis=0)
    spare = (ahead[:-1] * upto[-2::-1]).sum(axis=0)
    result: Floats = spare / np.maximum(fits, 1e-300)
    return result


def _count_each(share: Floats, most: int) -> Floats:
    """Probabilities (most + 1, n, k) of 0..most tiles of each kind in each one tile, which is of it with
    `share` (n, k)."""
    counts = np.zeros((most + 1, *share.shape))
    counts[0] = 1 - share
    counts[1:2] = share
    return counts


def _count_before(counts: Floats) -> Floats:
    """Probabilities (most + 1, n, k) of 0..most tiles of each kind before each of n tiles, by those in each
    one: in the one before it, in the 2, 4, 8, … before it (the scan of Hillis and Steele 1986)."""
    none = np.zeros_like(counts[:, :1])
    none[0] = 1.0
    counts = np.concatenate([none, counts[:, :-1]], axis=1)
    step = 1
    while step < counts.shape[1]:
        added = _add_counts(counts[:, step:], counts[:, :-step])
        counts = np.concatenate([counts[:, :step], added], axis=1)
        step *= 2
    return counts


def _add_counts(one: Floats, other: Floats) -> Floats:
    """Probabilities (most + 1, n, k) of 0..most tiles of each kind in two groups together."""
    result: Floats = one[0] * other
    for count in range(1, len(one)):
        result[count:] += one[count] * other[:-count]
    return result
