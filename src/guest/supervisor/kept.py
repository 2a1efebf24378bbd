"""Ends of commands that a session may ask for after it has lost its memory.

Until such a command ends, its file has the supervisor's process id; then the reply, without the command's secrets.
"""
import json
import os

from ..settings import STATE_DIRECTORY


def keep_begin(id):
    write(id, '%d\n' % os.getpid())


def keep_end(id, reply, secrets):
    """Keeps a reply. `secrets`: texts to mask, a longer one before one that it begins with."""
    for name in ('out', 'err'):
        reply = {**reply, name: {key: masked(text, secrets) for key, text in reply[name].items()}}
    write(id, json.dumps(reply) + '\n')


def masked(text, secrets):
    if isinstance(text, str):
        for secret in secrets:
            text = text.replace(secret, '***')
    return text


def write(id, text):
    """Writes the file at once, or not at all. Without it a session takes the command for lost."""
    name = '%s/%s.kept' % (STATE_DIRECTORY, id)
    try:
        # Nothing that a command put there is followed or waited for.
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOFOLLOW
        with open(os.open(name + '.new', flags, 0o600), 'w') as file:
            file.write(text)
        os.replace(name + '.new', name)
    except OSError:
        pass
