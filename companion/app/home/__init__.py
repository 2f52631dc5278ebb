"""The first page: which game is played tonight, the list of games, and the way to everything else."""
