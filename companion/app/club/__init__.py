"""The switch that publishes the running game for a club."""
