"""What can be wrong with a line or a device, to choose from."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Faults:
    """Rates are chances a byte, 0…1, in each direction.

    `bytes_per_s` 0 is as fast as it goes; 11 520 is a line at 115200 baud. `stuck`: the device neither reads
    nor writes. `wrong_version`: it speaks only version 9.
    """

    noise: float = 0.0
    dropped: float = 0.0
    doubled: float = 0.0
    bytes_per_s: int = 0
    stuck: bool = False
    wrong_version: bool = False

    def damage(self, data: bytes, rng: random.Random) -> bytes:
        """`data` as it comes out of such a line."""
        if not (self.noise or self.dropped or self.doubled):
            return data
        out = bytearray()
        for byte in data:
            chance = rng.random()
            if chance < self.noise:
                out.append(byte ^ rng.randrange(1, 256))
            elif chance < self.noise + self.dropped:
                continue
            elif chance < self.noise + self.dropped + self.doubled:
                out += bytes((byte, byte))
            else:
                out.append(byte)
        return bytes(out)


CLEAN = Faults()
