"""Emulated devices on a pseudo-terminal, with faults to choose from: everything can be tried without
hardware.
"""

from firmware_bridge.emulator.device import EmulatedDevice
from firmware_bridge.emulator.faults import CLEAN, Faults
from firmware_bridge.emulator.models import AutomaticTable, DiceCup, Model

__all__ = ["CLEAN", "AutomaticTable", "DiceCup", "EmulatedDevice", "Faults", "Model"]
