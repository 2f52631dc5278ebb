"""What a hand lacks, by trying out draws, groups and wildcards tile by tile: slow, to check tables against.

Counts are of 34 kinds: how many of each are concealed, and how many may still be drawn.
"""

from collections.abc import Iterator, Sequence

Group = tuple[int, ...]
Plan = list[tuple[list[Group], int]]
"""Which groups, and how many of them, a finished hand has; one kind of group after the other."""

PAIRS: list[Group] = [(kind,) * 2 for kind in range(34)]
TRIPLETS: list[Group] = [(kind,) * 3 for kind in range(34)]
SEQUENCES: list[Group] = [(kind, kind + 1, kind + 2) for kind in range(27) if kind % 9 < 7]
SETS = TRIPLETS + SEQUENCES


def standard(sets: int) -> Plan:
    return [(SETS, sets), (PAIRS, 1)]


SEVEN_PAIRS: Plan = [(PAIRS, 7)]
PAIRS_AND_TRIPLET: Plan = [(TRIPLETS, 1), (PAIRS, 7)]
ORPHANS = [kind for kind in range(34) if kind >= 27 or kind % 9 in (0, 8)]
THIRTEEN_ORPHANS: Plan = [([tuple(sorted([*ORPHANS, kind])) for kind in ORPHANS], 1)]


def lacks(
    concealed: Sequence[int],
    drawable: Sequence[int],
    plan: Plan,
    wild: int = 0,
    quota: tuple[int, int, int] | None = None,
    most: int = 3,
) -> int:
    """The fewest draws after which the hand can be finished; most + 1 where `most` do not suffice."""
    for draws in range(most + 1):
        if _can_finish(list(concealed), list(drawable), plan, 0, wild, draws, quota, [0, 0, 0, 0]):
            return draws
    return most + 1


def _can_finish(
    concealed: list[int],
    drawable: list[int],
    plan: Plan,
    first: int,
    wild: int,
    draws: int,
    quota: tuple[int, int, int] | None,
    used: list[int],
) -> bool:
    """Whether the groups of `plan`, the next not before the `first`, can be had with `draws` and `wild`."""
    if not plan:
        return quota is None or any(have >= need for have, need in zip(used, quota, strict=False))
    groups, number = plan[0]
    if not number:
        return _can_finish(concealed, drawable, plan[1:], 0, wild, draws, quota, used)
    rest = [(groups, number - 1), *plan[1:]]
    for index in range(first, len(groups)):
        group = groups[index]
        for drawn, wilds in _ways(concealed, drawable, group, wild, draws):
            before = concealed[:], drawable[:]
            for kind in group:
                concealed[kind] = max(0, concealed[kind] - 1)
            for kind in drawn:
                drawable[kind] -= 1
            now = used[:]
            now[group[0] // 9] += len(group)
            done = _can_finish(concealed, drawable, rest, index, wild - wilds, draws - len(drawn), quota, now)
            concealed[:], drawable[:] = before
            if done:
                return True
    return False


def _ways(
    concealed: list[int], drawable: list[int], group: Group, wild: int, draws: int
) -> Iterator[tuple[Group, int]]:
    """Which tiles of the group to draw and how many to replace by wildcards, where it is not in the hand."""
    missing = [kind for kind in sorted(set(group)) for _ in range(group.count(kind) - concealed[kind])]
    if len(missing) <= draws + wild:
        for chosen in range(1 << len(missing)):
            drawn = tuple(kind for bit, kind in enumerate(missing) if chosen >> bit & 1)
            wilds = len(missing) - len(drawn)
            if (
                len(drawn) <= draws
                and wilds <= wild
                and all(drawn.count(kind) <= drawable[kind] for kind in drawn)
            ):
                yield drawn, wilds


def splits(concealed: Sequence[int], sets: int) -> Iterator[tuple[Group, ...]]:
    """Every way of seeing the tiles as a pair, which comes first, and so many sets; each way once."""
    held = [group for group in SETS if _has(concealed, group)]
    for pair in PAIRS:
        if _has(concealed, pair):
            for rest in _set_splits(_less(concealed, pair), held, sets):
                yield pair, *rest


def _set_splits(counts: Sequence[int], held: Sequence[Group], sets: int) -> Iterator[tuple[Group, ...]]:
    if not sets:
        if not any(counts):
            yield ()
        return
    for index, group in enumerate(held):
        if _has(counts, group):
            for rest in _set_splits(_less(counts, group), held[index:], sets - 1):
                yield group, *rest


def _has(counts: Sequence[int], group: Group) -> bool:
    return all(counts[kind] >= group.count(kind) for kind in group)


def _less(counts: Sequence[int], group: Group) -> list[int]:
    return [count - group.count(kind) for kind, count in enumerate(counts)]
