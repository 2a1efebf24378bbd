"""The process that forks the modules' processes.

It was forked before the first request came, so it knows nothing of any; and neither does what it forks.
"""
import json
import os
import resource
import select
import signal
import socket
import struct

from .module import serve
from .system import libc


def serve_forks(host):
    libc.prctl(1, signal.SIGKILL)
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    while True:
        ready, _, _ = select.select([host, wake], [], [])
        if wake in ready:
            try:
                os.read(wake, 4096)
            except BlockingIOError:
                pass
            reap(host)
        if host in ready:
            request, given, _, _ = socket.recv_fds(host, 4096, 3)
            if not request:
                os._exit(0)
            mark = int(request)
            try:
                pid = os.fork()
            except OSError:
                pid = -1
            if pid == 0:
                host.close()
                os.close(wake)
                os.close(woken)
                become(mark, given)
            for descriptor in given:
                os.close(descriptor)
            host.send(json.dumps({'made': mark, 'pid': pid}).encode())


def reap(host):
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        host.send(json.dumps({'ended': pid, 'code': os.waitstatus_to_exitcode(status)}).encode())


def become(mark, given):
    """This process is a module's from now on."""
    try:
        libc.prctl(1, signal.SIGKILL)
        os.setsid()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        try:
            resource.setrlimit(10, (mark, mark))
        except (OSError, ValueError):
            pass
        confine()
        link, out, err = given
        os.dup2(out, 1)
        os.dup2(err, 2)
        os.close(out)
        os.close(err)
        serve(socket.socket(fileno=link))
    finally:
        os._exit(1)


def confine():
    """Landlock, for what it brings besides: no process but this and its own can be looked into or signalled. Where the kernel lacks it, what hides itself is hidden still."""
    refer, make_block, signals = 1 << 13, 1 << 11, 1 << 1
    allowed = refer | make_block
    for rules in (struct.pack('QQQ', allowed, 0, signals), struct.pack('Q', allowed)):
        ruleset = libc.syscall(444, rules, len(rules), 0)
        if ruleset >= 0:
            root = os.open('/', os.O_PATH)
            libc.syscall(445, ruleset, 1, struct.pack('=Qi', allowed, root), 0)
            libc.syscall(446, ruleset, 0)
            os.close(root)
            return os.close(ruleset)
