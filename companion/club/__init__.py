"""The games of many tables, collected from an MQTT broker into PostgreSQL. Needs the extra `club`."""
