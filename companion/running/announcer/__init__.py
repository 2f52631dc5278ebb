"""Says aloud what happens at the table: `phrases` (pure) in which words, `speaker` by which program."""
