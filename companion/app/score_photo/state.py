"""Everything that the window shows, as one frozen value, and the steps from one to the next. No Kivy, no
rule.

Its `facts` are saved, and undone step by step; the rest is the moment's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from companion.app.shell.pages import Page, Pane
from companion.app.shell.text import SEAT_NAMES
from companion.app.tile_sets.lesson import Lesson
from companion.photo_hand.draft import WinDraft
from companion.photo_hand.hand import Hand
from companion.rules import RULE_SETS, Source
from companion.rules.fields import FIELDS
from companion.rules.win import DeclaredKong, OptionValue
from companion.sentences import Sentence
from companion.tiles import MeldKind
from companion.vision.reading import TileReading

UNDO_STEPS_MAX = 50


@dataclass(frozen=True, slots=True)
class Banner:
    """One sentence across the window that blocks nothing. `trouble`: something went wrong. `winner`: the seat
    that is asked about, whether it wins.
    """

    sentence: Sentence
    trouble: bool = True
    winner: int | None = None


@dataclass(frozen=True, slots=True)
class ScorePhoto:
    """The window's state.

    The keyboard of tiles corrects the tile with the id `selected`, adds tiles (`adding`), or names the
    fortune tile (`naming_fortune`). `busy` is what is under way. `teaching`: pictures are for the lesson.
    """

    facts: WinDraft = field(default_factory=WinDraft)
    past: tuple[WinDraft, ...] = ()
    page: Page = Page.TABLE
    pane: Pane = Pane.TILES
    selected: int | None = None
    adding: bool = False
    naming_fortune: bool = False
    busy: Sentence | None = None
    banner: Banner | None = None
    lesson: Lesson = field(default_factory=Lesson)
    teaching: bool = False

    @property
    def hand(self) -> Hand:
        return self.facts.hand

    @property
    def typing(self) -> bool:
        """Whether the keyboard of tiles is out."""
        return self.adding or self.naming_fortune or self.selected is not None

    @property
    def lesson_typing(self) -> bool:
        """Whether the keyboard of tiles is out in the lesson."""
        return self.lesson.selected is not None

    def change(self, facts: WinDraft) -> ScorePhoto:
        """With new facts; the old ones can be had back by `undo`."""
        if facts == self.facts:
            return self
        return replace(self, facts=facts, past=(*self.past, self.facts)[-UNDO_STEPS_MAX:])

    def undo(self) -> ScorePhoto:
        if not self.past or self.teaching:
            return self
        undone = replace(self, facts=self.past[-1], past=self.past[:-1])
        return undone if undone.hand.tile(self.selected or 0) else replace(undone, selected=None)

    @property
    def home(self) -> Page:
        """Where pictures are brought to."""
        return Page.LESSON if self.teaching else Page.TABLE

    def show(self, page: Page) -> ScorePhoto:
        teaching = page is Page.LESSON or (self.teaching and page in (Page.PICTURES, Page.CAMERA))
        return replace(self.stop_typing(), page=page, teaching=teaching)

    def show_home(self) -> ScorePhoto:
        return self.show(self.home)

    def show_pane(self, pane: Pane) -> ScorePhoto:
        return replace(self, pane=pane)

    def tell(self, sentence: Sentence | None, *, trouble: bool = True) -> ScorePhoto:
        return replace(self, banner=Banner(sentence, trouble) if sentence else None)

    def ask_winner(self, seat: int) -> ScorePhoto:
        """That player pressed the win button: a person says whether it is so."""
        sentence = Sentence("{who}: the win button was pressed.", {"who": SEAT_NAMES[seat]})
        return replace(self, banner=Banner(sentence, trouble=False, winner=seat))

    def confirm_winner(self) -> ScorePhoto:
        """The player that is asked about wins."""
        if self.banner is None or self.banner.winner is None:
            return self
        won = self.with_winner(self.banner.winner).show(Page.TABLE).show_pane(Pane.WIN)
        return won.tell(None)

    def work(self, sentence: Sentence | None) -> ScorePhoto:
        return replace(self, busy=sentence)

    def select(self, tile_id: int | None) -> ScorePhoto:
        """That tile under the keyboard; the same tile again puts the keyboard away."""
        return replace(self.stop_typing(), selected=None if tile_id == self.selected else tile_id)

    def start_adding(self) -> ScorePhoto:
        return replace(self.stop_typing(), adding=True)

    def name_fortune(self) -> ScorePhoto:
        return replace(self.stop_typing(), naming_fortune=True, pane=Pane.TILES)

    def stop_typing(self) -> ScorePhoto:
        """The keyboard put away; a small window goes back to where the fortune tile was asked for."""
        pane = Pane.WIN if self.naming_fortune else self.pane
        return replace(self, adding=False, naming_fortune=False, selected=None, pane=pane)

    def step_back(self) -> ScorePhoto:
        """What the key for going back does: closes the keyboard, or the page."""
        if self.typing:
            return self.stop_typing()
        if self.page is not Page.LESSON:
            return self.show_home()
        return self.teach(lambda lesson: lesson.select(None)) if self.lesson_typing else self.show(Page.SETS)

    def teach(self, step: Callable[[Lesson], Lesson]) -> ScorePhoto:
        """A step of the lesson."""
        return replace(self, lesson=step(self.lesson))

    def look_next(self) -> ScorePhoto:
        """The next tile that needs a look, after the selected one and around."""
        unsure = [tile.id for tile in self.hand.unsure]
        if not unsure:
            return self.stop_typing()
        order = [tile.id for tile in self.hand.tiles]
        here = order.index(self.selected) if self.selected in order else -1
        after = [tile_id for tile_id in unsure if order.index(tile_id) > here]
        return replace(self.stop_typing(), selected=(after or unsure)[0], pane=Pane.TILES)

    def press(self, code: str) -> ScorePhoto:
        """A key of the tile keyboard: adds a tile, names the fortune tile, or corrects the selected one and
        goes on to the next unsure one.
        """
        if self.naming_fortune:
            return self.record(fortune=code).stop_typing()
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
        """A bare table: no picture, no tiles. Who deals, the stakes and the house rules stay."""
        return self.change(self.facts.next_hand()).stop_typing()

    def with_picture(self, picture: str) -> ScorePhoto:
        """A picture on the table.

        Another one than before starts a new hand; the old one can be had back by `undo`.
        """
        if picture == self.facts.picture:
            return self
        bare = not self.hand.tiles and self.facts.picture is None
        facts = replace(self.facts if bare else self.facts.next_hand(), picture=picture)
        return replace(self.change(facts).show(Page.TABLE), banner=None)

    def with_reading(self, picture: str, readings: Iterable[TileReading]) -> ScorePhoto:
        """What was read of `picture`; nothing where another picture has taken its place meanwhile.

        Steps taken while it was being read can be undone without losing it.
        """
        if picture != self.facts.picture:
            return self
        seen = tuple(readings)
        first_id = self.hand.next_id

        def read(facts: WinDraft) -> WinDraft:
            if facts.picture != picture:
                return facts
            hand = replace(facts.hand, next_id=max(facts.hand.next_id, first_id))
            return replace(facts, hand=hand.read_again(seen).as_the_game_has(facts.rule_set.tile_set))

        return replace(self, facts=read(self.facts), past=tuple(read(facts) for facts in self.past))

    def with_rules(self, rules: str) -> ScorePhoto:
        known = {option.key for option in RULE_SETS[rules].options}
        options = tuple(pair for pair in self.facts.options if pair[0] in known)
        situation = tuple(one.id for one in RULE_SETS[rules].situations if one.id in self.facts.situation)
        return self.record(rules=rules, options=options, situation=situation)

    def with_option(self, key: str, value: OptionValue) -> ScorePhoto:
        """A house option; its default is not kept."""
        options = {**dict(self.facts.options), key: value}
        if value == RULE_SETS[self.facts.rules].defaults[key]:
            del options[key]
        return self.record(options=tuple(sorted(options.items())))

    def record(self, **changes: Any) -> ScorePhoto:
        """With these fields of the facts."""
        return self.change(self.facts.record(**changes))

    def with_source(self, source: Source) -> ScorePhoto:
        return self.record(source=source)

    def with_winner(self, seat: int) -> ScorePhoto:
        """The winner; a discarder who sat there gives way to the next seat."""
        discarder = (seat + 1) % 4 if self.facts.discarder == seat else self.facts.discarder
        return self.record(winner=seat, discarder=discarder)

    def with_dealer(self, seat: int) -> ScorePhoto:
        return self.record(dealer=seat)

    def with_discarder(self, seat: int) -> ScorePhoto:
        return self.record(discarder=seat)

    def with_number(self, name: str, number: int | None) -> ScorePhoto:
        """That field of a request, as near to `number` as can be set in this game."""
        field = FIELDS[name]
        fitting = None if number is None else field.fit(number, self.facts.rule_set)
        return self.record(**{field.attribute: fitting})

    def toggle_three_melds(self, pair: tuple[int, int]) -> ScorePhoto:
        """The first seat has melded three times from the second, and so from no other; or has not."""
        others = {other for other in self.facts.three_melds if other[0] != pair[0]}
        new = others if pair in self.facts.three_melds else others | {pair}
        return self.record(three_melds=tuple(sorted(new)))

    def add_kong(self) -> ScorePhoto:
        """One more kong that was declared: the next of the winner's melds that is none yet, or any."""
        listed = [kong.kind for kong in self.facts.kongs_declared if kong.seat == self.facts.winner]
        kinds = [group.kind for group in self.hand.groups if group.kind.is_kong]
        for kind in listed:
            if kind in kinds:
                kinds.remove(kind)
        kong = _kong(DeclaredKong(kinds[0] if kinds else MeldKind.KONG_CONCEALED, self.facts.winner, None))
        return self.record(kongs_declared=(*self.facts.kongs_declared, kong))

    def change_kong(self, place: int, **changes: Any) -> ScorePhoto:
        """Another kind, seat or discarder for the kong with that place in the list."""
        kongs = list(self.facts.kongs_declared)
        kongs[place] = _kong(replace(kongs[place], **changes))
        return self.record(kongs_declared=tuple(kongs))

    def remove_kong(self, place: int) -> ScorePhoto:
        kongs = self.facts.kongs_declared
        return self.record(kongs_declared=kongs[:place] + kongs[place + 1 :])

    def with_balance(self, seat: int, balance: int | None) -> ScorePhoto:
        balances = list(self.facts.balances)
        balances[seat] = balance
        return self.record(balances=tuple(balances))

    def toggle_situation(self, name: str) -> ScorePhoto:
        old = self.facts.situation
        new = tuple(other for other in old if other != name) if name in old else (*old, name)
        return self.record(situation=new)

    def _with_hand(self, hand: Hand) -> ScorePhoto:
        return self.record(hand=hand)

    def _on_selected(self, step: Callable[[int], Hand]) -> ScorePhoto:
        if self.selected is None:
            return self
        return self._with_hand(step(self.selected)).stop_typing()


def _kong(kong: DeclaredKong) -> DeclaredKong:
    """A kong that can be: one on a discard has a discarder other than its own seat, any other has none."""
    if kong.kind is not MeldKind.KONG_DISCARD:
        return replace(kong, discarder=None)
    if kong.discarder in (None, kong.seat):
        return replace(kong, discarder=(kong.seat + 1) % 4)
    return kong
