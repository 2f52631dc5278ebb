"""The sounds of the table, made with NumPy, and which sound an event has."""

from __future__ import annotations

import io
import wave
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from companion.table import events
from companion.table.events import Event
from companion.table.state import Phase, State

RATE_HZ = 44_100
FADE_IN_S, FADE_OUT_S = 0.002, 0.02
"""Seconds over which a sound fades in and out, to avoid clicks."""
FULL_SCALE = 32_767

Samples = NDArray[np.float64]
Partials = Sequence[tuple[float, float]]
"""Frequency and amplitude of each partial, relative to the tone's own."""

WOOD: Partials = ((1.0, 1.0), (2.76, 0.45), (5.4, 0.2))
"""A bar that is struck: the overtones of a free bar, not of a string."""
BELL: Partials = ((1.0, 1.0), (2.0, 0.5), (3.01, 0.25), (4.1, 0.12))
GONG: Partials = ((1.0, 1.0), (1.007, 0.9), (1.48, 0.7), (2.09, 0.6), (2.94, 0.4), (3.02, 0.35), (4.6, 0.2))
"""Two that are nearly the same beat slowly, as a large gong does."""


class Cue(IntEnum):
    """Purpose of a sound; of several at the same time the highest is played."""

    DISCARD = 0
    QUESTION = 1
    CLAIM = 2
    ERROR = 3
    WIN = 4
    SEA = 5


@dataclass(frozen=True, slots=True)
class Stroke:
    """A bar that is struck. at_s: when; lasts_s: until it has faded to a third."""

    at_s: float
    hz: float
    lasts_s: float
    partials: Partials = WOOD
    height: float = 1.0


@dataclass(frozen=True, slots=True)
class Tone:
    """seconds: the length of it; peak: its highest point, as a part of what can be played."""

    seconds: float
    peak: float
    strokes: tuple[Stroke, ...]


def _play(hz: Sequence[float], step_s: float, lasts_s: float, partials: Partials) -> tuple[Stroke, ...]:
    """One bar after the other."""
    return tuple(Stroke(at * step_s, each, lasts_s, partials) for at, each in enumerate(hz))


G3, A3, E4, C5, E5, G5, A5, C6, E6 = 196.0, 220.0, 329.63, 523.25, 659.26, 783.99, 880.0, 1046.5, 1318.51

TONES = {
    Cue.DISCARD: Tone(0.12, 0.2, (Stroke(0.0, 1150.0, 0.016), Stroke(0.012, 690.0, 0.02, WOOD, 0.7))),
    Cue.QUESTION: Tone(0.5, 0.35, _play((E5, A5), 0.14, 0.11, BELL)),
    Cue.CLAIM: Tone(0.4, 0.5, _play((C5, G5), 0.09, 0.08, WOOD)),
    Cue.ERROR: Tone(0.5, 0.5, _play((A3, G3 * 0.94), 0.17, 0.12, BELL)),
    Cue.WIN: Tone(1.9, 0.75, _play((C5, E5, G5, C6, E6), 0.13, 0.4, BELL)),
    Cue.SEA: Tone(
        3.2, 0.9,
        (
            Stroke(0.0, 98.0, 1.0, GONG), Stroke(0.75, 98.0, 1.1, GONG),
            *_play((E4, C5 / 2, A3), 0.25, 0.3, BELL),
        ),
    ),
}  # fmt: skip
"""The Sea Floor is a gong, struck twice: nothing else at the table sounds like it."""


def make_samples(cue: Cue) -> Samples:
    """The sound, (n,) from -1 to 1, RATE_HZ of them a second."""
    tone = TONES[cue]
    samples = np.zeros(round(tone.seconds * RATE_HZ))
    for stroke in tone.strokes:
        begin = round(stroke.at_s * RATE_HZ)
        samples[begin:] += _ring(stroke, len(samples) - begin)
    fade_in, fade_out = round(FADE_IN_S * RATE_HZ), round(FADE_OUT_S * RATE_HZ)
    samples[:fade_in] *= np.linspace(0, 1, fade_in)
    samples[-fade_out:] *= np.linspace(1, 0, fade_out)
    return samples * (tone.peak / float(np.abs(samples).max()))


def make_wav(cue: Cue) -> bytes:
    """The sound as a WAV file: one channel of 16 bits."""
    content = io.BytesIO()
    with wave.open(content, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE_HZ)
        file.writeframes(np.round(make_samples(cue) * FULL_SCALE).astype("<i2").tobytes())
    return content.getvalue()


def _ring(stroke: Stroke, count: int) -> Samples:
    t = np.arange(count) / RATE_HZ
    ring = np.zeros(count)
    for ratio, height in stroke.partials:
        fading = np.exp(-t / stroke.lasts_s * np.sqrt(ratio))
        ring += height * fading * np.sin(2 * np.pi * stroke.hz * ratio * t)
    return ring * stroke.height


CUES: dict[type[Event], Cue] = {
    events.Discarded: Cue.DISCARD,
    events.Claimed: Cue.CLAIM,
    events.ConcealedKong: Cue.CLAIM,
    events.AddedKong: Cue.CLAIM,
    events.ReadyDeclared: Cue.CLAIM,
    events.FalseWin: Cue.ERROR,
    events.Won: Cue.WIN,
}


def choose_cue(before: State | None, event: Event, after: State) -> Cue | None:
    """The sound of an event that led from `before` to `after`; None where it is silent.

    The Sea Floor is heard as it begins, whatever began it.
    """
    if is_at_sea(after) and not (before is not None and is_at_sea(before)):
        return Cue.SEA
    return CUES.get(type(event))


def is_at_sea(state: State) -> bool:
    """Whether the last tiles are being drawn."""
    return state.hand is not None and state.hand.phase is Phase.SEA
