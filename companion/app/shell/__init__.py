"""The window as a whole: its start, bar, banner and keys, the loop that runs effects, and the saved state."""
