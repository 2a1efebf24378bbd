"""What runs: commands, and what they left behind."""

# Command by process id.
running = {}
# Mark by process id, of what commands left behind.
orphans = {}
