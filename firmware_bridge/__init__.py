"""The serial protocol between the companion and hardware at the table: nothing of it yet, see README.md.

Imports nothing of `companion`, so that a device's firmware tools can use it alone.
"""
