"""`companion bench NAME`: a table of everything that is measured.

A benchmark is a function whose parameters are its flags; it returns figures as plain JSON. `run_bench` adds
`--json` to each, and without it prints the figures for people.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, get_type_hints

import typer

from companion.commands.club import NOT_INSTALLED
from companion.commands.described import find_rules_name
from companion.commands.game_start import Options, make_start
from companion.commands.inputs import AsJson, read_input
from companion.commands.laboratory import BENDS
from companion.commands.output import console, print_json
from companion.config import models_dir
from companion.errors import InputError, MissingError, list_names, quote
from companion.foreign import Undecodable, load_json
from companion.rules import RULE_SETS
from companion.screen import find_screen
from companion.tiles import KINDS
from lab.film.customs import Pose

COLUMNS = ("faces", "backs", "precision", "of backs", "silent", "exact", "none")
WARNINGS = {
    "test": "A test split: it is read once a release (--release logs it), and nothing is chosen by it.",
    None: "In no list of splits: lab/bench/labelled_photos.py says what a split may be used for.",
}


def show_accuracy(figures: Json) -> None:
    """Prints what `reading_accuracy.bench` returned."""
    from rich import box
    from rich.table import Table

    out = console()
    title = f"{figures['split']}: {figures['role'] or 'no role'}, {figures['photos']} photos"
    if taught := figures["taught"]:
        title += f", {taught['kinds']} kinds learned from {' and '.join(taught['photos'])}"
    table = Table(title=title, box=box.SIMPLE_HEAD, collapse_padding=True)
    table.add_column("group", no_wrap=True)
    for heading in COLUMNS:
        table.add_column(heading, justify="right", no_wrap=True)
    groups = figures["groups"]
    for group, shares in groups.items() if len(groups) > 1 else ():
        table.add_row(group, *_list_cells(shares))
    table.add_section()
    table.add_row("all", *_list_cells(figures))
    out.print(table)
    out.print(
        "faces, backs: found and named right; silent: named wrong; none: nothing found where no tile is"
    )
    if figures["confusions"]:
        pairs = (f"{wanted} → {read} {count}" for wanted, read, count in figures["confusions"])
        out.print(f"Most frequent confusions (wanted → read, times): {', '.join(pairs)}")
    if figures["calibration_error"] is not None:
        out.print(f"Calibration error: {figures['calibration_error']}")
    if figures["outlines"]["tiles"]:
        out.print(f"Overlap of outlines, median: {figures['outlines']['iou_median']}")
    stages = ", ".join(f"{stage} {ms} ms" for stage, ms in figures["ms_median"].items())
    out.print(f"A photo, median: {stages}; memory at most {figures['peak_memory_mb']} MB")
    if effort := figures["effort"]:
        px, crops, cpu = effort["finder_mpx"], effort["crops"], effort["cpu_s"]
        out.print(
            f"A photo, median and most: {px['median']} and {px['most']} million px before the finder, "
            f"{crops['median']} and {crops['most']} crops, {cpu['median']} and {cpu['most']} s of processor"
        )
    if figures["role"] in WARNINGS:
        out.print(WARNINGS[figures["role"]])


def _list_cells(shares: Json) -> list[str]:
    faces, backs = shares["faces"], shares["backs"]
    return [
        _count(faces["end_to_end"]),
        _count(backs["end_to_end"]),
        _format_share(shares["precision"]),
        _format_share(backs["precision"]),
        _format_share(shares["silent_errors"]),
        _count(shares["exact_photos"]),
        _count(shares["nothing_found"]),
    ]


def _count(share: Json) -> str:
    return f"{share['right']}/{share['of']}" if share["of"] else "–"


def _format_share(share: Json) -> str:
    return f"{100 * share['value']:.1f}%" if share["of"] else "–"


Json = dict[str, Any]

NO_FILM = "There is no file '{file}': a film is a video of companion simulate --video and its .jsonl."
NO_FACES = "--faces '{folder}' is for --renderer plain, and names a folder that has one for each tile set."
NO_EDGE = "--edge '{edge}' is for --renderer plain, and is one of {edges}."
NOT_PLAIN = "--mean and --bump are for --renderer scenes: leave one of them out."
USUAL_POSES = (Pose.ABOVE, Pose.CORNER)

Hands = Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="Hands of each game or pose.")]
Runs = Annotated[int, typer.Option(metavar="N", min=1, max=1000, help="Runs of each figure.")]
Seed = Annotated[int, typer.Option(metavar="N", min=0, help="Seed of the hands, films and noise.")]
Poses = Annotated[
    list[Pose] | None,
    typer.Option("--pose", metavar="NAME", help="above, corner or side; may be repeated."),
]
Games = Annotated[
    list[str] | None, typer.Option("--rules", metavar="NAME", help="A game; may be repeated. Default: all.")
]
Answers = Annotated[bool, typer.Option("--answers", help="A player answers what is asked about discards.")]


class Renderer(StrEnum):
    """What draws the films: `lab.film`, or the plainer `lab.bench.plain_films`."""

    SCENES = "scenes"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True)
class Bench:
    """One benchmark: what measures, how its figures are printed, and which figures mean that it failed."""

    measure: Callable[..., Json]
    show: Callable[[Json], None]
    has_failed: Callable[[Json], bool] = lambda figures: False


def run_bench(arguments: Sequence[str]) -> None:
    """Run the benchmark that the command line names. Raises InputError and typer's errors."""
    app = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        help=("Measure the program: figures with units and runs (source copy only)."),
    )
    for name, bench in BENCHES.items():
        app.command(name)(_make_command(bench))
    app(args=list(arguments), prog_name="companion bench", standalone_mode=False)


def _make_command(bench: Bench) -> Callable[..., None]:
    """The benchmark as a command with `--json`."""

    def command(as_json: bool, **flags: Any) -> None:
        figures = bench.measure(**flags)
        (print_json if as_json else bench.show)(figures)
        if bench.has_failed(figures):
            raise typer.Exit(1)

    hints = get_type_hints(bench.measure, include_extras=True)
    parameters = [
        each.replace(annotation=hints[each.name], kind=inspect.Parameter.KEYWORD_ONLY)
        for each in inspect.signature(bench.measure).parameters.values()
    ]
    as_json = inspect.Parameter("as_json", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=AsJson)
    command.__signature__ = inspect.Signature([*parameters, as_json])  # type: ignore[attr-defined]  # typer reads it
    command.__annotations__ = {each.name: each.annotation for each in (*parameters, as_json)}
    command.__doc__ = bench.measure.__doc__
    return command


def measure_vision(
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
    runs: Runs = 9,
    yardstick: Annotated[
        bool,
        typer.Option("--yardstick", help="With --speed: next to a network of YOLO11n's size; needs onnx."),
    ] = False,
) -> Json:
    """How many tiles of labelled photos are found and named correctly; how fast drawn tables are read; how
    often the hand is found among the other tiles."""
    photos = (data, split, learn or None, release or None)
    of_photos = any(each is not None for each in photos)
    if kinds and not learn:
        raise InputError("--kinds says how many kinds the photos of --learn teach: give --learn too.")
    if hands and not (of_photos or speed or yardstick):
        from lab.bench import which_hand

        return which_hand.bench(models_dir(), hands)
    if speed and not (of_photos or hands):
        from lab.bench import reading_speed

        return reading_speed.bench(models_dir(), runs, yardstick=yardstick)
    if hands or speed or yardstick or data is None or split is None:
        raise InputError(
            "Give --data and --split for labelled photos, or --hands N for drawn tables, or --speed with "
            "--yardstick or without: see --help."
        )
    from lab.bench import reading_accuracy

    return reading_accuracy.bench(data, split, models_dir(), learn, kinds, release=release)


def measure_mirrored(
    data: Annotated[Path, typer.Option(metavar="DIR", help="Folder of labelled photos.")],
    split: Annotated[str, typer.Option(metavar="NAME", help="Which of its lists: NAME.json.")],
) -> Json:
    """How often flipped photos are noticed, and others taken for mirrored ones."""
    from lab.bench.mirrored import bench

    return bench(data, split, models_dir())


def show_vision(figures: Json) -> None:
    """Print the figures of photos as a table, others as JSON."""
    (show_accuracy if "groups" in figures else show_document)(figures)


def measure_rules(runs: Runs = 9) -> Json:
    """How many hands a second are scored, searched for waits and for their distance to ready, next to other
    programs."""
    from lab.bench.rules import bench

    return bench(runs)


def measure_serve(
    runs: Runs = 3,
    viewers: Annotated[int, typer.Option(metavar="N", min=1, max=200, help="Open pages.")] = 200,
    events: Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="Events in each run.")] = 100,
    hands: Annotated[
        int, typer.Option(metavar="N", min=0, max=100, help="Hands that were played before.")
    ] = 10,
    rules: Annotated[str, typer.Option(metavar="NAME", help="The game.")] = "hefei",
) -> Json:
    """How soon the state after an event is on all pages of companion serve."""
    from lab.bench.served import bench

    return bench(runs, viewers, events, hands, find_rules_name(rules))


def measure_club(
    tables: Annotated[int, typer.Option(metavar="N", min=1, max=10_000, help="Simulated tables.")] = 1000,
    rate: Annotated[
        float, typer.Option(metavar="X", min=0.01, max=100, help="Events a second of each table.")
    ] = 1.0,
    seconds: Annotated[int, typer.Option(metavar="N", min=1, max=3600, help="How long they play.")] = 120,
    collectors: Annotated[
        int, typer.Option(metavar="N", min=1, max=16, help="Collectors that share the tables by club.")
    ] = 1,
    hands: Annotated[
        int, typer.Option(metavar="N", min=0, max=10**7, help="Hands of which standings are made, too.")
    ] = 0,
) -> Json:
    """How soon an event is in the standings of companion club, and how many a second it collects."""
    try:
        from lab.bench.club import bench
    except ModuleNotFoundError as error:
        raise MissingError(NOT_INSTALLED, name=error.name or "") from error

    return bench(tables, rate, seconds, collectors, hands)


def measure_seating(
    players: Annotated[
        list[int] | None,
        typer.Option(metavar="N", min=4, max=200, help="May be repeated. Default: 8 to 80."),
    ] = None,
    evenings: Annotated[int, typer.Option(metavar="N", min=0, max=100, help="Of a season.")] = 10,
    games: Annotated[int, typer.Option(metavar="N", min=0, max=10**6, help="To be rated.")] = 20_000,
    seed: Seed = 0,
) -> Json:
    """In how many rounds of a club nobody meets twice, and how long seating and rating take."""
    from lab.bench.seating import bench

    return bench(players or [8, 12, 16, 20, 32, 48, 80], evenings, games, seed)


def measure_link(
    runs: Runs = 5,
    messages: Annotated[
        int, typer.Option(metavar="N", min=1, max=10**6, help="Messages over a bad line.")
    ] = 10_000,
    unplugs: Annotated[
        int, typer.Option(metavar="N", min=1, max=10**5, help="How often the cable is pulled out.")
    ] = 50,
    fuzz_bytes: Annotated[
        int, typer.Option(metavar="N", min=10_000, max=10**10, help="Bytes of garbage into each codec.")
    ] = 10_000_000,
) -> Json:
    """How fast the serial protocol is, what an idle link uses, and what both survive."""
    try:
        from lab.bench.link import bench
    except ImportError as error:
        raise MissingError("A device can only be emulated on a system with pseudo-terminals.") from error

    return bench(runs, messages, unplugs, fuzz_bytes)


def measure_table(
    runs: Runs = 9,
    hands: Annotated[
        int,
        typer.Option(metavar="N", min=1, max=10**6, help="Hands of each game; each event is checked."),
    ] = 200,
) -> Json:
    """How fast games are played by built-in players, kept and resumed; whether every count stays right."""
    from lab.bench.table import bench

    return bench(runs, hands)


def measure_coach(
    rules: Annotated[str, typer.Option("--rules", metavar="NAME", help="The game: see companion rules.")],
    walls: Annotated[int, typer.Option(metavar="N", min=1, max=10**6, help="Walls, each in all seats.")] = 20,
    budget: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, max=10.0, help="Time for a decision, about.")
    ] = 0.05,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, help="Seed of the first wall; the others follow.")
    ] = 1,
    player: Annotated[
        str, typer.Option(metavar="NAME", help="coach, fearless, constant, beginner or built-in.")
    ] = "coach",
    opponents: Annotated[
        str, typer.Option(metavar="NAME", help="What the other seats follow, of the same names.")
    ] = "built-in",
    option: Options = None,
) -> Json:
    """How strong the advice is: a seat that follows it against three built-in players, in duplicate."""
    from lab.bench import coach

    rules = find_rules_name(rules)
    for given, flag in ((player, "--player"), (opponents, "--opponents")):
        if given not in coach.PLAYERS:
            raise InputError(
                "{option} cannot be {given}: choose from {allowed}.",
                option=flag, given=quote(given), allowed=list_names(given, coach.PLAYERS),
            )  # fmt: skip
    options = make_start(rules, None, option).options
    return coach.bench(rules, walls, budget, seed, player, opponents, options)


def merge_coach(
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="Files of bench coach --json.")],
) -> Json:
    """Merge runs of bench coach, of one game and player and with different walls, into one."""
    from lab.bench import coach

    found = []
    for name in runs:
        try:
            found.append((name, load_json(read_input(name))))
        except Undecodable as error:
            raise InputError(coach.NO_RUN, name=quote(name)) from error
    return coach.merge(found)


def measure_decoding(
    hands: Hands = 12,
    seed: Seed = 20261122,
    film: Annotated[
        Pose | None, typer.Option(help="Place the tiles as in films from there, not as the bench does.")
    ] = None,
    answers: Answers = False,
) -> Json:
    """How well hands are followed from noisy sights of the table, without any picture."""
    from lab.bench.decoding import bench_games

    return bench_games(hands, seed, film, answers=answers)


def measure_table_video(
    hands: Hands = 1,
    rules: Games = None,
    pose: Poses = None,
    seed: Seed = 20261123,
    pace: Annotated[float, typer.Option(metavar="X", min=0.25, max=4, help="How fast people play.")] = 1.0,
    given_corners: Annotated[
        bool, typer.Option("--given-corners", help="Give the table's corners instead of finding them.")
    ] = False,
    renderer: Annotated[
        Renderer, typer.Option(help="Films of companion simulate --video, or plain ones that look different.")
    ] = Renderer.SCENES,
    faces: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Plain films: photographed faces, 1m.png …; a folder per set."),
    ] = None,
    edge: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Plain films: edge of the table: rim, cloth ends, round or none."),
    ] = None,
    mean: Annotated[
        bool,
        typer.Option(
            "--mean",
            help="Careless people before a cheap camera: hands that rest, tiles shown and thrown, walls"
            " pushed, bands of 50 Hz, a hunting focus, blocks; some mirrored, some HLG.",
        ),
    ] = False,
    bump: Annotated[
        float,
        typer.Option(
            metavar="PX",
            min=0,
            max=60,
            help="Push the camera once, in the middle of the film, by this many px, instead of at random.",
        ),
    ] = 0.0,
    answers: Answers = False,
    again: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=1000, help="Follow each film N more times, to see whether memory grows."
        ),
    ] = 0,
) -> Json:
    """How well hands are followed from films of them: minutes for each hand."""
    from lab.bench.plain_films import EDGES
    from lab.bench.table_video import bench_films, shoot_film, shoot_plain

    if faces is not None and (renderer is not Renderer.PLAIN or not faces.is_dir()):
        raise InputError(NO_FACES, folder=faces)
    if (mean or bump) and renderer is Renderer.PLAIN:
        raise InputError(NOT_PLAIN)
    if edge is not None and (renderer is not Renderer.PLAIN or edge not in EDGES):
        raise InputError(NO_EDGE, edge=edge, edges=", ".join(dict.fromkeys(EDGES)))
    plain = partial(shoot_plain, pace=pace, faces=faces, edge=edge)
    scenes = partial(shoot_film, pace=pace, mean=mean, bump_px=bump)
    figures = bench_films(
        models_dir(),
        [find_rules_name(name) for name in rules or RULE_SETS],
        list(pose or USUAL_POSES),
        hands=hands,
        seed=seed,
        shoot=plain if renderer is Renderer.PLAIN else scenes,
        given_corners=given_corners,
        answers=answers,
        again=again,
    )
    return {**figures, "pace": pace, "renderer": renderer.value, "mean": mean, "bump_px": bump}


def measure_finding(
    tables: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="Tables of each kind, in two pictures each.")
    ] = 4,
    pose: Poses = None,
    seed: Seed = 20261123,
) -> Json:
    """How well tables are found in single pictures, by how they end: seconds for each picture."""
    from lab.bench.found_tables import bench_finding

    return bench_finding(models_dir(), list(pose or Pose), tables=tables, seed=seed)


def measure_lived_in(
    tables: Annotated[int, typer.Option(metavar="N", min=1, max=10000, help="Drawn tables.")] = 60,
    seed: Seed = 20261123,
    photos: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Photos and their corners.json, instead of drawn tables."),
    ] = None,
) -> Json:
    """How well tables as people have them are found in single pictures: two seconds for each picture."""
    from lab.bench.lived_in_tables import bench_labelled, bench_lived_in

    if photos is not None:
        return bench_labelled(models_dir(), photos)
    return bench_lived_in(models_dir(), tables=tables, seed=seed)


def measure_sights(
    films: Annotated[
        list[Path], typer.Argument(metavar="FILM.mp4", help="Made by companion simulate --video.")
    ],
) -> Json:
    """How well the tiles of films are seen, from the camera's true place: minutes for each film."""
    from lab.bench.observing import bench_sights

    for film in films:
        for path in (film, film.with_suffix(".jsonl")):
            if not path.is_file():
                raise InputError(NO_FILM, file=path)
    return {"figures": bench_sights(models_dir(), films)}


def measure_dice(
    throws: Annotated[int, typer.Option(metavar="N", min=1, max=10000, help="Throws for each pose.")] = 200,
    pose: Poses = None,
    seed: Seed = 20261123,
) -> Json:
    """How many throws of drawn dice are read within two seconds, and what else is taken for dice."""
    from lab.bench.dice import bench_dice

    return {"figures": bench_dice(throws, list(pose or USUAL_POSES), seed), "seed": seed}


def measure_placing(
    hands: Hands = 3,
    pose: Poses = None,
    k1: Annotated[
        list[float] | None,
        typer.Option(
            metavar="K",
            min=BENDS[0],
            max=BENDS[1],
            help="OpenCV's k1 of the lens; may be repeated. Default: 0, -0.1, -0.2, -0.3.",
        ),
    ] = None,
    seed: Seed = 101,
) -> Json:
    """How far from their true places tiles are seen, through lenses that bend straight lines."""
    from lab.bench.placing import bench_placing

    poses, bends = list(pose or USUAL_POSES), k1 or [0.0, -0.1, -0.2, -0.3]
    rows = bench_placing(models_dir(), "hefei", poses, bends, hands=hands, seed=seed)
    return {"figures": rows, "hands": hands, "seed": seed}


def measure_app(
    hands: Annotated[int, typer.Option(metavar="N", min=0, max=100, help="Hands that are followed.")] = 2,
    again: Annotated[
        int, typer.Option(metavar="N", min=1, max=1000, help="How often these hands are followed in a row.")
    ] = 1,
    starts: Annotated[
        int, typer.Option(metavar="N", min=1, max=100, help="How often the window is opened for its time.")
    ] = 3,
    seed: Seed = 20261123,
) -> Json:
    """How soon the window opens, and how quickly and in how much memory it follows filmed hands: two minutes,
    and several for each hand; up to five times that where other programs want every core."""
    find_screen()
    from lab.window_bench.following import bench

    return bench(hands, again, starts, seed)


def measure_evening(
    rules: Games = None,
    hands: Annotated[int, typer.Option(metavar="N", min=1, max=100, help="Hands that count, of each.")] = 16,
    seed: Seed = 20261130,
    camera: Annotated[
        bool, typer.Option(help="Reported by a simulated camera and table, not by touch.")
    ] = False,
    only_wins: Annotated[
        bool, typer.Option(help="Of Hong Kong and Taiwanese, only wins: by value, rows, photo and tiles.")
    ] = False,
) -> Json:
    """Play an evening of each game through the window, kill it three times in the middle, and compare the
    score sheet with what was played: several minutes for each."""
    for name in rules or ():
        if name not in RULE_SETS:
            raise InputError(
                "No game {given}. Games: {known}.", given=quote(name), known=", ".join(RULE_SETS)
            )
    find_screen()
    if only_wins:
        from lab.window_bench.only_wins import HANDS, play_wins_evening

        games = [name for name in rules or HANDS if name in HANDS]
        with TemporaryDirectory() as folder:
            return {"evenings": [play_wins_evening(name, hands, seed, Path(folder) / name) for name in games]}
    from lab.window_bench.by_camera import play_by_camera, play_by_touch
    from lab.window_bench.evenings import Window, bench_evenings

    window = Window(play_by_camera, odd=False) if camera else Window(play_by_touch)
    with TemporaryDirectory() as folder:
        return {"evenings": bench_evenings(window, rules or list(RULE_SETS), hands, seed, Path(folder))}


def has_difference(figures: Json) -> bool:
    """Whether the sheet of an evening is not what was played."""
    return any(each["differences"] or each["lost"] for each in figures["evenings"])


def show_document(figures: Json) -> None:
    """Print the figures as JSON with colours."""
    console().print_json(data=figures)


def show_figures(figures: Json) -> None:
    """Print a table of measured times and rates, and what was checked on the way."""
    from rich.table import Table

    beside = [f"{name} {version}" for name, version in figures.get("beside", {}).items()]
    shown = Table(title=", ".join([f"Python {figures['python']}", *beside]))
    for heading in ("what", "of", "unit"):
        shown.add_column(heading)
    for heading in ("runs", "median", "best"):
        shown.add_column(heading, justify="right")
    for figure in figures["figures"]:
        shown.add_row(*(str(figure[key]) for key in ("what", "of", "unit", "runs", "median", "best")))
    console().print(shown)
    for each in figures.get("holds", ()):
        sign = {True: "holds", False: "FAILS", None: "not tried"}[each["holds"]]
        rest = ", ".join(f"{key} {value}" for key, value in each.items() if key not in ("what", "holds"))
        console().print(f"{sign}: {each['what']} ({rest})")


def show_rows(figures: Json) -> None:
    """Print a line for each row of figures."""
    for row in figures["figures"]:
        parts = (f"{name.replace('_', ' ')} {value}" for name, value in row.items() if name != "failures")
        console().print(", ".join(parts))


def show_certainty(pose: str, kinds: Sequence[Json]) -> None:
    """Print a row for each kind of event: how it was stated, and how often each p was right."""
    from rich.table import Table

    tops = sorted({top for kind in kinds for top in kind["right_by_p"]})
    shown = Table(title=f"statements, camera {pose}" if pose else "statements")
    for heading in ("", "stated", "certain", "wrong", "taken back", *(f"p {top}" for top in tops)):
        shown.add_column(heading, justify="right" if heading else "left")
    for kind in kinds:
        counts = (kind[name] for name in ("stated", "certain", "wrong_and_certain", "certain_and_taken_back"))
        bins = (kind["right_by_p"].get(top) for top in tops)
        shares = ("" if each is None else f"{each[0]}/{each[1]}" for each in bins)
        shown.add_row(kind["event"].replace("_", " "), *map(str, counts), *shares)
    console().print(shown)


def show_lived_in(figures: Json) -> None:
    """Print a line for each photo, and for each kind of table."""
    show_rows({"figures": figures.get("pictures", [])})
    show_rows(figures)


def show_games(figures: Json) -> None:
    """Print a row for each figure and a column for each game, a table for each camera."""
    from rich.table import Table

    rows = figures.get("games") or figures["figures"]
    for pose in dict.fromkeys(row.get("pose") for row in rows):
        games = [row for row in rows if row.get("pose") == pose]
        shown = Table(title=f"camera {pose}" if pose else None)
        for heading in ("", *(game.get("rules", "all") for game in games)):
            shown.add_column(heading, justify="right" if heading else "left")
        for name in games[0]:
            if name not in ("rules", "pose"):
                values = ("–" if game[name] is None else str(game[name]) for game in games)
                shown.add_row(name.replace("_", " "), *values)
        console().print(shown)
    certainty = figures.get("certainty", {})
    for pose, kinds in (certainty if isinstance(certainty, dict) else {"": certainty}).items():
        show_certainty(pose, kinds)
    if memory := figures.get("memory_again_mb"):
        console().print("MB at most, after each time: " + ", ".join(map(str, memory)))


BENCHES: Mapping[str, Bench] = {
    "vision": Bench(measure_vision, show_vision),
    "mirrored": Bench(measure_mirrored, show_rows),
    "rules": Bench(measure_rules, show_figures),
    "table": Bench(measure_table, show_figures),
    "coach": Bench(measure_coach, show_document),
    "merge-coach": Bench(merge_coach, show_document),
    "decoding": Bench(measure_decoding, show_games),
    "sights": Bench(measure_sights, show_rows),
    "finding": Bench(measure_finding, show_rows),
    "lived-in": Bench(measure_lived_in, show_lived_in),
    "dice": Bench(measure_dice, show_games),
    "placing": Bench(measure_placing, show_rows),
    "table-video": Bench(measure_table_video, show_games),
    "app": Bench(measure_app, show_document),
    "evening": Bench(measure_evening, show_document, has_difference),
    "link": Bench(measure_link, show_figures),
    "serve": Bench(measure_serve, show_figures),
    "club": Bench(measure_club, show_figures),
    "seating": Bench(measure_seating, show_rows),
}
"""Every benchmark by its name on the command line."""
