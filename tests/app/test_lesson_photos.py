"""Which of a lesson's photos are opened when: none stays blank because another was wanted meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from companion.app.effects import Effect, ReadPicture
from companion.app.feature import take_step
from companion.app.news import News, PictureChosen, PictureFailed, PictureOpened, PictureRead
from companion.app.shown import ShownPicture
from companion.app.tile_sets.lesson import Lesson, LessonPhoto
from companion.app.tile_sets.state import Page, TileSets
from companion.photo_hand.hand import PhotoTile
from companion.sentences import Sentence
from companion.vision import Reading, TileReading

A, B, C = Path("/a.jpg"), Path("/b.jpg"), Path("/c.jpg")
QUAD = ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0))
SHOWN = ShownPicture(None, 100, 100)  # type: ignore[arg-type]
READING = Reading(20, 20, (TileReading("1m", QUAD, 0.99, (("1m", 0.99),)),), ((0,),), {})
EMPTY = Reading(20, 20, (), (), {})


class Teaching:
    """A lesson with `photos` that is in front, and the pictures that its steps asked for."""

    def __init__(self, *photos: Path) -> None:
        kept = tuple(
            LessonPhoto(str(path), (PhotoTile(i, "1m", QUAD),), (1,)) for i, path in enumerate(photos)
        )
        self.state = TileSets(lesson=Lesson("home", kept))
        self.asked: list[ReadPicture] = []
        self.do(lambda state: state.teach(None, "set"))

    def do(self, step: Callable[[TileSets], TileSets]) -> None:
        effects: tuple[Effect, ...]
        self.state, effects = take_step(self.state, step)
        self.asked += [effect for effect in effects if isinstance(effect, ReadPicture)]

    def on_news(self, *news: News) -> None:
        for each in news:
            self.do(lambda state, each=each: state.on_news(each))  # type: ignore[misc]

    def look_at(self, number: int) -> None:
        self.do(lambda state: state.browse(lambda lesson: replace(lesson, front=number)))

    def open(self, path: Path) -> None:
        """The answer to a request to open that picture."""
        self.on_news(PictureOpened(path, SHOWN), PictureRead(path, None))


def opening(path: Path) -> ReadPicture:
    return ReadPicture(path, read=False, plain=True)


def test_a_photo_whose_request_was_dropped_is_asked_for_when_it_is_in_front_again() -> None:
    teaching = Teaching(A, B)
    teaching.look_at(1)
    teaching.look_at(0)
    assert teaching.asked == [opening(A), opening(B), opening(A)]
    teaching.open(A)
    teaching.look_at(1)
    teaching.open(B)
    teaching.look_at(0)
    assert teaching.asked[3:] == [opening(B)]
    assert teaching.state.photo == SHOWN


def test_a_photo_that_is_being_opened_is_not_asked_for_again() -> None:
    teaching = Teaching(A)
    teaching.do(lambda state: state.browse(lambda lesson: lesson.select(0)))
    assert teaching.asked == [opening(A)]


def test_a_photo_dropped_for_one_that_was_added_is_opened_afterwards() -> None:
    teaching = Teaching(A)
    teaching.on_news(PictureChosen(B), PictureOpened(B, SHOWN), PictureRead(B, READING))
    assert teaching.asked == [opening(A), ReadPicture(B, plain=True)]
    teaching.look_at(0)
    assert teaching.asked[2:] == [opening(A)]


def test_looking_at_another_photo_does_not_cancel_the_reading_of_one_that_was_added() -> None:
    teaching = Teaching(A)
    teaching.open(A)
    teaching.do(lambda state: state.edit(Lesson.without_photo))
    teaching.on_news(PictureChosen(B), PictureOpened(B, SHOWN))
    teaching.do(TileSets.undo)
    assert teaching.asked == [opening(A), ReadPicture(B, plain=True)]
    teaching.on_news(PictureRead(B, READING))
    assert [photo.path for photo in teaching.state.lesson.photos] == [str(A), str(B)]
    teaching.look_at(0)
    assert teaching.asked[2:] == [opening(A)]


def test_the_photo_in_front_is_opened_once_one_that_was_added_turns_out_empty_or_unreadable() -> None:
    for end in (PictureRead(C, EMPTY), PictureFailed(C, Sentence("No."))):
        teaching = Teaching(A)
        teaching.on_news(PictureChosen(C), end)
        assert teaching.asked == [opening(A), ReadPicture(C, plain=True), opening(A)]


def test_a_photo_that_cannot_be_opened_is_tried_again_when_the_lesson_is_shown_anew() -> None:
    teaching = Teaching(A)
    teaching.on_news(PictureFailed(A, Sentence("No.")))
    teaching.do(lambda state: state.browse(lambda lesson: lesson.select(0)))
    assert teaching.asked == [opening(A)], "not with each touch"
    teaching.do(TileSets.enter)
    assert teaching.state.page is Page.SETS
    teaching.do(lambda state: state.teach(None, "set"))
    assert teaching.asked == [opening(A)] * 2
