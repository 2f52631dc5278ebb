"""The tile sets that were taught, as the shell knows them; carries out what concerns the files of sets."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.app.effects import Effect, Say
from companion.app.feature import Controller, Page, Part
from companion.app.news import TilesNamed
from companion.app.recognition import Recognition
from companion.app.tile_sets.keeping import KeptTileSets, is_sound, make_storable
from companion.app.tile_sets.learning import Refusal, learn_named, learn_set, take_back
from companion.app.tile_sets.lesson import Lesson
from companion.app.tile_sets.state import (
    ForgetSet,
    LearnNamed,
    LearnSet,
    ListSets,
    ShowSet,
    TakeBack,
    TileSets,
    UseSet,
)
from companion.app.tile_sets.stored_sets import list_sets
from companion.errors import CompanionError


class TileSetsFeature:
    """Keeps the name of the set in use, and the lesson."""

    name = "tile_sets"
    part: Part | None = Part(KeptTileSets, is_sound, lambda kept: KeptTileSets(kept.used))

    def __init__(self, recognition: Recognition) -> None:
        self._recognition = recognition

    def begin(self, kept: KeptTileSets | None, controller: Controller[TileSets]) -> TileSets:
        if kept is None:
            return TileSets()
        state = TileSets(lesson=kept.lesson)
        return state if kept.used is None else state.also(UseSet(kept.used, again=False))

    def keep(self, state: TileSets) -> KeptTileSets:
        return KeptTileSets(state.used, make_storable(state.lesson))

    def perform(self, effect: Effect, controller: Controller[TileSets]) -> None:
        match effect:
            case ListSets():
                found = list_sets(self._recognition.model)
                controller.do(lambda state: state.take_list(found))
            case UseSet(name, again):
                self._use(name, again, controller)
            case ForgetSet(name):
                self._forget(name, controller)
            case LearnSet(lesson):
                self._learn(lesson, controller)
            case LearnNamed(name, named):
                self._learn_named(name, named, controller)
            case TakeBack(name):
                self._take_back(name, controller)
            case ShowSet(name):
                self._show(name, controller)

    def offer_pages(self, controller: Controller[TileSets]) -> Mapping[str, Callable[[], Page]]:
        from companion.app.tile_sets.pages import offer_pages

        return offer_pages(controller)

    def close(self) -> None:
        """Nothing runs."""

    def _use(self, name: str | None, again: bool, controller: Controller[TileSets]) -> None:
        from companion.vision import set_files

        try:
            learned = None if name is None else set_files.load(name, self._recognition.model())
        except CompanionError as error:
            why = error.sentence
            controller.do(lambda state: state.also(Say(why)))
        else:
            controller.do(lambda state: state.take_used(name, learned, again=again))

    def _forget(self, name: str, controller: Controller[TileSets]) -> None:
        from companion.vision import set_files

        try:
            set_files.delete(name)
        except CompanionError as error:
            why = error.sentence
            controller.do(lambda state: state.also(Say(why, passes=True)))
        else:
            controller.do(lambda state: state.take_forgotten(name))

    def _learn(self, lesson: Lesson, controller: Controller[TileSets]) -> None:
        def job() -> Callable[[TileSets], TileSets]:
            result = learn_set(lesson, self._recognition)
            if isinstance(result, Refusal):
                return lambda state: state.take_refusal(lesson, result.why, result.numbers)
            return lambda state: state.take_learned(lesson, result)

        controller.work(job)

    def _learn_named(self, name: str | None, named: TilesNamed, controller: Controller[TileSets]) -> None:
        def job() -> Callable[[TileSets], TileSets]:
            result = learn_named(name, named, self._recognition)
            if isinstance(result, Refusal):
                return lambda state: state.take_doubt(named, result.why, result.numbers)
            return lambda state: state.take_lesson(named, result)

        controller.work(job)

    def _take_back(self, name: str, controller: Controller[TileSets]) -> None:
        earlier = take_back(name, self._recognition)
        if isinstance(earlier, Refusal):
            why = earlier.why
            is_gone = name not in {one.name for one in list_sets(self._recognition.model)}
            controller.do(
                lambda state: (state.take_forgotten(name) if is_gone else state).also(Say(why, passes=True))
            )
        else:
            controller.do(lambda state: state.take_earlier(name, earlier))

    def _show(self, name: str, controller: Controller[TileSets]) -> None:
        from companion.vision import set_files

        try:
            learned = set_files.load(name, self._recognition.model())
        except CompanionError as error:
            why = error.sentence
            controller.do(lambda state: state.also(Say(why, passes=True)))
        else:
            controller.do(lambda state: state.take_look(learned))
