"""What reading a picture costs is counted where the networks are called."""

from __future__ import annotations

import numpy as np

from companion.config import models_dir
from companion.vision import Recogniser
from lab.bench.effort import EffortMeter
from lab.bench.reading_speed import draw_hands


def test_pixels_and_crops_are_counted_for_each_thing_measured() -> None:
    recogniser = Recogniser(models_dir())
    meter = EffortMeter.attach(recogniser)
    with meter.measure("nothing"):
        recogniser.read(np.zeros((320, 320, 3), np.uint8))
    with meter.measure("hand"):
        reading = recogniser.read(draw_hands(5, 320, 320))
    nothing, hand = meter.summarise()["nothing"], meter.summarise()["hand"]
    assert nothing["finder_mpx"]["most"] == round((320**2 + 96**2 + 160**2 + 224**2) / 1e6, 2)
    assert nothing["crops"]["most"] == 0
    assert hand["finder_mpx"]["most"] >= nothing["finder_mpx"]["most"]
    assert hand["crops"]["most"] >= len(reading.tiles) == 5
    assert hand["cpu_s"]["most"] > 0
