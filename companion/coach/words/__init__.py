"""The coach in sentences: why a choice is best, why a decision was a mistake, and tiles and seats by name."""
