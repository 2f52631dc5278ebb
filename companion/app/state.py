"""Everything that the window shows, as one frozen value, and the steps from one to the next. No Kivy, no
rule.

`Facts` is what a person must never lose: it is saved, and undone step by step. The rest is the moment's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from enum import StrEnum

from companion.app.hand import Hand, ReadTile, TableTile
from companion.app.text import Sentence
from companion.rules import RULE_SETS, Source
from companion.rules.win import OptionValue
from companion.tiles import UNKNOWN, MeldKind

UNDO_STEPS_MAX = 50
STREAK_MAX = 99


class Page(StrEnum):
    """What fills the window."""

    TABLE = "table"
    PICTURES = "pictures"
    CAMERA = "camera"
    OPTIONS = "options"


class Pane(StrEnum):
    """What a small window shows of the table."""

    TILES = "tiles"
    WIN = "win"
    SCORE = "score"


@dataclass(frozen=True, slots=True)
class Facts:
    """One hand and how it was won.

    Seats: 0 the person at the window, then counterclockwise: right, across, left.
    """

    hand: Hand = field(default_factory=Hand)
    picture: str | None = None
    rules: str = next(iter(RULE_SETS))
    options: tuple[tuple[str, OptionValue], ...] = ()
    source: Source = Source.SELF_DRAW
    winner: int = 0
    dealer: int = 0
    discarder: int = 1
    streak: int | None = None
    situation: tuple[str, ...] = ()

    @property
    def streak_or_default(self) -> int:
        return RULE_SETS[self.rules].streak_default if self.streak is None else self.streak

    def option(self, key: str) -> OptionValue:
        return {**RULE_SETS[self.rules].defaults, **dict(self.options)}[key]

    @property
    def is_dealt(self) -> bool:
        """Whether the hand was won as it was dealt: no tile completed it."""
        return any(
            situation.dealt and situation.id in self.situation
            for situation in RULE_SETS[self.rules].situations
        )

    @property
    def winning(self) -> TableTile | None:
        return None if self.is_dealt else self.hand.winning

    @property
    def meld_kinds(self) -> tuple[MeldKind, ...]:
        """The melds that this game and its house options have."""
        rules = RULE_SETS[self.rules]
        return rules.allowed_melds({**rules.defaults, **dict(self.options)})

    def request(self) -> dict[str, object]:
        """The request for the score, fields as the rules know them."""
        winning = self.winning
        request: dict[str, object] = {
            "rules": self.rules,
            "options": dict(self.options),
            "hand": "".join(tile.code for tile in self.hand.concealed if tile.code != UNKNOWN),
            "melds": [group.notation for group in self.hand.groups],
            "winning_tile": winning.code if winning else None,
            "winner": self.winner,
            "dealer": self.dealer,
            "source": self.source.value,
            "streak": self.streak_or_default,
            "situation": list(self.situation),
        }
        if self.hand.flowers:
            request["flowers"] = "".join(tile.code for tile in self.hand.flowers)
        if self.source is not Source.SELF_DRAW:
            request["from"] = self.discarder
        return request


@dataclass(frozen=True, slots=True)
class Banner:
    """One sentence across the window that blocks nothing. `trouble`: something went wrong."""

    sentence: Sentence
    trouble: bool = True


@dataclass(frozen=True, slots=True)
class ScorePhoto:
    """The window's state.

    `selected` is a tile's id, `adding` the keyboard's other use, `busy` what is under way.
    """

    facts: Facts = field(default_factory=Facts)
    past: tuple[Facts, ...] = ()
    page: Page = Page.TABLE
    pane: Pane = Pane.TILES
    selected: int | None = None
    adding: bool = False
    busy: Sentence | None = None
    banner: Banner | None = None

    @property
    def hand(self) -> Hand:
        return self.facts.hand

    @property
    def typing(self) -> bool:
        """Whether the keyboard of tiles is out."""
        return self.adding or self.selected is not None

    def change(self, facts: Facts) -> ScorePhoto:
        """With new facts; the old ones can be had back by `undo`."""
        if facts == self.facts:
            return self
        return replace(self, facts=facts, past=(*self.past, self.facts)[-UNDO_STEPS_MAX:])

    def undo(self) -> ScorePhoto:
        if not self.past:
            return self
        undone = replace(self, facts=self.past[-1], past=self.past[:-1])
        return undone if undone.hand.tile(self.selected or 0) else replace(undone, selected=None)

    def show(self, page: Page) -> ScorePhoto:
        return replace(self, page=page, selected=None, adding=False)

    def show_pane(self, pane: Pane) -> ScorePhoto:
        return replace(self, pane=pane)

    def tell(self, sentence: Sentence | None, *, trouble: bool = True) -> ScorePhoto:
        return replace(self, banner=Banner(sentence, trouble) if sentence else None)

    def work(self, sentence: Sentence | None) -> ScorePhoto:
        return replace(self, busy=sentence)

    def select(self, tile_id: int | None) -> ScorePhoto:
        """That tile under the keyboard; the same tile again puts the keyboard away."""
        again = tile_id == self.selected and not self.adding
        return replace(self, selected=None if again else tile_id, adding=False)

    def start_adding(self) -> ScorePhoto:
        return replace(self, adding=True, selected=None)

    def stop_typing(self) -> ScorePhoto:
        return replace(self, adding=False, selected=None)

    def step_back(self) -> ScorePhoto:
        """What the key for going back does: closes the keyboard, or the page."""
        return self.stop_typing() if self.typing else self.show(Page.TABLE)

    def look_next(self) -> ScorePhoto:
        """The next tile that needs a look, after the selected one and around."""
        unsure = [tile.id for tile in self.hand.unsure]
        if not unsure:
            return self.stop_typing()
        order = [tile.id for tile in self.hand.tiles]
        here = order.index(self.selected) if self.selected in order else -1
        after = [tile_id for tile_id in unsure if order.index(tile_id) > here]
        return replace(self, selected=(after or unsure)[0], adding=False, pane=Pane.TILES)

    def press(self, code: str) -> ScorePhoto:
        """A key of the tile keyboard: adds a tile, or corrects the selected one and goes on to the next
        unsure one.
        """
        if self.adding:
            return self._with_hand(self.hand.add(code))
        if self.selected is None:
            return self
        was_unsure = self.selected in {tile.id for tile in self.hand.unsure}
        corrected = self._with_hand(self.hand.correct(self.selected, code))
        return corrected.look_next() if was_unsure else corrected.stop_typing()

    def remove_selected(self) -> ScorePhoto:
        return self._on_selected(self.hand.remove)

    def win_with_selected(self) -> ScorePhoto:
        return self._on_selected(self.hand.win_with)

    def group_selected(self, kind: MeldKind) -> ScorePhoto:
        return self._on_selected(lambda tile_id: self.hand.group(tile_id, kind))

    def ungroup_selected(self) -> ScorePhoto:
        group = self.hand.group_of(self.selected) if self.selected is not None else None
        return self._with_hand(self.hand.ungroup(group)) if group else self

    def clear_tiles(self) -> ScorePhoto:
        """A bare table: no picture, no tiles. Who deals and the house rules stay."""
        cleared = replace(self.facts, hand=Hand(), picture=None, situation=())
        return self.change(cleared).stop_typing()

    def with_picture(self, picture: str) -> ScorePhoto:
        """A picture on the table.

        Another one than before starts a new hand; the old one can be had back by `undo`.
        """
        if picture == self.facts.picture:
            return self.show(Page.TABLE)
        facts = replace(self.facts, hand=Hand(), picture=picture, situation=())
        return replace(self.change(facts).show(Page.TABLE), banner=None)

    def with_reading(self, picture: str, readings: Iterable[ReadTile]) -> ScorePhoto:
        """What was read of `picture`; nothing where another picture has taken its place meanwhile.

        Steps taken while it was being read can be undone without losing it.
        """
        if picture != self.facts.picture:
            return self
        seen = tuple(readings)
        first_id = self.hand.next_id

        def read(facts: Facts) -> Facts:
            if facts.picture != picture:
                return facts
            hand = replace(facts.hand, next_id=max(facts.hand.next_id, first_id))
            return replace(facts, hand=hand.read_again(seen))

        return replace(self, facts=read(self.facts), past=tuple(read(facts) for facts in self.past))

    def with_rules(self, rules: str) -> ScorePhoto:
        known = {option.key for option in RULE_SETS[rules].options}
        options = tuple(pair for pair in self.facts.options if pair[0] in known)
        situation = tuple(one.id for one in RULE_SETS[rules].situations if one.id in self.facts.situation)
        return self.change(replace(self.facts, rules=rules, options=options, situation=situation))

    def with_option(self, key: str, value: OptionValue) -> ScorePhoto:
        """A house option; its default is not kept."""
        options = {**dict(self.facts.options), key: value}
        if value == RULE_SETS[self.facts.rules].defaults[key]:
            del options[key]
        return self.change(replace(self.facts, options=tuple(sorted(options.items()))))

    def with_source(self, source: Source) -> ScorePhoto:
        return self.change(replace(self.facts, source=source))

    def with_winner(self, seat: int) -> ScorePhoto:
        """The winner; a discarder who sat there gives way to the next seat."""
        discarder = (seat + 1) % 4 if self.facts.discarder == seat else self.facts.discarder
        return self.change(replace(self.facts, winner=seat, discarder=discarder))

    def with_dealer(self, seat: int) -> ScorePhoto:
        return self.change(replace(self.facts, dealer=seat))

    def with_discarder(self, seat: int) -> ScorePhoto:
        return self.change(replace(self.facts, discarder=seat))

    def with_streak(self, streak: int) -> ScorePhoto:
        least = RULE_SETS[self.facts.rules].streak_default
        return self.change(replace(self.facts, streak=min(max(streak, least), STREAK_MAX)))

    def toggle_situation(self, name: str) -> ScorePhoto:
        old = self.facts.situation
        new = tuple(other for other in old if other != name) if name in old else (*old, name)
        return self.change(replace(self.facts, situation=new))

    def _with_hand(self, hand: Hand) -> ScorePhoto:
        return self.change(replace(self.facts, hand=hand))

    def _on_selected(self, step: Callable[[int], Hand]) -> ScorePhoto:
        if self.selected is None:
            return self
        return self._with_hand(step(self.selected)).stop_typing()
