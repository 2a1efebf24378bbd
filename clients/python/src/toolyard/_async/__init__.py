"""The client with `await`. `making/make_sync.py` makes the one without it, `_sync`, of these files."""
