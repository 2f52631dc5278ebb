"""Dice on the table: `reading` reads them in a picture, `watch` decides what was rolled."""
