"""Pictures of tables drawn by the program, with exact truth: to learn from, to test with, to show.

Uses nothing but numpy and OpenCV; the same seed gives the same picture.

A whole table goes from `contents` (what is there, from a game's state or dealt at random) by `seating` (where
each tile lies, in mm: a `tabletop.Tabletop`) and `club.draw_table` (furniture, lamp, camera) to a
`draw.Scene`, and last through `lens` (what a telephone does to it). `closeups` has parts of tables from near,
one kind for each cause of misreading, `rooms` pictures without tiles, `table` loose tables of tiles and other
things.
"""
