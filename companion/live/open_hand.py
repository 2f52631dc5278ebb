"""A kept game that is in the middle of a hand is followed on only where that hand lies on the table.

Otherwise the tiles of another hand would be taken for moves of this one, or none of them would fit. Sights
are held back until that is known, mostly the first, and then followed one by one.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence

from companion.errors import quote
from companion.live.expected_tiles import count_open
from companion.live.follower import Follows
from companion.live.lost_words import make_why
from companion.live.noticed import Noticed, Standing, ThreadFound, ThreadLost
from companion.seeing.sights import Sight
from companion.sentences import Sentence, msgid
from companion.table.state import State
from companion.tiles import BACK, UNKNOWN

SEEN_SHARE = 0.75
"""Share of the open tiles that must be seen. Of two hands of built-in players one in twenty shares as many
while a single tile lies open, four in a thousand from 16 tiles on; what was read 90% right has them all but
always."""
OTHERS_MOST, OTHERS_SHARE = 4, 0.5
"""Beside them so many others may lie, or as many as this share of them: the people may have played on."""
JUDGE_S = 10.0
"""So long the tiles may take to be read, or an arm to go away."""
LYING_MOST = 20
"""What the last so many sights show is what lies there: one alone misses a tile now and then."""
OTHER_TABLE = msgid(
    "{name} is in the middle of a hand in which {open} tiles lie open, and on the table here lie {seen} of"
    " them and {others} others: nothing was entered."
)


class OpenHandFollower:
    """Follows as `follower` does, once the hand of `state` in the kept game `name` is found to lie on the
    table, and `agreed` is called then; or once `is_playing` says that the hand is in play no more. Until then
    the game is lost, with the template OTHER_TABLE."""

    def __init__(
        self,
        follower: Follows,
        state: State,
        name: str,
        is_playing: Callable[[], bool],
        agreed: Callable[[], None],
    ) -> None:
        self._follower = follower
        self._open = count_open(state)
        self._name = name
        self._is_playing = is_playing
        self._agreed = agreed
        self._held: list[tuple[Sight, int]] = []
        self._lying: deque[Sight] = deque(maxlen=LYING_MOST)
        self._other: Sentence | None = None
        self._goes_on = self._is_lost = False
        self._standing = Standing()

    def follow(self, sight: Sight, t_ns: int, broken: Sentence | None = None) -> list[Noticed]:
        """As of the follower; while it is not known which hand it is, only why nothing can be seen."""
        return self._standing.settle(self._follow(sight, t_ns, broken))

    def finish(self, t: float, t_ns: int) -> list[Noticed]:
        """As of the follower."""
        if self._goes_on or not self._held:
            return self._standing.settle(self._follower.finish(t, t_ns))
        self._lose()
        return self._standing.settle(self._say_standing(t))

    def begin_here(self, lying: Sequence[Sight] = ()) -> None:
        """As of the follower: what lies on the table is that hand."""
        self._follower.begin_here(lying or tuple(self._lying))
        self._go_on()

    def trust_tiles(self) -> None:
        """As of the follower."""
        self._follower.trust_tiles()

    def take_named(self) -> dict[int, str]:
        """As of the follower."""
        return self._follower.take_named()

    def _follow(self, sight: Sight, t_ns: int, broken: Sentence | None) -> list[Noticed]:
        if self._goes_on:
            found = [] if sight.trouble else self._say_standing(sight.t)
            return found + self._follower.follow(sight, t_ns, broken)
        if sight.trouble:
            self._is_lost = True
            return [ThreadLost(sight.t, broken or make_why(sight.trouble))]
        self._lying.append(sight)
        self._held.append((sight, t_ns))
        if not self._is_playing():
            return self._release()
        if self._fits(sight):
            self._agreed()
            return self._release()
        if sight.t - self._held[0][0].t >= JUDGE_S:
            self._lose()
        return self._say_standing(sight.t)

    def _release(self) -> list[Noticed]:
        held = self._held.copy()
        self._go_on()
        found = self._say_standing(held[-1][0].t)
        return found + [each for sight, t_ns in held for each in self._follower.follow(sight, t_ns)]

    def _go_on(self) -> None:
        self._goes_on, self._other = True, None
        self._held.clear()
        self._lying.clear()

    def _lose(self) -> None:
        """Note which tiles lie there, once, and look on: somebody may lay the hand out again."""
        held, self._held = self._held, []
        if self._other is not None:
            return
        self._is_lost = True
        seen, others = max((self._compare(sight) for sight, _ in held), key=lambda each: each[0])
        count = sum(self._open.values())
        params = {"name": quote(self._name), "open": count, "seen": seen, "others": others}
        self._other = Sentence(OTHER_TABLE, params)

    def _say_standing(self, t: float) -> list[Noticed]:
        """How the game stands where something is seen: lost to another hand, or lost no more."""
        if self._other is not None:
            return [ThreadLost(t, self._other)]
        was_lost, self._is_lost = self._is_lost, False
        return [ThreadFound(t)] if was_lost else []

    def _fits(self, sight: Sight) -> bool:
        wanted = sum(self._open.values())
        seen, others = self._compare(sight)
        return seen >= SEEN_SHARE * wanted and (
            not wanted or others <= max(OTHERS_MOST, OTHERS_SHARE * wanted)
        )

    def _compare(self, sight: Sight) -> tuple[int, int]:
        """How many of the open tiles are seen, and how many others; a face that is not read may be any."""
        lying = Counter(tile.readings[0][0] for tile in sight.tiles if tile.readings and not tile.standing)
        unread = lying.pop(UNKNOWN, 0)
        lying.pop(BACK, None)
        seen = sum((lying & self._open).values())
        others = sum(lying.values()) - seen
        return min(sum(self._open.values()), seen + unread), others
