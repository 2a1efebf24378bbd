"""Running processes: commands, and processes that they left behind."""

# Command by process id.
running = {}
# Commands that have ended, each with its status, of which is not known yet what they left.
ended = []
# Mark by process id, of processes that commands left behind.
orphans = {}
