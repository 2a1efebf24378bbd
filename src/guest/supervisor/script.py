"""The script of a command, as the input of its bash: no process list shows it, and no `pkill -f` finds the shell by its words."""
import os

# One read from its input, as a whole: bash counts the lines of what it evaluates from 1.
PROGRAM = ['/bin/bash', '-c', 'read -rd "";eval "$REPLY"']


def script_file(begin, script, file):
    """The file for a bash's input: `begin`, and then the script or the content of a file, with no input from there on.

    Raises ValueError for a NUL in the script, at which bash would stop reading.
    """
    text = script.encode() if file is None else read(file)
    if b'\0' in text:
        raise ValueError('NUL')
    memory = open(os.memfd_create('script'), 'r+b', buffering=0)
    try:
        data = memoryview(b'%s; exec </dev/null; unset REPLY; %s' % (begin.encode(), text))
        while data:
            data = data[memory.write(data):]
        memory.seek(0)
        return memory
    except BaseException:
        memory.close()
        raise


def read(name):
    with open(name, 'rb') as file:
        return file.read()
