"""Shells of single commands, and those that are kept for more commands, by their numbers."""
import secrets
import threading
import time

from ..settings import MAX_SHELLS
from .errors import Refused
from .shells import Shell


class Executor:
    def __init__(self):
        self.shells, self.count, self.lock = {}, 0, threading.Lock()

    def call(self, command, shell_id, run_async, kill, seconds, wait, keep=False, interrupt=False, live=None):
        with self.lock:
            if shell_id is None:
                if not command:
                    raise Refused('give a command, or the shell_id of a shell to read from or to kill')
                for old in [number for number, shell in self.shells.items() if shell.code() is not None]:
                    if len(self.shells) >= MAX_SHELLS:
                        del self.shells[old]
                if len(self.shells) >= MAX_SHELLS:
                    self.make_room()
                if len(self.shells) >= MAX_SHELLS:
                    raise Refused('%d shells run already (MAX_SHELLS): %s; kill one, with its shell_id and kill=true' % (len(self.shells), ', '.join(map(str, self.shells))))
                # The number of a kept shell is drawn: whoever comes back to it after this host has ended meets nobody else's.
                shell_id, self.count = (100_000 + secrets.randbelow(900_000), self.count) if keep else (self.count, self.count + 1)
                self.shells[shell_id] = Shell('shell-%d' % shell_id, False, keep)
                self.shells[shell_id].began = time.monotonic()
                self.shells[shell_id].told = False
            shell = self.shells.get(shell_id)
        if shell is None:
            return {'unknown': True}
        if shell.code() is not None and shell.told:
            return self.closed(shell_id)
        if interrupt:
            shell.interrupt()
        with shell.followed(live, keep and wait > 0) as follower:
            if keep and not kill:
                return self.until_idle(shell, shell_id, command, wait, follower, interrupt)
            return self.command(shell, shell_id, command, run_async, kill, seconds, wait)

    def make_room(self):
        """Ends the kept shell that has waited longest for its next line, if there is one."""
        waiting = [number for number, shell in self.shells.items() if shell.kept and not shell.at_work()]
        if waiting:
            self.shells.pop(min(waiting, key=lambda number: self.shells[number].began)).end()

    def until_idle(self, shell, shell_id, command, wait, follower, interrupt):
        """Waits until the command is done, and keeps the shell. `wait` of 0: passes the command on alone."""
        ended = shell.code() is not None
        # Input for what runs, and an interrupt of it, are done once they are there; so is a line that another call waits for.
        others = len(shell.followers) > (follower is not None)
        passed = not ended and not wait and (interrupt or bool(command) and (others or shell.at_work()))
        if command and not ended:
            shell.write(command)
            shell.began = time.monotonic()
        if passed:
            return {'shell_id': shell_id, 'code': None, 'ended': None, 'stdout': '', 'stderr': '', 'passed': True}
        if not shell.idle(wait):
            return {'shell_id': shell_id, 'pending': True, **(shell.take(follower) if wait else {})}
        if shell.code() is not None:
            shell.wait(0.5)
            shell.told = True
        return {**self.said(shell, shell_id, follower), 'ignored': bool(command) and ended}

    def command(self, shell, shell_id, command, run_async, kill, seconds, wait):
        ended = shell.code() is not None
        if command and not ended:
            shell.write(command)
            shell.began = time.monotonic()
        if kill and not command:
            return self.over(shell, shell_id, True)
        if run_async or ended:
            return {**self.beside(shell, shell_id, kill, wait), 'ignored': bool(command) and ended}
        return self.until_end(shell, shell_id, kill, seconds, wait)

    def closed(self, shell_id):
        self.shells.pop(shell_id, None)
        return {'closed': True}

    def beside(self, shell, shell_id, kill, wait):
        shell.settle(wait)
        if kill:
            return self.over(shell, shell_id, True)
        if shell.code() is not None:
            shell.wait(0.5)
            shell.told = True
        return self.said(shell, shell_id)

    def until_end(self, shell, shell_id, kill, seconds, wait):
        shell.close()
        left = shell.began + seconds - time.monotonic()
        if shell.wait(max(0, min(left, wait))):
            return self.over(shell, shell_id, False)
        if wait < left:
            return {'shell_id': shell_id, 'pending': True}
        if kill:
            return {**self.over(shell, shell_id, True), 'timeout': True}
        return {**self.said(shell, shell_id), 'timeout': True}

    def over(self, shell, shell_id, kill):
        if kill:
            shell.end()
        shell.wait(0.5)
        self.shells.pop(shell_id, None)
        return {**self.said(shell, shell_id), 'killed': kill}

    def said(self, shell, shell_id, follower=None):
        return {'shell_id': shell_id, 'code': shell.code(), 'ended': shell.ended, **shell.take(follower)}
