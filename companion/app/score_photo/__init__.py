"""The score of a photographed hand: its tiles, how it was won, and what each player pays."""
