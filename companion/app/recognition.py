"""How pictures are opened and read, and tile sets learned, whatever the window wants them for. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion.images import Image

if TYPE_CHECKING:
    from companion.live.table_watch import TableWatch
    from companion.vision import Reading, Recogniser
    from companion.vision.learned import LearnedSet
    from companion.vision.recogniser import SeenFrame
    from companion.vision.teaching import Lesson


@dataclass(frozen=True, slots=True)
class Recognition:
    """The functions that look at pictures.

    load: a picture file; read: with a learned set, or none; read_next: what was seen of a camera's frame
    before, and the next one; learn: a set by its name and lessons, and what it was before, or none; model:
    the sha256 of the model that sets are learned with; recogniser: what reads, itself. All but `load` raise
    ModelError.
    """

    load: Callable[[Path], Image]
    read: Callable[[Image, LearnedSet | None], Reading]
    read_next: Callable[[SeenFrame | None, Image, LearnedSet | None], tuple[Reading, SeenFrame]]
    learn: Callable[[str, Sequence[Lesson], LearnedSet | None], LearnedSet]
    model: Callable[[], str]
    recogniser: Callable[[], Recogniser]


class PictureReader:
    """Reads pictures with the tile set that is in use, from any thread."""

    def __init__(self, recognition: Recognition) -> None:
        self.recognition = recognition
        self.tile_set: LearnedSet | None = None

    def read(self, image: Image) -> Reading:
        return self.recognition.read(image, self.tile_set)

    def follow_camera(self) -> Callable[[Image], Reading]:
        """A function that reads the frames of one camera, one after the other: of each what has changed."""
        seen: SeenFrame | None = None

        def read(frame: Image) -> Reading:
            nonlocal seen
            reading, seen = self.recognition.read_next(seen, frame, self.tile_set)
            return reading

        return read

    def watch_table(self, rules: str, bottom: int, dealer: int | None, camera: str | None) -> TableWatch:
        """What watches a table for a game by these rules. bottom: who sits at the lower edge of the picture;
        dealer: who deals, None in the middle of a hand; camera: the name of a live one, whose place is kept.
        Loads the models: raises ModelError."""
        from companion.live.watch_setup import watch_table

        recogniser = self.recognition.recogniser()
        return watch_table(
            recogniser, rules, tile_set=self.tile_set, bottom=bottom, dealer=dealer, camera=camera
        )

    def read_plainly(self, image: Image) -> Reading:
        """Without any tile set."""
        return self.recognition.read(image, None)


def use_models() -> Recognition:
    """The recogniser that comes with the program; its models are loaded with the first picture that is
    read.
    """

    @cache
    def recogniser() -> Recogniser:
        from companion.vision import load_recogniser

        return load_recogniser()

    def load(path: Path) -> Image:
        from companion.vision import load_picture

        return load_picture(path)

    def read(image: Image, tile_set: LearnedSet | None) -> Reading:
        return recogniser().read(image, tile_set=tile_set)

    def read_next(
        seen: SeenFrame | None, frame: Image, tile_set: LearnedSet | None
    ) -> tuple[Reading, SeenFrame]:
        return recogniser().read_next(seen, frame, tile_set=tile_set)

    def learn(name: str, lessons: Sequence[Lesson], before: LearnedSet | None) -> LearnedSet:
        from companion.vision import teaching

        return teaching.learn(recogniser().reader, name, lessons, before)

    def model() -> str:
        from companion.config import models_dir
        from companion.vision.networks import load_manifest

        return load_manifest(models_dir()).reader.sha256

    return Recognition(load, read, read_next, learn, model, recogniser)
