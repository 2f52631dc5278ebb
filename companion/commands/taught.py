"""What a learned set was taught, kind by kind, and how its last lesson is taken back."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from companion.commands.output import console, print_json
from companion.config import models_dir
from companion.tiles import KINDS, Tile, format_tiles

if TYPE_CHECKING:
    from companion.vision.learned import Example, LearnedSet


def show_set(name: str, as_json: bool) -> None:
    """Print what the set has learned. Raises InputError."""
    from companion.vision.learned import name_photo

    learned = _load(name)
    kinds = {code: [each for each in learned.examples if each.code == code] for code in learned.kinds}
    missing = [kind for kind in KINDS if kind.code not in kinds]
    if as_json:
        print_json(
            {
                "name": name,
                "lessons": learned.lessons,
                "kinds": [_kind_json(code, examples) for code, examples in kinds.items()],
                "two_designs": list(learned.with_two_designs),
                "missing": [kind.code for kind in missing],
            }
        )
        return
    out = console()
    lessons = "1 lesson" if learned.lessons == 1 else f"{learned.lessons} lessons"
    out.print(f"{name}: {len(kinds)} kinds from {len(learned.examples)} tiles, in {lessons}")
    for code, examples in kinds.items():
        photos = Counter(str(name_photo(each.source)) for each in examples)
        seen = ", ".join(f"{photo} ({count})" if count > 1 else photo for photo, count in photos.items())
        designs = learned.designs[code]
        out.print(f"  {code}: {seen}" + (f"; {designs} designs" if designs > 1 else ""), highlight=False)
    if missing:
        out.print(f"  not taught: {format_tiles(missing)}", highlight=False)


def undo_lesson(name: str, as_json: bool) -> None:
    """Take the set's last lesson back. Where it had no other one, the set that it replaced is there again, or
    it is forgotten. Raises InputError."""
    from companion.vision import set_files
    from companion.vision.teaching import take_lesson_back

    learned = _load(name)
    earlier = take_lesson_back(learned)
    if earlier:
        set_files.save(earlier)
    else:
        set_files.delete(name)
    restored = earlier is not None and earlier is learned.replaced
    kinds = earlier.kinds if earlier else ()
    if as_json:
        print_json({"name": name, "deleted": earlier is None, "restored": restored, "kinds": list(kinds)})
    elif earlier:
        taught = format_tiles([Tile.parse(code) for code in kinds])
        said = (
            f"The set that {name} replaced is back"
            if restored
            else f"The last lesson of {name} is taken back"
        )
        console().print(f"{said}: it knows {taught}.", highlight=False)
    else:
        console().print(f"The only lesson of {name} is taken back: {name} is forgotten.", highlight=False)


def _load(name: str) -> LearnedSet:
    from companion.vision import set_files
    from companion.vision.networks import load_manifest

    return set_files.load(name, load_manifest(models_dir()).reader.sha256)


def _kind_json(code: str, examples: list[Example]) -> dict[str, Any]:
    return {
        "kind": code,
        "designs": 1 + max(each.design for each in examples),
        "examples": [
            {
                "photo": each.source.photo_number if each.source else None,
                "lesson": each.source.lesson + 1 if each.source else None,
                "design": each.design + 1,
            }
            for each in examples
        ],
    }
