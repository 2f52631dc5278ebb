"""The mean of several rounds' readers. Needs torch (extra `train`)."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.config import models_dir
from companion.errors import InputError

torch = pytest.importorskip("torch")

from models.training import average  # noqa: E402
from models.training.average import average_weights  # noqa: E402
from models.training.export import write_weights  # noqa: E402
from models.training.labels import LABELS  # noqa: E402
from models.training.nets import Finder, Reader  # noqa: E402


@pytest.fixture
def rounds(tmp_path: Path) -> list[Path]:
    """Three folders of weights, each of a network of its own."""
    folders = [tmp_path / str(number) for number in range(3)]
    for number, folder in enumerate(folders):
        torch.manual_seed(number)
        write_weights(Finder(), Reader(len(LABELS)), folder)
    return folders


def test_every_weight_is_the_mean_of_the_rounds(rounds: list[Path]) -> None:
    reader = average_weights(Reader(len(LABELS)), [folder / "reader.pt" for folder in rounds])
    kept = [torch.load(folder / "reader.pt", weights_only=True) for folder in rounds]
    assert not reader.training
    for key, weight in reader.state_dict().items():
        if weight.is_floating_point():
            mean = sum(state[key].double() for state in kept) / len(kept)
            assert torch.allclose(weight.double(), mean, atol=1e-6), key


def test_a_file_that_is_not_a_reader_is_refused(rounds: list[Path]) -> None:
    with pytest.raises(InputError, match=r"finder\.pt' holds no weights that this version"):
        average_weights(Reader(len(LABELS)), [rounds[0] / "reader.pt", rounds[1] / "finder.pt"])


def test_the_command_finishes_the_first_finder_and_the_mean_reader(
    rounds: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data, made = tmp_path / "data", []
    (data / "photos").mkdir(parents=True)
    (data / "photos" / "train.json").touch()
    monkeypatch.setattr(average, "draw_held_out", lambda *_: "held out")
    monkeypatch.setattr(average, "finish", lambda *given: made.append(given))
    words = [
        "average",
        *map(str, rounds),
        "--data",
        str(data),
        "--out",
        "out",
        "--work",
        str(tmp_path / "w"),
    ]
    monkeypatch.setattr("sys.argv", words)
    average.main()
    ((finder, _, *rest),) = made
    assert rest[:4] == ["held out", data, tmp_path / "w", Path("out")]
    first = torch.load(rounds[0] / "finder.pt", weights_only=True)
    assert all(
        torch.equal(weight.half(), first[key])
        for key, weight in finder.state_dict().items()
        if weight.is_floating_point()
    )
    monkeypatch.setattr("sys.argv", [*words, "--finders"])
    average.main()
    mean = average_weights(Finder(), [folder / "finder.pt" for folder in rounds]).state_dict()
    assert all(torch.equal(weight, mean[key]) for key, weight in made.pop()[0].state_dict().items())
    monkeypatch.setattr("sys.argv", [*words, "--keep-weigher", str(models_dir())])
    average.main()
    held_out, *rest = made.pop()[2:]
    assert held_out.tables == held_out.bare == []
    assert rest == [data, tmp_path / "w", Path("out"), average.SEED, models_dir()]
    monkeypatch.setattr("sys.argv", [*words, "--keep-weigher", "nowhere"])
    with pytest.raises(SystemExit):
        average.main()
    assert "there is no 'nowhere/weigher.onnx'" in capsys.readouterr().err
    monkeypatch.setattr("sys.argv", words)
    (rounds[2] / "reader.pt").write_bytes(b"no weights")
    with pytest.raises(SystemExit):
        average.main()
    assert "reader.pt' holds no weights" in capsys.readouterr().err
    assert len(made) == 1
