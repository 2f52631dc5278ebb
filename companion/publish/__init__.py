"""A kept game on its way to an MQTT broker, for a club with many tables. The topics: docs/club.md."""
