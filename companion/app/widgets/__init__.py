"""Widgets that several features use. They show what they are given, and keep no state of the program."""
