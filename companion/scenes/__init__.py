"""Pictures of tables drawn by the program, with exact truth: to learn from, to test with, to show.

Uses nothing but numpy and OpenCV; the same seed gives the same picture.
"""
