"""Follows a game: sights and device messages become events. Pure: no picture, no thread, no clock."""
