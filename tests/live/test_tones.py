"""The sounds are short, do not clip, begin and end in silence, and differ from each other."""

from __future__ import annotations

import io
import wave

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.live.tones import FULL_SCALE, RATE_HZ, TONES, Cue, make_wav

LONGEST_S = {Cue.DISCARD: 0.15, Cue.CLAIM: 0.6, Cue.QUESTION: 0.6, Cue.ERROR: 0.6, Cue.WIN: 2.0, Cue.SEA: 3.5}


def decode(cue: Cue) -> NDArray[np.float64]:
    """The samples of the WAV file, -1 to 1."""
    with wave.open(io.BytesIO(make_wav(cue))) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, RATE_HZ)
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / FULL_SCALE


def find_loudness(samples: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(samples**2)))


@pytest.mark.parametrize("cue", Cue)
def test_a_sound_is_short_whole_and_free_of_clicks(cue: Cue) -> None:
    samples = decode(cue)
    assert 0.05 < len(samples) / RATE_HZ <= LONGEST_S[cue]
    peak = np.abs(samples).max()
    assert peak == pytest.approx(TONES[cue].peak, abs=0.001)
    assert np.sum(np.abs(samples) >= 0.999) == 0
    assert abs(samples[0]) < 0.01
    assert abs(samples[-1]) < 0.01
    assert abs(samples.mean()) < 0.01


def test_a_discard_is_soft_and_the_sea_floor_louder_and_longer_than_all_others() -> None:
    loudness = {cue: find_loudness(decode(cue)) for cue in Cue}
    assert min(loudness, key=lambda cue: loudness[cue]) is Cue.DISCARD
    lengths = {cue: len(decode(cue)) for cue in Cue}
    assert max(lengths, key=lambda cue: lengths[cue]) is Cue.SEA
    assert TONES[Cue.SEA].peak == max(tone.peak for tone in TONES.values())


def test_the_sea_floor_lies_far_below_every_other_sound() -> None:
    def find_middle(cue: Cue) -> float:
        """The frequency below which half of the sound's power lies, Hz."""
        power = np.abs(np.fft.rfft(decode(cue))) ** 2
        at = int(np.searchsorted(np.cumsum(power), power.sum() / 2))
        return at * RATE_HZ / len(decode(cue))

    middles = {cue: find_middle(cue) for cue in Cue}
    assert middles[Cue.SEA] * 1.5 < min(middles[cue] for cue in Cue if cue is not Cue.SEA), middles


def test_it_is_the_same_in_every_run() -> None:
    assert make_wav(Cue.WIN) == make_wav(Cue.WIN)
    assert len({make_wav(cue) for cue in Cue}) == len(Cue)
