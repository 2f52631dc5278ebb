"""The serial protocol between the companion and hardware at the table: PROTOCOL.md, and how to use it:
README.md.

Imports nothing of `companion`, so that a device's firmware tools can use it alone.
"""
