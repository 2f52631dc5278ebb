"""The window as a whole: its start, bar, banner and keys, the loop that runs effects, and what is kept."""
