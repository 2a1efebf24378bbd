"""Runs a command on a terminal: pty.py ROWS COLS CMD ARGS...

stdin and stdout carry the terminal's bytes. Descriptor 3 is a socket of JSON lines: first {"pid"} out, then {"rows",
"cols"} in. Exits as the command did.
"""
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios


def set_size(fd, rows, cols):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))


def write_all(fd, data):
    while data:
        data = data[os.write(fd, data):]


def relay(master):
    """Copies until the terminal hangs up: a read from it then fails with EIO."""
    sources, pending = [master, 0, 3], b""
    while True:
        for fd in select.select(sources, [], [])[0]:
            try:
                data = os.read(fd, 65536)
            except OSError:
                data = b""
            if fd == master:
                if not data:
                    return
                write_all(1, data)
            elif not data:
                sources.remove(fd)
            elif fd == 0:
                write_all(master, data)
            else:
                *lines, pending = (pending + data).split(b"\n")
                for line in lines:
                    size = json.loads(line)
                    set_size(master, size["rows"], size["cols"])


def main():
    rows, cols, *command = sys.argv[1:]
    started, starting = os.pipe()
    pid, master = pty.fork()
    if pid == 0:
        set_size(0, int(rows), int(cols))
        os.write(starting, b"1")
        os.closerange(3, 256)
        try:
            os.execvp(command[0], command)
        except OSError as error:
            os.write(2, f"{command[0]}: {error.strerror}\r\n".encode())
        os._exit(127)
    os.read(started, 1)  # only now is the child the leader of a group, which a kill needs
    os.close(started)
    os.write(3, json.dumps({"pid": pid}).encode() + b"\n")
    try:
        relay(master)
    except BrokenPipeError:
        pass
    os.close(master)
    status = os.waitpid(pid, 0)[1]
    if os.WIFSIGNALED(status):
        signal.signal(os.WTERMSIG(status), signal.SIG_DFL) if os.WTERMSIG(status) != signal.SIGKILL else None
        os.kill(os.getpid(), os.WTERMSIG(status))
    os._exit(os.waitstatus_to_exitcode(status))


main()
