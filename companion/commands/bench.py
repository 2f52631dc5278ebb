"""`companion bench`: every figure that the program measures of itself."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from companion.commands.films import BENDS, CameraPose
from companion.commands.inputs import AsJson
from companion.commands.output import console, print_json
from companion.commands.vision_figures import show_accuracy
from companion.config import models_dir
from companion.errors import InputError, MissingError
from companion.tiles import KINDS

NO_FILM = "There is no file '{file}': a film is a video of companion simulate --video and its .jsonl."
NO_FACES = (
    "--faces '{folder}' is for --renderer plain, and names a folder in which there is a folder for each set"
    " of tiles."
)
NO_EDGE = "--edge '{edge}' is for --renderer plain, and is one of {edges}."


class Renderer(StrEnum):
    """What draws the films: `companion.scenes.film`, or `companion.bench.plain_films`."""

    SCENES = "scenes"
    PLAIN = "plain"


def bench_vision(
    data: Annotated[Path | None, typer.Option(metavar="DIR", help="Folder of labelled photos.")] = None,
    split: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which of its lists: NAME.json, or negatives-2.")
    ] = None,
    learn: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=20, help="Learn the set of tiles from N of the photos, and read the rest."
        ),
    ] = 0,
    kinds: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=len(KINDS), help="With --learn: only N of the kinds they show."),
    ] = None,
    release: Annotated[
        bool,
        typer.Option("--release", help="Log the figures of a test split beside the models: once a release."),
    ] = False,
    speed: Annotated[bool, typer.Option("--speed", help="How fast drawn tables are read.")] = False,
    hands: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=10_000, help="Which tiles are the hand, on N drawn tables."),
    ] = 0,
    runs: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Runs of each time.")] = 9,
    yardstick: Annotated[
        bool,
        typer.Option("--yardstick", help="With --speed: beside a network of YOLO11n's size; needs onnx."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """How many tiles of labelled photos are found and rightly named; how fast drawn tables are read; how
    often the hand is told from the rest of them."""
    figures: dict[str, Any]
    photos = (data, split, learn or None, release or None)
    of_photos = any(each is not None for each in photos)
    if kinds and not learn:
        raise InputError("--kinds says how many kinds the photos of --learn teach: give --learn too.")
    if hands and not (of_photos or speed or yardstick):
        from companion.bench import which_hand

        figures = which_hand.bench(models_dir(), hands)
    elif speed and not (of_photos or hands):
        from companion.bench import reading_speed

        figures = reading_speed.bench(models_dir(), runs, yardstick=yardstick)
    elif hands or speed or yardstick or data is None or split is None:
        raise InputError(
            "Give --data and --split for labelled photos, or --hands N for drawn tables, or --speed with "
            "--yardstick or without: see --help."
        )
    else:
        from companion.bench import reading_accuracy

        figures = reading_accuracy.bench(data, split, models_dir(), learn, kinds, release=release)
    if as_json:
        print_json(figures)
    elif speed or hands:
        console().print_json(data=figures)
    else:
        show_accuracy(figures)


def bench_rules(
    runs: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Runs of each figure.")] = 9,
    as_json: AsJson = False,
) -> None:
    """How many hands are scored, waited for and measured to ready in a second, beside other programs."""
    from companion.bench.rules import bench

    figures = bench(runs)
    if as_json:
        print_json(figures)
        return
    beside = [f"{name} {version}" for name, version in figures["beside"].items()]
    _show(
        figures["figures"], f"Python {figures['python']}, beside {' and '.join(beside) or 'no other program'}"
    )


def bench_link(
    runs: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Runs of each figure.")] = 5,
    messages: Annotated[
        int, typer.Option(metavar="N", min=1, max=10**6, help="Messages over a bad line.")
    ] = 10_000,
    unplugs: Annotated[
        int, typer.Option(metavar="N", min=1, max=10**5, help="How often the cable is pulled out.")
    ] = 50,
    fuzz_bytes: Annotated[
        int, typer.Option(metavar="N", min=10_000, max=10**10, help="Bytes of garbage into each codec.")
    ] = 10_000_000,
    as_json: AsJson = False,
) -> None:
    """How fast the serial protocol is, what an idle link takes, and what both survive."""
    try:
        from companion.bench.link import bench
    except ImportError as error:
        raise MissingError("A device can only be emulated on a system with pseudo-terminals.") from error

    figures = bench(runs, messages, unplugs, fuzz_bytes)
    if as_json:
        print_json(figures)
        return
    _show(figures["figures"], f"Python {figures['python']}, a pseudo-terminal")
    _show_holds(figures["holds"])


def bench_table(
    runs: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Runs of each figure.")] = 9,
    hands: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=10**6, help="Hands of each game of which every event is checked."
        ),
    ] = 200,
    as_json: AsJson = False,
) -> None:
    """How fast games are played by built-in players, kept and resumed; whether every count stays right."""
    from companion.bench.table import bench

    figures = bench(runs, hands)
    if as_json:
        print_json(figures)
        return
    _show(figures["figures"], f"Python {figures['python']}")
    _show_holds(figures["holds"])


def bench_decoding(
    hands: Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="Hands of each game.")] = 12,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the hands and of the noise.")] = 20261122,
    film: Annotated[
        CameraPose | None,
        typer.Option(help="Lay the tiles as in films from there, instead of as the bench lays them."),
    ] = None,
    answers: Annotated[
        bool,
        typer.Option("--answers", help="At every fifth sight somebody says which tile a late discard was."),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """How well played hands are followed from noisy sights of the table, without any picture."""
    from companion.bench.decoding import bench_games
    from companion.scenes.film.pose import Pose

    figures = bench_games(hands, seed, None if film is None else Pose(film.value), answers=answers)
    if as_json:
        print_json(figures)
        return
    _show_games(figures["games"], f"{hands} hands of each game, seed {seed}")


def bench_table_video(
    hands: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="Hands of each game and pose.")
    ] = 1,
    rules: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this game; may be given again.")
    ] = None,
    pose: Annotated[
        list[CameraPose] | None,
        typer.Option(help="Where the camera stands; may be given again. Without it: above and corner."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the hands and the films.")] = 20261123,
    pace: Annotated[
        float, typer.Option(metavar="X", min=0.25, max=4, help="How many times as quickly people play.")
    ] = 1.0,
    given_corners: Annotated[
        bool, typer.Option("--given-corners", help="Give the table's corners instead of finding them.")
    ] = False,
    renderer: Annotated[
        Renderer,
        typer.Option(help="Films as of companion simulate --video, or plain ones that look otherwise."),
    ] = Renderer.SCENES,
    faces: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Of plain films: upright photographed faces, 1m.png and so on, a folder for each set.",
        ),
    ] = None,
    edge: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Of plain films' tables: rim, cloth ends, round or none."),
    ] = None,
    answers: Annotated[
        bool,
        typer.Option("--answers", help="Somebody answers, rightly, what the camera asks about discards."),
    ] = False,
    again: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=1000, help="Follow each film so often again, to see whether memory grows."
        ),
    ] = 0,
    as_json: AsJson = False,
) -> None:
    """How well hands are followed from films of them: minutes for each hand."""
    from companion.bench.plain_looks import EDGES
    from companion.bench.table_video import bench_films, shoot_film, shoot_plain
    from companion.commands.described import find_rules_name
    from companion.rules import RULE_SETS
    from companion.scenes.film.pose import Pose

    if faces is not None and (renderer is not Renderer.PLAIN or not faces.is_dir()):
        raise InputError(NO_FACES, folder=faces)
    if edge is not None and (renderer is not Renderer.PLAIN or edge not in EDGES):
        raise InputError(NO_EDGE, edge=edge, edges=", ".join(dict.fromkeys(EDGES)))
    plain = partial(shoot_plain, pace=pace, faces=faces, edge=edge)
    figures = bench_films(
        models_dir(),
        [find_rules_name(name) for name in rules or RULE_SETS],
        [Pose(each.value) for each in pose or (CameraPose.ABOVE, CameraPose.CORNER)],
        hands=hands,
        seed=seed,
        shoot=plain if renderer is Renderer.PLAIN else partial(shoot_film, pace=pace),
        given_corners=given_corners,
        answers=answers,
        again=again,
    )
    if as_json:
        print_json({**figures, "pace": pace, "renderer": renderer.value})
        return
    for name in dict.fromkeys(row["pose"] for row in figures["figures"]):
        rows = [row for row in figures["figures"] if row["pose"] == name]
        _show_games(rows, f"camera {name}, {hands} of each game, seed {seed}, pace {pace:g}")
    if again:
        console().print("MB at most, after each time: " + ", ".join(map(str, figures["memory_again_mb"])))


def bench_finding(
    tables: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="Tables of each kind, in two pictures each.")
    ] = 4,
    pose: Annotated[
        list[CameraPose] | None, typer.Option(help="Where the camera stands; may be given again.")
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the films.")] = 20261123,
    as_json: AsJson = False,
) -> None:
    """How well tables are found in single pictures, by how they end: seconds for each picture."""
    from companion.bench.found_tables import bench_finding
    from companion.scenes.film.pose import Pose

    poses = [Pose(each.value) for each in pose or CameraPose]
    figures = bench_finding(models_dir(), poses, tables=tables, seed=seed)
    if as_json:
        print_json(figures)
        return
    for row in figures["figures"]:
        console().print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in row.items()))


def bench_sights(
    films: Annotated[
        list[Path], typer.Argument(metavar="FILM.mp4", help="Made by companion simulate --video.")
    ],
    as_json: AsJson = False,
) -> None:
    """How well the tiles of films are seen, from the camera's true place: minutes for each film."""
    from companion.bench.observing import bench_sights

    for film in films:
        for path in (film, film.with_suffix(".jsonl")):
            if not path.is_file():
                raise InputError(NO_FILM, file=path)
    rows = bench_sights(models_dir(), films)
    if as_json:
        print_json({"figures": rows})
        return
    for row in rows:
        console().print(
            ", ".join(
                f"{name.replace('_', ' ')} {value}" for name, value in row.items() if name != "failures"
            )
        )


def bench_dice(
    throws: Annotated[int, typer.Option(metavar="N", min=1, max=10000, help="Throws for each pose.")] = 200,
    pose: Annotated[
        list[CameraPose] | None,
        typer.Option(help="Where the camera stands; may be given again. Without it: above and corner."),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the throws and tables.")] = 20261123,
    as_json: AsJson = False,
) -> None:
    """How many throws of drawn dice are read within two seconds, and what else is taken for dice."""
    from companion.bench.dice import bench_dice
    from companion.scenes.film.pose import Pose

    rows = bench_dice(
        throws, [Pose(each.value) for each in pose or (CameraPose.ABOVE, CameraPose.CORNER)], seed
    )
    if as_json:
        print_json({"figures": rows, "seed": seed})
        return
    _show_games([{"rules": row["pose"], **row} for row in rows], f"dice, seed {seed}")


def bench_placing(
    hands: Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Hands of each pose.")] = 3,
    pose: Annotated[
        list[CameraPose] | None,
        typer.Option(help="Where the camera stands; may be given again. Without it: above and corner."),
    ] = None,
    k1: Annotated[
        list[float] | None,
        typer.Option(
            metavar="K",
            min=BENDS[0],
            max=BENDS[1],
            help="How the lens bends, as OpenCV has it; may be given again. Without it: 0, -0.1, -0.2, -0.3.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", min=0, help="Of the hands and the pictures.")] = 101,
    as_json: AsJson = False,
) -> None:
    """How far from where they lie tiles are seen, through lenses that bend straight lines."""
    from companion.bench.placing import bench_placing
    from companion.scenes.film.pose import Pose

    poses = [Pose(each.value) for each in pose or (CameraPose.ABOVE, CameraPose.CORNER)]
    rows = bench_placing(models_dir(), "hefei", poses, k1 or [0.0, -0.1, -0.2, -0.3], hands=hands, seed=seed)
    if as_json:
        print_json({"figures": rows, "hands": hands, "seed": seed})
        return
    for row in rows:
        console().print(", ".join(f"{name.replace('_', ' ')} {value}" for name, value in row.items()))


def _show_games(games: list[dict[str, Any]], title: str) -> None:
    """A row for each figure, a column for each game."""
    from rich.table import Table

    shown = Table(title=title)
    for heading in ("", *(game["rules"] for game in games)):
        shown.add_column(heading, justify="right" if heading else "left")
    for key in games[0]:
        if key not in ("rules", "pose"):
            shown.add_row(
                key.replace("_", " "), *("–" if game[key] is None else str(game[key]) for game in games)
            )
    console().print(shown)


def _show(figures: list[dict[str, Any]], title: str) -> None:
    from rich.table import Table

    shown = Table(title=title)
    for heading in ("what", "of", "unit"):
        shown.add_column(heading)
    for heading in ("runs", "median", "best"):
        shown.add_column(heading, justify="right")
    for figure in figures:
        shown.add_row(*(str(figure[key]) for key in ("what", "of", "unit", "runs", "median", "best")))
    console().print(shown)


def _show_holds(holds: list[dict[str, Any]]) -> None:
    out = console()
    for each in holds:
        sign = {True: "holds", False: "FAILS", None: "not tried"}[each["holds"]]
        rest = ", ".join(f"{key} {value}" for key, value in each.items() if key not in ("what", "holds"))
        out.print(f"{sign}: {each['what']} ({rest})")
