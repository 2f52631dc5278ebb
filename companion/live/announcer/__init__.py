"""What is heard of the table: `phrases` and `cues` (pure) say what, `voices` and `tones` with what."""
