"""What `companion bench` measures: how well and how fast pictures are read, rules, the table, the serial
link."""
