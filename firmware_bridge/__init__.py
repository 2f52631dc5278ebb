"""The serial protocol between the companion and tile-reading hardware. Nothing stands here yet: see README.md.

Imports nothing of `companion`, so that a device's firmware tools can use it alone.
"""
