"""Running processes: commands, and processes that they left behind."""

# Command by process id.
running = {}
# Mark by process id, of processes that commands left behind.
orphans = {}
