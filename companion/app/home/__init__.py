"""The first page: which game is played tonight, older games, and the way to everything else."""
